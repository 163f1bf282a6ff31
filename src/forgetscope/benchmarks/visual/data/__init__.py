"""Pictures, concepts and conditions, and every sample they make."""
