"""Ask a model: every reply kept, every call counted, any run repeatable without a key. Knows no task.

- ``task``: the only way to a model: ask, read, verify. ``prompts``: what is asked, and the shape of the reply.
- ``answers``: what comes of a question, or why it is missing. ``replies``: the JSON in a reply.
- ``engine``: each question asked once: from the cache, from a call in flight, or sent in a format that is taken.
- ``sender``: one call sent until a reply is usable, or none is to be had. ``calls``: what is asked and sent.
  ``parking``: questions that are answered later.
- ``kept_replies``: which replies of the cache a run may use.
- ``throttle``, ``outage``: how many calls are in flight, and when a provider is gone.
- ``client``: one call to one provider. ``endpoint``: where it goes. ``body``: what comes back, bounded.
- ``reading``, ``faults``: what an answer holds, or what is wrong with it.
- ``settings``: the options of a model. ``sampling``: how the replies to one prompt are drawn, beside that.
- ``response_format``: the formats in which a reply is asked for.
- :mod:`.batch`: questions that are written into files, to be answered later.
- :mod:`.usage`: what calls cost and may cost, and what a dry run would send.
"""
