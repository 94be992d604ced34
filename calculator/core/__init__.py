"""The arithmetic: pure functions over base units. No Django, database, network, files or clock."""
