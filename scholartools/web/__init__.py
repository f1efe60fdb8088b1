"""Send requests to web services within their limits, and store each raw response before use.

- ``request``: request, response, and the limits of a service. ``settings``: options of a run.
- ``client``: responses from the cache or the service, retries, and the end of a run.
- ``login``: API keys, and tokens for a user name and password. ``files``: downloaded files.
- ``sender``: one HTTP request: redirects, bodies, keys. ``faults``: checks of responses.
- ``limiter``: rate limits across the processes of this machine. ``budget``: requests, USD, bytes.
"""
