"""A wheel, built and installed: it holds every data file, which an editable installation reads from the sources."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from support.run import PAPER, ROOT, environment

pytestmark = pytest.mark.slow


def run(*words: object, **settings) -> subprocess.CompletedProcess:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built of what git knows, so that no file counts that a clone lacks."""
    folder = tmp_path_factory.mktemp("wheel")
    names = run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")
    for name in filter(None, names):
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "source" / name).write_bytes((ROOT / name).read_bytes())
    options = ["--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--wheel-dir", folder]
    run(sys.executable, "-m", "pip", "wheel", *options, folder / "source")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def binaries(wheel, tmp_path_factory) -> Path:
    """The commands of an environment that has the wheel, and its dependencies from the one of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    run(sys.executable, "-m", "pip", "--python", folder / "bin/python", "install", "--no-deps", "--no-index", wheel)
    packages = run(folder / "bin/python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = run(folder / "bin/python", "-c", "import scholartools; print(scholartools.__file__)", cwd=folder).stdout
    assert where.startswith(packages)
    return folder / "bin"


def test_a_wheel_has_every_file_of_the_package_and_the_man_pages(wheel):
    kept = set(run("git", "ls-files", "scholartools", cwd=ROOT).stdout.split())
    packed = zipfile.ZipFile(wheel).namelist()
    assert kept - set(packed) == set()
    assert {name.rpartition("/")[2] for name in packed if "/share/man/" in name} == {
        path.name for path in (ROOT / "man").glob("st-*.1")
    }


def test_the_demo_of_an_installed_wheel_prints_what_the_sources_print(binaries, tmp_path):
    shown = [
        run(
            "sh", ROOT / "fixtures/demo.sh", PAPER, cwd=tmp_path, env=environment(PATH=f"{folder}:/usr/bin:/bin")
        ).stdout
        for folder in (binaries, Path(sys.executable).parent)
    ]
    assert shown[0] == shown[1] and "st-score" in shown[0]


def test_every_command_of_an_installed_wheel_finds_its_data(binaries, tmp_path):
    """Prompts, criteria, schemas, templates: a command that reads some of each."""
    env = environment(PATH=f"{binaries}:/usr/bin:/bin")
    for name in sorted(path.name for path in (ROOT / "bin").iterdir()):
        run(binaries / name, "--help", cwd=tmp_path, env=env)
    (tmp_path / "paper.jsonl").write_text(run(binaries / "st-parse", PAPER, env=env).stdout)
    (tmp_path / "facets.jsonl").write_text(run(binaries / "st-facets", "paper.jsonl", cwd=tmp_path, env=env).stdout)
    assert "<html" in run(binaries / "st-facets", "--html", "facets.jsonl", cwd=tmp_path, env=env).stdout
    asked = run(binaries / "st-claims", "extract", "--dry-run", "--model", "openai/gpt-4o-mini", "paper.jsonl", cwd=tmp_path, env=env)  # fmt: skip
    assert "calls" in asked.stderr + asked.stdout
