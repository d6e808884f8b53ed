"""Each header of the library compiles on its own."""
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

from tree import Rule, under

COMPILER = os.environ.get("RATCHET_RULES_COMPILER", "g++")


def compile_alone(folder, path):
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{folder}/lib"]
    if path.endswith("base/explore.hpp"):
        flags.append("-DRATCHET_EXPLORE=1")
    source = f"#include <{path.removeprefix('lib/')}>\n"
    done = subprocess.run(
        [COMPILER, *flags, "-x", "c++", "-"], input=source, capture_output=True, text=True
    )
    return (
        None
        if done.returncode == 0
        else f"{path}: does not compile on its own:\n{done.stderr[:2000]}"
    )


def alone(tree):
    headers = under(tree, "lib/ratchet", suffixes=(".hpp",))
    with tempfile.TemporaryDirectory() as folder:
        for path, text in headers.items():
            target = pathlib.Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = pool.map(lambda path: compile_alone(folder, path), headers)
            return len(headers), [one for one in said if one is not None]


RULES = [
    Rule(
        "each header compiles on its own",
        alone,
        bites=[{"lib/ratchet/core/a.hpp": "#pragma once\ninline std::size_t a = 1;\n"}],
        fine=[
            {
                "lib/ratchet/core/a.hpp": "#pragma once\n#include <cstddef>\n"
                "inline std::size_t a = 1;\n"
            }
        ],
    ),
]
