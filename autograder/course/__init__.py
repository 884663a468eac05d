"""What an author writes: problems, parts, cases, keys; how they are loaded and what is wrong with them."""
