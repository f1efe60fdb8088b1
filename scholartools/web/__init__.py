"""Ask web services politely, and keep each raw answer before it is used. Knows no service.

- ``request``: what is asked, what was answered, and the limits of a service. ``settings``: how a run asks.
- ``client``: a request answered from the cache, or sent; tries again, and when a run must end.
- ``login``: keys, and how one is had for a name and a password. ``files``: files that a service sends.
- ``sender``: one request over HTTP: redirects, bodies, keys. ``faults``: what an answer is that is not what was asked.
- ``limiter``: the least time between requests, for all processes of this machine. ``budget``: requests, USD, bytes.
"""
