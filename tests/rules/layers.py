"""Who may include whom, and which names stay in one place."""
import re

from tree import Rule, code_of, line_at, under

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
BELOW = {
    "base": {"base"},
    "core": {"base", "core"},
    "native": {"base", "core", "native"},
    "remote": {"base", "core", "remote"},
    "patterns": {"base", "core", "patterns"},
}
NEVER_EACH_OTHER = ("stress", "bench", "tests")


def includes(text):
    code = code_of(text)
    return [
        (line_at(code, found.start()), found.group(1), found.group(2))
        for found in INCLUDE.finditer(code)
    ]


def downward(tree):
    checked, faults = 0, []
    for path, text in under(tree, "lib/ratchet").items():
        parts = path.split("/")
        layer = parts[2] if len(parts) > 3 else None
        for line, quote, name in includes(text):
            checked += 1
            where = f"{path}:{line}: {name}"
            target = name.split("/")
            if quote == '"':
                faults.append(f"{where} is included in quotes; the library includes <ratchet/...>")
            elif target[0] == "harness":
                faults.append(f"{where}: the library does not include the harness")
            elif target[0] == "ratchet" and layer is not None:
                wanted = target[1] if len(target) > 2 else "ratchet.hpp"
                if wanted not in BELOW.get(layer, set()):
                    allowed = ", ".join(sorted(BELOW.get(layer, set())))
                    faults.append(f"{where}: {layer} includes only {allowed}")
    return checked, faults


def apart(tree):
    checked, faults = 0, []
    for path, text in under(tree, "lib/harness", *NEVER_EACH_OTHER).items():
        own = path.split("/")[0]
        for line, _, name in includes(text):
            checked += 1
            if name.split("/")[0] in set(NEVER_EACH_OTHER) - {own}:
                faults.append(
                    f"{path}:{line}: {name}: stress, bench and tests use lib and never each other"
                )
    return checked, faults


def only_in(pattern, allowed, message):
    def check(tree):
        checked, faults = 0, []
        for path, text in under(tree, "lib").items():
            checked += 1
            code = code_of(text)
            if path in allowed:
                continue
            faults += [
                f"{path}:{line_at(code, found.start())}: {message}"
                for found in re.finditer(pattern, code)
            ]
        return checked, faults

    return check


def one_file(header, name):
    def check(tree):
        users = [
            path
            for path, text in under(tree, "lib", "stress", "bench").items()
            if any(included.startswith(header) for _, _, included in includes(text))
        ]
        return 1, [
            f"{name} is named in {len(users)} files, and may be in one: {', '.join(users)}"
        ] * (len(users) > 1)

    return check


def patterns_are_pure(tree):
    checked, faults = 0, []
    for path, text in under(tree, "lib/ratchet/patterns").items():
        checked += 1
        code = code_of(text)
        for found in re.finditer(r"\w*(atomic|hazard|mutex)\w*", code):
            faults.append(
                f"{path}:{line_at(code, found.start())}: {found.group(0)}: a pattern is a function "
                "over the store concept and knows nothing of it"
            )
    return checked, faults


RULES = [
    Rule(
        "a file includes only downward",
        downward,
        bites=[
            {"lib/ratchet/base/a.hpp": "#include <ratchet/core/version.hpp>\n"},
            {"lib/ratchet/core/a.hpp": "#include <ratchet/native/slot.hpp>\n"},
            {"lib/ratchet/patterns/a.hpp": "#include <ratchet/native/slot.hpp>\n"},
            {"lib/ratchet/patterns/a.hpp": "#include <ratchet/ratchet.hpp>\n"},
            {"lib/ratchet/native/a.hpp": "#include <ratchet/patterns/wallet.hpp>\n"},
            {"lib/ratchet/native/a.cpp": "#include <harness/random.hpp>\n"},
            {"lib/ratchet/native/a.cpp": '#include "slot.hpp"\n'},
        ],
        fine=[
            {
                "lib/ratchet/native/a.hpp": "// #include <harness/random.hpp>\n"
                "#include <ratchet/base/atomic.hpp>\n"
            },
            {"lib/ratchet/ratchet.hpp": "#include <ratchet/patterns/wallet.hpp>\n"},
        ],
    ),
    Rule(
        "stress, bench and tests never include each other",
        apart,
        bites=[
            {"stress/a.cpp": '#include "tests/unit/counted.hpp"\n'},
            {"lib/harness/a.cpp": "#include <stress/scenario.hpp>\n"},
        ],
        fine=[{"stress/a.cpp": "#include <stress/scenario.hpp>\n#include <harness/random.hpp>\n"}],
    ),
    Rule(
        "std::atomic is named in the seam only",
        only_in(
            r"std::atomic\w*|#\s*include\s*<atomic>",
            {"lib/ratchet/base/atomic.hpp", "lib/ratchet/base/explore.hpp"},
            "std::atomic stands in base/atomic.hpp, the seam",
        ),
        bites=[
            {"lib/ratchet/native/a.hpp": "std::atomic<int> a;\n"},
            {"lib/harness/a.cpp": "#include <atomic>\n"},
            {"lib/harness/a.cpp": "std::atomic_flag a;\n"},
        ],
        fine=[{"lib/ratchet/native/a.hpp": "// no std::atomic here\nbase::atomic<int> a;\n"}],
    ),
    Rule(
        "no stand-alone fence",
        only_in(
            r"atomic_thread_fence|__sync_synchronize|_mm_mfence|__atomic_thread_fence",
            set(),
            "a fence without an access has no partner to name",
        ),
        bites=[{"lib/ratchet/native/a.hpp": "void f() { std::atomic_thread_fence(x); }\n"}],
        fine=[{"lib/ratchet/native/a.hpp": "// no atomic_thread_fence\n"}],
    ),
    Rule(
        "hwloc is named in one file",
        one_file("hwloc", "hwloc"),
        bites=[
            {
                "lib/harness/a.cpp": "#include <hwloc.h>\n",
                "lib/harness/b.cpp": "#include <hwloc.h>\n",
            }
        ],
        fine=[{"lib/harness/a.cpp": "#include <hwloc.h>\n"}],
    ),
    Rule(
        "libcds is named in one file",
        one_file("cds/", "libcds"),
        bites=[
            {
                "lib/ratchet/native/a.hpp": "#include <cds/init.h>\n",
                "bench/b.cpp": "#include <cds/init.h>\n",
            }
        ],
        fine=[{"lib/ratchet/native/a.hpp": "#include <cds/init.h>\n#include <cds/gc/dhp.h>\n"}],
    ),
    Rule(
        "patterns know nothing of a store's inside",
        patterns_are_pure,
        bites=[
            {"lib/ratchet/patterns/a.hpp": "base::atomic<int> a;\n"},
            {"lib/ratchet/patterns/a.hpp": "hazard_cell* a;\n"},
        ],
        fine=[{"lib/ratchet/patterns/a.hpp": "// one atomic observation\nint a;\n"}],
    ),
]
