#!/usr/bin/env python3
"""A case must not compile, and must say why; its control must compile.

compile_fail.py --compiler CXX --include DIR [--define MACRO]... CASE.cpp
The case's comments say which message is expected (`// expect: REGEX`) and which flags it needs
(`// flags: ...`).
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys


def compile_case(arguments, flags, control):
    command = [arguments.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra"]
    command += ["-I" + folder for folder in arguments.include] + [
        "-D" + macro for macro in arguments.define
    ]
    command += flags + [f"-DRATCHET_CONTROL={int(control)}", str(arguments.case)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"})
    return done.returncode, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--define", action="append", default=[])
    parser.add_argument("case", type=pathlib.Path)
    arguments = parser.parse_args()
    text = arguments.case.read_text()
    expected = re.search(r"^// expect: (.*)$", text, re.M)
    if expected is None:
        sys.exit(f"{arguments.case}: no `// expect:` line")
    flags = [flag for line in re.findall(r"^// flags: (.*)$", text, re.M) for flag in line.split()]

    code, said = compile_case(arguments, flags, control=True)
    if code != 0 or said:
        sys.exit(f"{arguments.case}: the control must compile and say nothing:\n{said}")
    code, said = compile_case(arguments, flags, control=False)
    if code == 0:
        sys.exit(f"{arguments.case}: compiles, and must not")
    if not re.search(expected.group(1), said):
        sys.exit(
            f"{arguments.case}: refused without the expected message /{expected.group(1)}/:\n{said}"
        )


main()
