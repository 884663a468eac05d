"""What a class leaves to people, on pages of a local server."""
