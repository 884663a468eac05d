"""Programs of tensors come in; what they cost, and how that grows with their sizes, goes out."""
