"""What others cite, install and complete: versions and references agree, and the image is made as it should be."""

from __future__ import annotations

import re

import pytest
import yaml
from support import examples
from support.run import ROOT, environment

from scholartools import __version__
from scholartools.commands.shared.man import COMMANDS
from scholartools.tasks.views.methods import METHODS


def test_the_citation_names_this_version_and_the_paper_of_every_system():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= cited.keys()
    assert cited["version"] == __version__
    named = {one["value"] for paper in cited["references"] for one in paper["identifiers"]}
    assert named == {re.search(r"arXiv:[\d.]+\d", method.reference)[0] for method in METHODS}
    for paper in cited["references"]:
        (method,) = [one for one in METHODS if paper["identifiers"][0]["value"] in one.reference]
        assert paper["title"] in method.reference
        assert all(name in method.reference for one in paper["authors"] for name in one.values())


def test_the_image_is_slim_runs_without_rights_and_takes_no_secrets_along():
    """The rules of hadolint that such a file can break: it names a version, a user by number, what is installed, no root."""
    text = (ROOT / "Dockerfile").read_text()
    lines = re.findall(r"^([A-Z]+) (.+)$", text.replace("\\\n", ""), re.M)
    assert all(re.match(r"python:3\.\d+-slim", value) for name, value in lines if name == "FROM")
    last = [place for place, (name, _) in enumerate(lines) if name == "FROM"][-1]
    final = lines[last:]
    assert [value for name, value in final if name == "USER"] == ["1000"]
    (installed,) = [value for name, value in final if name == "RUN"]
    assert "--uid 1000" in installed
    assert re.search(
        r"pip install --no-cache-dir --no-index --find-links /wheels /wheels/scholartools-\*\.whl", installed
    )
    assert not re.search(r"^\s*(?:RUN )?(?:cd|sudo|apt|curl|wget) ", text, re.M)
    assert [value for name, value in final if name == "CMD"] == ['["st-parse", "--help"]']
    for line in (
        "docker build -t scholartools .",
        'docker run --rm -i -v "$PWD:/data" scholartools st-parse paper.pdf',
    ):
        assert line in text and line in (ROOT / "docs" / "install.md").read_text()
    assert not {"ADD", "ENV"} & {name for name, value in final if "KEY" in value}
    assert not any(name in ("COPY", "ADD") for name, _ in final)  # wheels alone, without sources
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "build"} <= set(ignored)


@pytest.mark.slow
def test_the_documented_lines_write_completions_for_three_shells(tmp_path):
    """The page's lines, run for each shell; bash, which is always there, completes with what they wrote."""
    (lines,) = [one.text for one in examples.blocks((ROOT / "docs" / "install.md").read_text()) if one.kind == "sh"]
    registered = {"bash": "    complete -o nosort -F ", "zsh": "    compdef ", "fish": "complete --no-files --command "}
    for name, words in registered.items():
        before, done_word, last = lines.rpartition("done")
        assert last.count("bash") == 2
        done = examples.shell(tmp_path, before + done_word + last.replace("bash", name), environment())
        assert (done.returncode, done.stderr) == (0, b"")
        found = (tmp_path / f"scholartools-completion.{name}").read_text()
        assert found.count(words) == len(COMMANDS)
    done = examples.shell(
        tmp_path,
        "source scholartools-completion.bash; COMP_WORDS=(st-judge ma); COMP_CWORD=1; "
        'COMPREPLY=(); _st_judge_completion st-judge; echo "${COMPREPLY[@]}"; '
        'COMP_WORDS=(st-judge match --tempe); COMP_CWORD=2; COMPREPLY=(); _st_judge_completion st-judge; echo "${COMPREPLY[@]}"',
        environment(),
    )
    assert done.stdout.split() == [b"match", b"mates", b"--temperature"]


def test_each_release_begins_with_the_numbers_that_change_in_short_lines():
    text = (ROOT / "CHANGELOG.md").read_text()
    assert f"## {__version__} (" in text
    for release in re.split(r"^## ", text, flags=re.M)[1:-1]:  # of the first release nothing changed
        assert re.search(r"^### (.+)$", release, re.M)[1] == "Numbers that change"
    bullets = re.findall(r"^- .+$", text, re.M)
    assert len(bullets) == len(set(bullets)) > 150
    assert [line for line in bullets if len(line) > 300] == []
