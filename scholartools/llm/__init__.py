"""Ask a model: every reply kept, every call counted, any run repeatable without a key. Knows no task.

- ``task``: a prompt, its reply's shape and verification; the only way to a model. ``replies``: the JSON in a reply.
- ``engine``: each question asked once, with retries, budget and replay. ``settings``: the options of a model.
- ``sampling``: how the replies to one prompt are drawn, beside that.
- ``client``: one call to one provider. ``reading``, ``faults``: what its answer holds, or what is wrong with it.
- ``throttle``, ``outage``, ``budget``: how many calls are in flight, when a provider is gone, what calls may cost.
- ``request``, ``response_format``: what a call is, for cache and provider. ``secrets``: keys taken out of texts.
- :mod:`.cache`: replies on disk, their bundles and their repair.
"""
