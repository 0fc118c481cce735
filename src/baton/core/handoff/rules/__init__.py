"""What a person wants to hold: found in their words, nominated by a model, pinned by hand, taken back."""
