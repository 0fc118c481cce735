"""What a command does to files that make programs act: seen beforehand, and looked at again when it has ended."""
