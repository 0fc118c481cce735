"""What Baton is made of: licences, bill of materials and advisories of everything that its locks name.

`python -m supply.renew` asks the package index and writes `snapshot.json`; the rest works from that file and the locks,
offline and with the same result everywhere.
"""
