"""Signal, through a signal-cli daemon on this machine.

How messages arrive, and what can be lost. The daemon's HTTP interface has no `subscribeReceive`, only a stream of
events that nobody acknowledges, and Signal's servers forget a message as soon as the daemon has it. So:

- With `--receive-mode=manual` the daemon fetches only while our stream is open: what is sent while the gateway is down
  waits on Signal's servers. Only what was on its way from the daemon to us when one of the two died is lost.
- By default (`on-start`) the daemon always fetches, and what arrives while no stream is open is lost.

A message that cannot be kept yet holds up those behind it until it can. If we are stopped before, they are put aside in
the platform's state and delivered first in the next run; a crash loses them.

Signal knows no key for a message: after an unclear send it may arrive twice, and the second is marked.
"""
