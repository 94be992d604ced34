"""The track's often-quoted figures, and the errata: where they disagree with their own arithmetic."""
