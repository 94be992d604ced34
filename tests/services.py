"""Fixtures that start real services: PostgreSQL and a broker. Each is started once in a test run, when first asked for."""
