"""Signal, through a signal-cli daemon on this machine.

How messages come in, and what can be lost. The daemon's HTTP interface has no `subscribeReceive`; what it has is a
stream of events that nobody acknowledges. Signal's servers forget a message as soon as the daemon has it. So:

- With `--receive-mode=manual` the daemon fetches only while our stream is open: what is sent while the gateway is down
  waits on Signal's servers. Lost is only what was on its way from the daemon to us when one of the two died.
- With the daemon's default (`on-start`) it fetches always, and what comes while no stream is open is lost.

A message that was read and cannot be kept yet is held, with all behind it, until it can; should we be stopped before,
it is put aside on our shelf and comes first in the next run. In a crash that is lost too.

Signal knows no key for a message: after an unclear end it may come twice, and the second is marked.
"""
