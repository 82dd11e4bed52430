"""Previews: pages of PDF files, pictures and images of examinations, drawn in a worker process."""
