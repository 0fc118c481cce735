"""What tools print: made safe, bounded, and kept whole in logs."""
