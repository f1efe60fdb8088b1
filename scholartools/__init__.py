"""Small commands that turn scholarly papers into data sets and evaluate what models say about them.

The layers, from the top down; each imports only from layers below it (docs/architecture.md):

- ``commands``: the options of each command. ``pipeline``: apply a task to many records, in order.
- ``tables``: records as rows, as data frames, and as notebook output.
- ``tasks``: the logic of each task. ``llm``: requests to language models.
- ``sources``: services that provide papers. ``web``: the HTTP client for them.
- ``readers``: formats of papers and reviews. ``text``: sentences, quotations, embeddings, retrieval.
- ``cache``: stored requests to models and services, with their responses.
- ``metrics``: numbers from plain values. ``schemas``: the types of every key of a record.
- ``table_files``: rows of CSV, Excel and Parquet files as records. ``io``: JSONL in and out.
- ``json_text``: JSON texts and their values, with nothing lost between them.
- ``compression``: files of gzip and zstd.
- ``file_kinds``: detection of input files in unsupported formats.
- ``shards``: splitting the input among several machines.
- ``paths``: dotted paths into records, and the conditions ``KEY=VALUE`` of ``where``.
- ``records``: a record's keys, texts and spans. ``signature``: identifiers of results and of their settings.
- ``vocabulary``: closed vocabularies (roles, facets, types). ``parameters``: how a message names an option.
- ``errors``: the exceptions. ``interrupts``: signals that end a run. ``terminal``: safe output to a terminal.
  ``wording``: how messages count things.
- ``pauses``: the delay that a server requests. ``money``: sums of USD.
- ``scratch``: errors in the temporary folder.
- ``proxies``: which proxy of the environment a request goes through, by the rules of curl.
- ``address``: server URLs without credentials. ``secrets``: redaction of API keys in texts.
"""

__version__ = "0.3.0"
