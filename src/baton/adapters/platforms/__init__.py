"""Messaging platforms: one package each, with the same files.

place     the ids of rooms and threads; every `Place` of the platform is made here
api       calls to the platform, and its failures as errors of the port
inbound   what the platform reports, as what a person said; receiving it
outbound  what is sent: text, buttons, files
platform  the class behind the port, and `open_platform`

A package imports its library only in modules that `platform` imports, and `registry` imports `platform` only if the
platform is configured.
"""
