"""The embedded model: real weights, pulled once, run in a process of their own, with no account and no compiler.

`catalogue` lists the models, `pull` downloads one, `holdings` knows what is on disk, `model` implements the port.
"""
