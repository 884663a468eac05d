"""Growth rates in several variables: read, taken apart into terms, compared."""
