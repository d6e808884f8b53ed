#!/usr/bin/env python3
"""Compiles and runs the C++ of the README and of docs/.

blocks.py ROOT COMPILER LIBRARY: each ```cpp block that has a main is built and run; a comment at
the end of a line that prints, `// TEXT: why` or `// TEXT, why`, is what that line must print.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PRINTS = re.compile(r"std::cout\b.*'\\n';\s*//\s*([^\s:,]+)")


def blocks(page):
    return re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.S | re.M)


def check(code, compiler, root, library):
    """What is wrong with one block; empty when nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "block.cpp"), pathlib.Path(folder, "block")
        source.write_text(code)
        command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                   f"-I{root}/lib", str(source), library, "-pthread", "-o", str(program)]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return built.stderr
        ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=60,
                             check=False)
        wanted = PRINTS.findall(code)
        if ran.returncode != 0 or ran.stdout.split("\n")[:-1] != wanted:
            return f"printed {ran.stdout!r}, exit {ran.returncode}; the comments say {wanted}"
    return ""


def main():
    root, compiler, library = sys.argv[1:]
    checked = failed = 0
    pages = [pathlib.Path(root, "README.md"), *sorted(pathlib.Path(root, "docs").rglob("*.md"))]
    for page in pages:
        for code in blocks(page):
            if "int main(" not in code:
                continue
            checked += 1
            fault = check(code, compiler, root, library)
            if fault:
                failed += 1
                print(f"{page}: {fault}")
    print(f"{checked - failed} passed, {failed} failed")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
