"""Mistakes that people make: each is refused, or reported, by a message that is enough to go on with alone."""

from __future__ import annotations

import contextlib
import difflib
import gzip
import json
import random
import shlex
import shutil
from pathlib import Path

import click
import pytest
from support.run import ROOT, st

from scholartools.commands.agree import main as agree
from scholartools.commands.shared.mistakes import refuse_misspelt_task

# The command line, its exit status, and what the message must say: what is wrong, or what to do.
MISTAKES = """
st-parse nosuch.pdf | 3 | nosuch.pdf: No such file
st-parse empty.pdf | 3 | nothing to read: the file is empty
st-parse text.pdf | 3 | plain text, although its name ends in .pdf; --format text reads it as text
st-parse image.png | 3 | a PNG image, not a paper
st-parse fixtures/summaries.jsonl | 3 | JSON lines, not a paper
st-parse | 3 | nothing to read: the file is empty, or no file is named
st-parse --output /nodir/x.jsonl fixtures/paper/paper.tex | 2 | /nodir/x.jsonl: No such file or directory
st-parse --ouput x.jsonl fixtures/paper/paper.tex | 2 | No such option '--ouput': did you mean --output?
st-parse --output fixtures/paper/paper.tex fixtures/paper/paper.tex | 2 | is one of the papers
st-parse --reviews nosuch.json fixtures/paper/paper.tex | 2 | --reviews nosuch.json: No such file
st-parse --reviews fixtures/ratings.jsonl fixtures/paper/paper.tex | 0 | is it a file of reviews?
st-parse --jobs two fixtures/paper/paper.tex | 2 | '--jobs': 'two' is not a whole number
st-parse --files-from nosuch.txt | 2 | --files-from nosuch.txt: No such file
st-parse https://arxiv.org/pdf/2505.18207 | 3 | an address on the web, not a file: download it first
st-parse --figures fixtures/README.md fixtures/paper/paper.pdf | 2 | --figures fixtures/README.md: a file, not a folder
st-parse locked.pdf | 3 | encrypted: remove the password first
st-facets fixtures/paper/paper.pdf | 3 | not JSON lines but a PDF: run st-parse on it first
st-facets fixtures/ratings.jsonl | 3 | no "abstract" or "summaries": name the key
st-facets nosuch.jsonl | 3 | nosuch.jsonl: No such file
st-facets empty.jsonl | 0 | empty.jsonl: an empty file
st-facets broken.jsonl | 1 | broken.jsonl:2: not JSON: unexpected end of data at column 25
st-facets array.json | 3 | a JSON array: jq -c '.[]' makes JSON lines of it
st-facets abstracts.csv | 3 | the column "Abstract" is not read as "abstract": --map abstract=Abstract
st-facets nocolumn.csv | 3 | no "abstract" or "summaries"
st-facets latin1.csv | 3 | not UTF-8 at byte 9 of line 2 (Latin-1 or Windows-1252?): save it as UTF-8
st-facets out.xlsx | 3 | the file is not an Excel workbook
st-facets https://example.org/a.jsonl | 3 | an address on the web, not a file: download it first
st-facets --temperature 0.5 fixtures/summaries.jsonl | 2 | --temperature needs --model
st-facets --max-cost 5 fixtures/summaries.jsonl | 2 | --max-cost needs --model
st-facets --model openai/x --temperature hot fixtures/summaries.jsonl | 2 | 'hot' is not a number
st-facets --html fixtures/summaries.jsonl --table | 2 | No such option '--table'
st-facets --shard 4/3 fixtures/summaries.jsonl | 2 | "4/3" is not a part I/N with I from 1 to N
st-facets --shard 1 fixtures/summaries.jsonl | 2 | "1" is not a part I/N with I from 1 to N
st-facets --on-error ignore fixtures/summaries.jsonl | 2 | not one of 'keep', 'skip', 'stop'
st-facets --replay --model openai/x fixtures/summaries.jsonl | 4 | --replay: no reply in the cache to prompt "facets"
st-facets --model opnai/gpt-4o-mini fixtures/summaries.jsonl | 4 | not begin with a known provider: write openai/NAME
st-facets --model openai/gpt-4o-mini fixtures/summaries.jsonl | 4 | set the `OPENAI_API_KEY`
st-extract-limits fixtures/summaries.jsonl | 3 | no "sections": run st-parse first
st-extract-limits --reach all papers.jsonl | 2 | not one of 'paragraph', 'section', 'paper'
st-extract-limits fixtures/nothing* | 3 | No such file
st-claims | 2 | must name an action (select, extract, weaknesses
st-claims find fixtures/claims.jsonl | 2 | must name an action (select, extract, weaknesses
st-claims associate papers.jsonl | 3 | no "claims": run st-claims extract first
st-claims label papers.jsonl | 3 | no "weaknesses": run st-claims weaknesses first
st-claims verify papers.jsonl | 4 | give --model NAME, or set ST_MODEL
st-claims edit fixtures/claims.jsonl | 4 | give --model NAME, or set ST_MODEL
st-claims weaknesses papers.jsonl | 3 | no "reviews": run st-parse with --reviews
st-eqsynth questions fixtures/paper/paper.pdf | 3 | not JSON lines but a PDF: run st-parse on it first
st-eqsynth questions fixtures/summaries.jsonl | 3 | no "equations": run st-parse on LaTeX sources first
st-eqsynth fixtures/summaries.jsonl | 3 | no "equations": run st-parse on LaTeX sources first
st-eqsynth questions --optoins 4 papers.jsonl | 2 | No such option '--optoins'
st-eqsynth compare x^2 | 2 | x^2: an expression, not a file: the input is a file of records
st-generate limitations papers.jsonl | 4 | name a model with --model or ST_MODEL, or a file of related papers with --corpus
st-generate experiments papers.jsonl | 4 | name one with --model or ST_MODEL
st-generate weaknesses --corpus nosuch.jsonl papers.jsonl | 2 | --corpus nosuch.jsonl: No such file
st-generate explanations papers.jsonl | 4 | name one with --model
st-generate --model openai/x papers.jsonl | 2 | the first argument must name a task (limitations
st-judge fixtures/score-limitations.jsonl | 2 | the first argument must name a task (facets, match
st-judge match fixtures/summaries.jsonl | 3 | run st-extract-limits first, or name another key with --reference
st-judge match --threshold 2 fixtures/score-limitations.jsonl | 2 | 2.0 is not in the range -1<=x<=1
st-judge match --votes most fixtures/score-limitations.jsonl | 2 | not one of 'all', 'majority'
st-judge match --summary fixtures/summaries.jsonl | 3 | no "judgements.match" in the record: run st-judge match without --summary first
st-judge facets papers.jsonl | 3 | no "facets": run st-facets first
st-judge review papers.jsonl | 4 | name one with --model or ST_MODEL
st-judge equation fixtures/summaries.jsonl | 4 | name one with --model or ST_MODEL
st-judge rate fixtures/rated-questions.jsonl | 4 | give --model NAME, or set ST_MODEL
st-judge rate --aspects nosuch.yaml --baselines papers.jsonl | 2 | --aspects nosuch.yaml: No such file
st-judge rate --aspects builtin:rqs --baselines papers.jsonl | 2 | there are builtin:rq, builtin:summary
st-judge rate --method gpteval fixtures/rated-questions.jsonl | 2 | did you mean geval or batcheval?
st-judge rate --only clarityy --baselines papers.jsonl | 2 | the criteria have problem, method, type
st-judge same-issue papers.jsonl | 4 | give --model NAME, or set ST_MODEL
st-judge specificity papers.jsonl | 4 | give --model NAME, or set ST_MODEL
st-score facet fixtures/summaries.jsonl | 2 | did you mean facets?
st-score rouge fixtures/summaries.jsonl | 2 | rouge is a score of the metrics facets, support, text
st-score facets papers.jsonl | 3 | no "facets": run st-facets first
st-score match fixtures/summaries.jsonl | 3 | no "limitations" (name another key with --reference): the keys of the record are "id", "title", "abstract"
st-score match --compare careful vage --table fixtures/score-limitations.jsonl | 2 | no system "vage" has scores (systems with scores: careful, vague)
st-score match --compare careful fixtures/score-limitations.jsonl | 2 | is a file: name two systems, then the files
st-score match --compare fixtures/score-limitations.jsonl | 2 | requires 2 arguments: --compare SYSTEM1 SYSTEM2
st-score match --by journal --summary fixtures/score-limitations.jsonl | 3 | no "journal": the keys of the record are "id", "year"
st-score match --cluster paperid --table fixtures/score-limitations.jsonl | 3 | no "paperid": the keys of the record are "id", "year"
st-score text --bertscore roberta-large fixtures/summaries.jsonl | 2 | MODEL:LAYER, such as roberta-large:17
st-score match --runs careful --table fixtures/score-limitations.jsonl | 2 | name two or more different systems
st-score match --by year fixtures/score-limitations.jsonl | 2 | --by needs --summary, --table
st-score fixtures/paper/paper.pdf | 3 | not JSON lines but a PDF: run st-parse on it first
st-score --table --csv match fixtures/score-limitations.jsonl | 2 | --table cannot be used with --csv
st-score match --summary --output papers.jsonl papers.jsonl | 2 | is also an input file, which would be overwritten
st-score rate fixtures/summaries.jsonl | 3 | run st-judge rate first
st-score empty.jsonl | 0 | empty.jsonl: an empty file
st-agree krippendorff fixtures/ratings.jsonl | 2 | did you mean alpha?
st-agree alfa fixtures/ratings.jsonl | 2 | did you mean alpha?
st-agree fixtures/summaries.jsonl | 3 | no "item" (name another key with --item): the keys of the record are "id", "title"
st-agree alpha --level ratio2 fixtures/ratings.jsonl | 2 | not one of 'nominal', 'ordinal', 'interval', 'ratio'
st-agree alpha --rater annotator fixtures/ratings.jsonl | 3 | if each rater has a column or key of its own, name these with --raters): the keys of the record are "item", "rater"
st-agree alpha --without judgee fixtures/ratings.jsonl | 2 | the raters are anna, ben, judge
st-agree icc fixtures/ratings.jsonl | 1 | the rating 'yes' is not a number, but the level of measurement "interval" needs numbers
st-agree icc fixtures/ratings.jsonl | 1 | for words, use the statistic alpha with --level nominal, or ordinal with --order
st-agree alpha --level ordinal fixtures/ratings.jsonl | 2 | name the scale with --order LOW,...,HIGH
st-agree correlate fixtures/ratings.jsonl | 2 | needs --x and --y
st-agree correlate --x score --y human fixtures/ratings.jsonl | 3 | no "score" or "human": the keys of the record are "item", "rater"
st-agree alpha --where half:test fixtures/ratings.jsonl | 2 | is not a condition of the form KEY=VALUE
st-agree alpha --where half=test fixtures/ratings.jsonl | 3 | meets the conditions of --where: no "half": the keys of the record are
st-agree alpha --where rater=Anna fixtures/ratings.jsonl | 3 | the values of "rater" are "anna", "ben", "judge"
st-agree majority --cluster label fixtures/ratings.jsonl | 2 | --cluster: each majority has another value at "label"
st-agree plot --kind pie fixtures/ratings.jsonl | 2 | not one of 'scatter', 'bland-altman', 'reliability'
st-agree alpha dup.jsonl | 1 | dup.jsonl:2: item 1 is rated twice by "anna"
st-agree alpha --output dup.jsonl dup.jsonl | 2 | is also an input file, which would be overwritten
st-annotate assign question fixtures/rated-questions.jsonl --raters a,b --output study | 2 | there is no kind of items "question": the kinds are weaknesses
st-annotate assign questions fixtures/rated-questions.jsonl --output study | 2 | a new batch needs raters
st-annotate assign questions papers.jsonl --raters a,b --per-item 3 --output s | 2 | --per-item 3: --raters names only 2
st-annotate export nosuch --to xlsx | 2 | nosuch: no batch of st-annotate assign
st-annotate import fixtures | 2 | fixtures: no batch of st-annotate assign
st-annotate status papers.jsonl | 2 | papers.jsonl: no batch of st-annotate assign
st-table | 2 | st-table list
st-table paper papers.jsonl | 2 | must name a table, not "paper": st-table list
st-table papers --columns id,titel papers.jsonl | 2 | "titel" is no column of papers: st-table columns papers
st-table papers nosuch.jsonl | 3 | nosuch.jsonl: No such file
st-table limitations papers.jsonl | 0 | no rows: none of 1 record has limitations
st-table papers --output papers.docx papers.jsonl | 2 | tables cannot be written as .docx, only as .csv
st-table papers.jsonl | 2 | must name a table, not "papers.jsonl": st-table list
st-table papers --to pdf papers.jsonl | 2 | 'pdf' is not one of 'csv', 'tsv'
st-view --output papers.jsonl papers.jsonl | 2 | is also an input file, which would be overwritten
st-cache list --cache nosuch.sqlite | 4 | nosuch.sqlite: no cache there
st-cache import papers.jsonl | 3 | this is not a bundle of calls
st-cache purge | 2 | (stats, list, show, export, import, merge, prune
st-cache merge nosuch.sqlite | 4 | nosuch.sqlite: no cache there
st-fetch arxiv:2505.18207 | 2 | must name an action (papers, reviews
st-fetch papers 2505 | 2 | "2505" is not an identifier: a DOI, an arXiv id
st-parse -o out.jsonl fixtures/paper/paper.tex | 2 | No such option '-o': did you mean
st-parse --model gpt-4o fixtures/paper/paper.tex | 2 | st-parse asks no model
st-parse fixtures/paper/refs.bib | 3 | a bibliography (BibTeX), not a paper
st-parse papers.jsonl.gz | 3 | holds only JSON or JSON lines, not LaTeX; unpack it first if it is a paper
st-parse lfs.jsonl | 3 | a pointer of Git LFS (git lfs pull downloads the file)
st-parse emptydir | 3 | without a LaTeX file; name papers of other formats
st-parse page.pdf | 3 | an HTML page, not a paper
st-parse --format docx fixtures/paper/paper.tex | 2 | 'docx' is not one of 'auto', 'pdf'
st-facets lfs.jsonl | 3 | not JSON lines but a pointer of Git LFS to the file: git lfs pull
st-facets single.jsonl | 3 | single quotes, as Python prints a dict; json.dumps writes
st-facets unclosed.csv | 3 | unclosed.csv:2: no CSV from this line on: the quotation mark of a cell is not closed
st-facets number.jsonl | 3 | "abstract": input should be a valid string
st-facets list.jsonl | 3 | JSON, but not an object
st-facets --jobs 0 fixtures/summaries.jsonl | 2 | 0 is not in the range x>=1
st-facets --dry-run fixtures/summaries.jsonl | 2 | --dry-run needs --model
st-facets --replay --no-cache --model openai/x fixtures/summaries.jsonl | 2 | --replay cannot be used with --no-cache
st-facets --api-base localhost:8000 --model openai/x fixtures/summaries.jsonl | 2 | such as OPENAI_BASE_URL
st-judge match --api-key x --model openai/x fixtures/score-limitations.jsonl | 2 | such as OPENAI_API_KEY
st-facets --output fixtures fixtures/summaries.jsonl | 2 | fixtures: Is a directory
st-generate limitation papers.jsonl | 2 | must name a task (limitations, weaknesses
st-generate limitations --corpus fixtures/score-limitations.jsonl papers.jsonl | 3 | run st-extract-limits first, so that the limitations can be removed
st-generate limitations --corpus fixtures/paper/paper.pdf papers.jsonl | 2 | a PDF: run st-parse on it first
st-generate questions --model openai/gpt-4o --samples 0 papers.jsonl | 2 | 0 is not in the range x>=1
st-generate experiments --model claude-3-opus papers.jsonl | 4 | write openai/NAME, ollama/NAME
st-judge rate --baselines fixtures/summaries.jsonl | 3 | (run st-generate questions first, or name another key with --candidate)
st-judge match papers.jsonl | 3 | no "limitations" (run st-extract-limits first, or name another key with --reference)
st-judge fit fixtures/rated-questions.jsonl | 2 | must name a method (autocalibrate, geval
st-judge mates fixtures/rated-questions.jsonl | 3 | run st-judge rate --method batcheval first
st-eqsynth question papers.jsonl | 2 | did you mean questions?
st-eqsynth --verify fixtures/summaries.jsonl | 3 | no "options" and no "certificate": run st-eqsynth questions or st-eqsynth compare first
st-score bleu fixtures/summaries.jsonl | 2 | bleu is a score of the metrics text, match
st-score rougeL fixtures/summaries.jsonl | 2 | rougeL is a score of the metrics
st-score kappa fixtures/ratings.jsonl | 2 | st-agree computes agreement and correlations (kappa)
st-score facets summary.jsonl | 3 | the line is a summary of st-score, not a record
st-score match --compare careful careful --table fixtures/score-limitations.jsonl | 2 | "careful" is compared with itself
st-score --reference abstract --candidate summary fixtures/summaries.jsonl | 3 | no "summary" (name another key with --candidate): the keys of the record are "id", "title"
st-agree cohen fixtures/ratings.jsonl | 2 | did you mean kappa?
st-agree bertscore fixtures/ratings.jsonl | 2 | st-score text computes bertscore
st-agree correlation --x a --y b fixtures/ratings.jsonl | 2 | did you mean correlate?
st-agree alt-test --judge judge fixtures/ratings.jsonl | 2 | '--epsilon': Share of items by which a judge may be worse
st-agree alpha --out x.jsonl fixtures/ratings.jsonl | 2 | did you mean --output?
st-agree parse-score fixtures/ratings.jsonl | 2 | needs --range LOW HIGH
st-agree plot --kind scatter --x score --y human --output p.gif fixtures/ratings.jsonl | 2 | does not end in .svg, .png or .pdf
st-annotate ratings fixtures/people/batch | 0 | no answers yet: st-annotate import
st-annotate gold fixtures/people/batch | 0 | unanswered
st-annotate assign questions papers.jsonl --raters a,b --output s | 3 | run st-generate questions first
st-annotate import fixtures/people/batch abstracts.csv | 2 | has the name of a rater (the raters are
st-annotate status | 2 | the one argument after the action must be the folder of a batch
st-table columns paper | 2 | "paper" is not a table: st-table list
st-table dataset papers.jsonl | 2 | --output: is missing: name the folder
st-table papers --where year papers.jsonl | 2 | is not a condition of the form KEY=VALUE
st-view --split 10 papers.jsonl | 2 | --output: is missing: name the folder
st-view fixtures/paper/paper.pdf | 3 | not JSON lines but a PDF: run st-parse on it first
st-cache prune | 2 | needs an option that selects replies
st-cache show abc | 4 | holds no call whose key begins with abc
st-cache export --used-by papers.jsonl | 3 | no record names a call of a model or service: were the records made with --model
st-fetch references papers.jsonl | 3 | run st-fetch papers first, which finds papers by their titles
st-fetch reviews arxiv:2505.18207 | 1 | none of the requested services can find a paper by arxiv:2505.18207
st-fetch source | 2 | Missing option '--dir': Folder for the downloaded files
st-fetch papers "Attention is all you need" | 2 | a paper is found by its title in a file of records
st-view --output page.pdf papers.jsonl | 2 | st-view writes HTML: name the output papers.html
st-fetch papers --mailto me 10.1000/xyz | 2 | --mailto: "me" is not a mail address
st-parse --reviews reviews.csv fixtures/paper/paper.tex | 2 | a table: save the reviews as JSON
st-parse --reviews fixtures/reviews.json fixtures/paper/sec-end.tex | 3 | the papers have the ids "sec-end", from the names
st-parse old.doc | 3 | an old Word or Excel file (to be saved as PDF first), not a paper
st-facets old.xls | 3 | an old Office file (.xls, .doc): save it as XLSX or CSV
st-facets --input-format csv fixtures/summaries.jsonl | 3 | JSON lines are no table; leave out --input-format
st-facets dupcol.csv | 3 | two columns are "abstract": rename or delete one
st-facets strsum.jsonl | 1 | such as {"system": "a", "text": "..."}
st-facets --max-cost 1 --model openai/my-model fixtures/summaries.jsonl | 4 | is not known; use --max-calls instead
st-extract-limits --keywords limitation;weak papers.jsonl | 2 | write commas, not semicolons, between the parts
st-claims select --keywords claim;show papers.jsonl | 2 | write commas, not semicolons, between the parts
st-claims label early.jsonl | 0 | 1 record whose weaknesses have no targets: run st-claims associate first
st-claims contamination --cut-off 2024-01-01 papers.jsonl | 0 | 1 paper without a day of submission (--submitted)
st-eqsynth compare escaped.jsonl | 3 | has a control character in place of a backslash
st-eqsynth compare eq.csv | 3 | is not read as "positive": --map positive=Positive renames it
st-generate limitations --corpus fixtures/abstracts.csv papers.jsonl | 2 | no record has "limitations": run st-extract-limits
st-generate weaknesses --corpus papers.jsonl papers.jsonl | 2 | no record has "weaknesses": run st-claims weaknesses first
st-judge facets facets.jsonl | 3 | add the summaries to judge, such as
st-judge review --system none reviewed.jsonl | 3 | add them, or split the review into sentences with --segment
st-judge rate --aspects indent.yaml --baselines papers.jsonl | 2 | YAML in line 3: mapping values are not allowed here
st-score rate --truth humans based.jsonl | 0 | no rated text or record has "humans" (--truth
st-agree alpha --raters anna,bob wide.csv | 2 | no record has "bob": the keys of the record are "item", "anna"
st-agree alpha --level interval comma.csv | 1 | needs numbers: write a point before decimals
st-agree alpha misspelt.csv | 0 | 1 of the ratings occurs once, and may be a misspelling: "yse" ("yes": 3)
st-agree alpha titled.csv | 3 | delete the rows above the row of headings
st-agree calibrate --x judge --y valid wide.csv | 2 | one --y (the outcome, 1 or 0) and --item (the key of the item)
st-agree errors --x anna --y anna --item item wide.csv | 2 | --x and --y name the key "anna" twice
st-agree correlate --x anna --y bob wide.csv | 2 | no record has "bob": the keys of the record are
st-annotate adjudicate fixtures/people/batch --judge eve --output b5 | 3 | no answers yet: st-annotate import reads
st-annotate apply qbatch papers.jsonl | 0 | no answers yet: st-annotate import reads
st-annotate agree qbatch papers.jsonl | 0 | no answers yet: st-annotate import reads
st-annotate gold fixtures/people/batch --adjudicated fixtures/people/batch | 2 | name the folder that st-annotate adjudicate
st-annotate assign questions papers.jsonl --raters "anna ben" --output b | 2 | names only 1 rater: write commas between names
st-annotate assign questions papers.jsonl --raters anna;ben --output b | 2 | write commas, not semicolons, between the parts
st-table papers --best year=up --to latex papers.jsonl | 2 | is not COLUMN=high or COLUMN=low
st-table papers --caption Papers papers.jsonl | 2 | --caption: has no effect on a table in csv: use --to latex
st-view fixtures/ratings.jsonl | 0 | 48 records without a text or an item that the page can show
st-cache stats --cache papers.jsonl | 4 | a file, but no cache: a cache is a folder, or a file whose name ends in .sqlite
st-fetch merge fixtures/ratings.jsonl | 3 | all 48 records have neither a title nor an identifier: they are no papers
"""
CASES = [tuple(part.strip() for part in line.split(" | ")) for line in MISTAKES.strip().splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Files that are not what their names say, a paper, and the fixtures."""
    import pymupdf

    folder = tmp_path_factory.mktemp("mistakes")
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    rating = {"item": 1, "rater": "anna", "label": "clear", "value": 1}
    texts = {
        "empty.pdf": "", "empty.jsonl": "", "text.pdf": "This is no PDF.\n", "out.xlsx": "PK no workbook",
        "broken.jsonl": '{"id": "a", "abstract": "We test."}\n{"id": "b", "abstract": \n',
        "array.json": json.dumps([{"id": "a", "abstract": "We test."}], indent=1),
        "abstracts.csv": "id,Abstract\n1,We test it.\n", "nocolumn.csv": "1,We test it.\n2,We ask.\n",
        "lfs.jsonl": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "single.jsonl": "{'id': 'a', 'abstract': 'We test.'}\n", "number.jsonl": '{"id": "a", "abstract": 12}\n',
        "unclosed.csv": 'id,abstract\n1,"We test it.\n', "list.jsonl": "[1, 2]\n",
        "single-facets.jsonl": '{"id": "a", "abstract": "We test it."}\n',
        "page.pdf": "<html><body>Not found</body></html>",
        "summary.jsonl": '{"metric": "match", "system": "a", "n": 4, "values": {}, "signature": "s"}\n',
        "reviews.csv": "id,review\npaper,It is weak.\n", "dupcol.csv": "id,abstract,abstract\n1,We test.,We do.\n",
        "strsum.jsonl": '{"id": "a", "abstract": "We test it.", "summaries": ["It is tested."]}\n',
        "early.jsonl": '{"id": "a", "weaknesses": [{"id": "w1", "review": "r1", "text": "It is not new."}]}\n',
        "escaped.jsonl": r'{"positive": "\frac{a}{b}", "alternative": "\theta"}' + "\n",
        "eq.csv": "Positive,Alternative\nx+1,1+x\n", "wide.csv": "item,anna,ben\n1,3,3\n2,4,5\n3,2,2\n",
        "reviewed.jsonl": '{"id": "a", "abstract": "We test.", "reviews": [{"id": "r", "text": "It is weak."}]}\n',
        "indent.yaml": "aspects:\n  clear\n    scale: [1, 5]\n",
        "comma.csv": 'item,rater,value\n1,a,"3,5"\n1,b,3\n2,a,4\n2,b,4\n',
        "misspelt.csv": "item,rater,value\n1,a,yes\n1,b,yse\n2,a,no\n2,b,no\n3,a,yes\n3,b,yes\n",
        "titled.csv": "Our study\nitem,rater,value\n1,a,3\n1,b,3\n",
        "dup.jsonl": json.dumps(rating) + "\n" + json.dumps(rating | {"value": 2}) + "\n",
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "latin1.csv").write_bytes("id,abstract\n1,Wir prüfen.\n".encode("latin-1"))
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    with pymupdf.open() as locked:
        locked.new_page()
        locked.save(folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="a", owner_pw="b")
    (folder / "emptydir").mkdir()
    for name in ("old.doc", "old.xls"):
        (folder / name).write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    st("st-parse", "fixtures/paper/paper.tex", "--output", "papers.jsonl", cwd=folder)
    st("st-facets", "single-facets.jsonl", "--output", "facets.jsonl", cwd=folder)
    rated = ("fixtures/rated-questions.jsonl", "--raters", "a,b", "--output", "qbatch")
    st("st-annotate", "assign", "questions", *rated, cwd=folder)
    st("st-judge", "rate", "--baselines", "fixtures/rated-questions.jsonl", "--output", "based.jsonl", cwd=folder)
    (folder / "papers.jsonl.gz").write_bytes(gzip.compress((folder / "papers.jsonl").read_bytes()))
    return folder


def test_there_are_as_many_mistakes_as_people_make():
    assert len({line for line, *_ in CASES}) >= 218


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted({line.split()[0] for line, *_ in CASES}))
def test_a_mistake_is_named_with_what_to_do(command, folder):
    before = (folder / "papers.jsonl").read_bytes()
    wrong = []
    for line, status, said in CASES:
        if line.split()[0] == command:
            done = st(*shlex.split(line), cwd=folder, env={"ST_CACHE": str(folder / "c.sqlite")}, is_described=False)
            if done.status != int(status) or said not in done.err or max(map(len, done.err.splitlines())) > 500:
                wrong.append((line, done.status, done.err[:600]))
    assert wrong == [], "\n".join(map(str, wrong))
    assert (folder / "papers.jsonl").read_bytes() == before, "a file to read was written over"


def test_a_misspelt_task_is_found_as_by_difflib_alone():
    """Letters are counted before difflib is imported; that must leave out no task that it finds alike."""
    draw = random.Random(1)
    tasks = [*agree.commands]
    for _ in range(1500):
        word = [*draw.choice([*tasks, "alpha", "ratings.jsonl"])]
        for _ in range(draw.randint(0, 4)):
            place = draw.randrange(len(word) + 1)
            word[place : place + draw.randint(0, 1)] = draw.choices("abcdelnorst", k=draw.randint(0, 1))
        typed = "".join(word)
        near = difflib.get_close_matches(typed, tasks, n=2, cutoff=0.75)
        said = pytest.raises(click.UsageError) if near else contextlib.nullcontext()
        with said as raised:
            refuse_misspelt_task(typed, tasks, "statistic", click.Context(agree))
        assert not near or raised.value.message.endswith(f"did you mean {' or '.join(near)}?")
