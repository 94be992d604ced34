"""Setting up, running and testing the site. Nothing here is imported by the pages."""
