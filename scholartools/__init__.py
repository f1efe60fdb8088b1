"""Small commands that turn scholarly papers into data sets and evaluate what models say about them.

From the top down, each using what is below it (docs/architecture.md):

- ``commands``: the options of each command. ``pipeline``: many records, in order, in processes or with a model.
- ``tables``: what is in records as rows, data frames, and for a notebook.
- ``tasks``: what each job means. ``llm``: how a model is asked.
- ``sources``: services that have papers. ``web``: how such are asked.
- ``readers``: formats of papers and reviews. ``text``: sentences, quotations, embeddings, retrieval.
- ``cache``: what models and services were asked and answered, stored.
- ``metrics``: numbers from plain values. ``schemas``: the types of every key of a record.
- ``table_files``: rows of CSV, Excel and Parquet files as records. ``io``: JSONL in and out.
- ``json_text``: JSON texts and their values, with nothing lost between them.
- ``compression``: files of gzip and zstd.
- ``file_kinds``: what a file is that is not what a command reads.
- ``shards``: a part of the input for one of several machines.
- ``paths``: dotted paths into records, and the conditions ``KEY=VALUE`` of ``where``.
- ``records``: a record's keys, texts and spans. ``signature``: what makes two results the same result.
- ``vocabulary``: closed sets of words (roles, facets, types). ``parameters``: how a message names an option.
- ``errors``: what can go wrong. ``interrupts``: signals that end a run. ``terminal``: what a person is shown.
  ``wording``: how messages count things.
- ``pauses``: how long a server asks to wait. ``money``: sums of USD.
- ``scratch``: what goes wrong in the temporary folder.
- ``proxies``: which proxy of the environment a request goes through, by the rules of curl.
- ``address``: addresses of servers without what is secret in them. ``secrets``: keys taken out of texts.
"""

__version__ = "0.3.0"
