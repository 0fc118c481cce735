"""Models spoken to over plain HTTP and server-sent events: one client, and a dialect for each wire format."""
