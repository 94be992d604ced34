"""Public calculators on the same rows as ours: each in an environment of its own, asked through its own Python API."""
