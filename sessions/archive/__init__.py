"""Campaign and scenario files, the export and erasure of personal data, and the thinning of old sessions."""
