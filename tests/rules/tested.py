"""Each header of the library is the subject of a test, which says so: `// Of: layer/name.hpp`."""
import re

from tree import Rule, under

OF = re.compile(r"^// Of: (.+)$", re.M)


def every_header(tree):
    headers = set(under(tree, "lib/ratchet", suffixes=(".hpp",)))
    checked, faults, tested = len(headers), [], set()
    for path, text in under(tree, "tests").items():
        for names in OF.findall(text):
            for name in names.split(", "):
                checked += 1
                tested.add(f"lib/ratchet/{name}")
                if f"lib/ratchet/{name}" not in headers:
                    faults.append(f"{path}: is of {name}, which is not there")
    faults += [f"{path}: no test says that it is of it" for path in sorted(headers - tested)]
    return checked, faults


RULES = [
    Rule(
        "each header has a test",
        every_header,
        bites=[
            {"lib/ratchet/core/a.hpp": "#pragma once\n"},
            {"tests/unit/a_unit.cpp": "// Of: core/a.hpp\n"},
        ],
        fine=[
            {
                "lib/ratchet/core/a.hpp": "#pragma once\n",
                "lib/ratchet/core/b.hpp": "#pragma once\n",
                "tests/unit/a_unit.cpp": "// What a does.\n// Of: core/a.hpp, core/b.hpp\n",
            }
        ],
    )
]
