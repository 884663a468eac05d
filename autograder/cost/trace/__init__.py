"""What a torch program costs, counted while it runs: operations, dependencies and bytes; needs torch only."""
