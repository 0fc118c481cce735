"""Rules by hand-labelled sentences: what a packet shows as rules, against what a reader called rules."""
