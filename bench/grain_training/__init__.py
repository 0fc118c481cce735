"""The program that learns how names in programs are spelled."""
