"""The embedded model: real weights, pulled once, run in a process of their own, with no account and no compiler.

`catalogue` is what there is, `pull` brings it here, `holdings` says what is here, `model` is the port.
"""
