"""Fixtures that start real services: PostgreSQL and a broker, each once in a test run, when first asked for."""
