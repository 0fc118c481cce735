"""What the source tree looks like in figures, beside what it looked like before and beside other projects."""
