"""What a patch file says before its diff.

  what: the rule that this copy breaks
  check: explore/store_growth_sched.cpp:dropping.a_handle_outlives_the_record
  unit: passes | fails

check: a source below tests and the googletest case in it that must fail.
unit: whether the single-threaded unit tests are blind to it.
"""
import dataclasses
import pathlib
import re
import subprocess

HEADER = ("what", "check", "unit")


@dataclasses.dataclass(frozen=True)
class Check:
    source: str
    case: str

    def __str__(self):
        return f"{self.source}:{self.case}"


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    patch: pathlib.Path
    what: str
    check: Check
    passes_unit: bool
    touched: frozenset  # files, as named from the root


def read(patch):
    text = patch.read_text()
    said = dict(re.findall(r"^(\w+): (.+)$", text.split("\n--- ")[0], re.M))
    if tuple(said) != HEADER or said["unit"] not in ("passes", "fails"):
        raise ValueError(f"{patch}: begins with {said}, not with {', '.join(HEADER)}")
    source, _, case = said["check"].partition(":")
    touched = frozenset(re.findall(r"^\+\+\+ b/(\S+)", text, re.M))
    if not touched or not all(path.startswith("lib/ratchet/") for path in touched):
        raise ValueError(f"{patch}: changes {sorted(touched)}, not files of lib/ratchet")
    passes = said["unit"] == "passes"
    return Mutant(patch.stem, patch, said["what"], Check(source, case), passes, touched)


def read_all(folder):
    return [read(patch) for patch in sorted(folder.glob("*.patch"))]


def apply(mutant, root):
    """What went wrong; None when every hunk applied as it is."""
    done = subprocess.run(
        ["patch", "-p1", "--fuzz=0", "--forward", "--batch", "-i", mutant.patch],
        cwd=root,
        capture_output=True,
        text=True,
    )
    return None if done.returncode == 0 else done.stdout + done.stderr
