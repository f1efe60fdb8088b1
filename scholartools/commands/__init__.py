"""One file per command: options, one call, records out."""
