"""Model calls: replies are cached, costs are counted, and runs can be replayed without a key. Independent of tasks.

- ``task``: the interface for tasks: ask, parse, verify. ``prompts``: prompts and the schemas of replies.
- ``answers``: verified answers, or the reasons why they are missing. ``replies``: the JSON in a reply.
- ``engine``: answers each question once: from the cache, a call in flight, or a new call in an accepted format.
- ``sender``: sends a call, with retries, until a reply is usable or it fails. ``calls``: questions and calls.
  ``parking``: records whose questions are answered later.
- ``kept_replies``: which replies of the cache a run may use.
- ``throttle``, ``outage``: the limit on concurrent calls, and the detection of provider outages.
- ``client``: one call to one provider. ``endpoint``: its address. ``body``: the response body, bounded in size.
- ``reading``, ``faults``: parse a provider's response, or classify its error.
- ``settings``: the options of a model. ``sampling``: sampling parameters of a single prompt.
- ``response_format``: the response formats of requests.
- :mod:`.batch`: questions that are written to files and answered later.
- :mod:`.usage`: costs and budgets of calls, and the forecast of a dry run.
"""
