"""Words that do not belong into the project's files."""
import re

from tree import Rule, under

ELSEWHERE = [
    (re.compile(r"(?<![\w.$}/])/(?:work|root|home|farm)/\w"), "a path of one machine"),
    (
        re.compile(
            r"\b(?:CEO|this session|the session's|next session|sub-?agent"
            r"|issue #?\d+|ticket #?\d+)\b",
            re.I,
        ),
        "a word from how the project is worked on, which its readers do not see",
    ),
]
AVOIDED = [
    (
        re.compile(r"\bthread-safe\b", re.I),
        "says little: say wait-free, lock-free or blocking, and for whom",
    ),
    (re.compile(r"\bGC\b"), "say reclamation"),
]
# The rules name what they forbid.
OWN = "tests/rules/"


def find(words, texts):
    checked, faults = 0, []
    for path, text in texts.items():
        if path.startswith(OWN):
            continue
        checked += 1
        for line, one in enumerate(text.split("\n"), 1):
            faults += [
                f"{path}:{line}: `{found.group(0)}`: {why}"
                for word, why in words
                for found in word.finditer(one)
            ]
    return checked, faults


RULES = [
    Rule(
        "no machine, session or tracker is named",
        lambda tree: find(ELSEWHERE, tree),
        bites=[
            {"lib/a.hpp": "// see " + "/work" + "/x\n"},
            {"docs/a.md": "As the CEO said\n"},
            {"tests/a.sh": "cd " + "/root" + "/x\n"},
            {"docs/a.md": "see issue #12\n"},
        ],
        fine=[{"docs/a.md": "lib" + "/work" + "/a and results/local/a.json\n"}],
    ),
    Rule(
        "no word that says little",
        lambda tree: find(AVOIDED, under(tree, "lib", "stress", "bench")),
        bites=[{"lib/a.hpp": "// Thread-safe.\n"}, {"lib/a.hpp": "// the GC\n"}],
        fine=[{"lib/a.hpp": "// GCC\n"}],
    ),
]
