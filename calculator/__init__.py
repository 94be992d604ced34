"""GPU arithmetic for language models: the catalogue, the formulas, the command line and the pages."""
