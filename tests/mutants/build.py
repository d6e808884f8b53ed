"""Test programs over a copy of lib; what the copy does not change is compiled once."""
import collections
import os
import pathlib
import shutil
import subprocess
import threading

COMPILER = os.environ.get("RATCHET_MUTANTS_COMPILER", "clang++-19")
# By how a test source ends. Broken code is not optimised: it is compiled more often than run.
FLAGS = {
    "_sched.cpp": ["-O0", "-DRATCHET_EXPLORE=1"],
    "_tsan.cpp": ["-O1", "-g1", "-fsanitize=thread"],
    "": ["-O0"],
}
# What tests include and no patch changes.
COMMON = (
    "gtest/gtest.h algorithm chrono functional iostream map memory_resource optional random "
    "stop_token string thread vector"
).split()


class BuildError(Exception):
    pass


def kind_of(source):
    return next(ending for ending in FLAGS if source.endswith(ending))


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"[:4000])


class Builder:
    """Objects and programs. A copy of the library, which differs from that of `base` in the files
    `touched`, takes from there what was not compiled from one of them."""

    def __init__(self, root, out, base=None, touched=frozenset()):
        self.root, self.out, self.base, self.touched = root, out, base, touched
        self.origin = base.root if base else root  # of tests and of the harness
        self.lock, self.locks = threading.Lock(), collections.defaultdict(threading.Lock)
        self.out.mkdir(parents=True)
        if base:
            shutil.copytree(base.root / "lib/ratchet", root / "lib/ratchet")

    def once(self, name, make):
        """The file of that name in `out`; make(file) is called the first time."""
        target = self.out / name.replace("/", "_")
        with self.lock:
            mine = self.locks[name]
        with mine:
            if not target.exists():
                make(target)
        return target

    def sources(self, test):
        """Everything that the program of a test is compiled from."""
        folders = ["lib/ratchet/*"] + ["lib/harness/explore"] * (kind_of(test) == "_sched.cpp")
        found = [path for folder in folders for path in self.origin.glob(f"{folder}/*.cpp")]
        return [f"tests/{test}", *sorted(str(path.relative_to(self.origin)) for path in found)]

    def program(self, test):
        kind = kind_of(test)
        objects = [self.object(source, kind) for source in self.sources(test)]
        link = [*objects, "-lgtest", "-lgtest_main", "-pthread", "-o"]
        return self.once(f"{test}.program", lambda to: call(COMPILER, *FLAGS[kind], *link, to))

    def object(self, source, kind):
        if self.base and not self.base.needs(source, kind) & self.touched:
            return self.base.object(source, kind)
        return self.once(f"{source}{kind}.o", lambda to: self.compile(source, kind, to))

    def compile(self, source, kind, target):
        flags = ["-std=c++20", *FLAGS[kind]]
        if source.startswith("tests/"):
            flags += ["-include-pch", (self.base or self).common(kind)]
            flags += ["-DRATCHET_TESTS_REFERENCE=0"]
        if source.startswith("lib/harness/"):
            flags += ["-O2"]
        here = self.root if source.startswith("lib/ratchet/") else self.origin
        paths = [f"-I{self.root}/lib", f"-I{self.origin}/lib", f"-I{self.origin}/tests"]
        call(COMPILER, *flags, *paths, "-MMD", "-c", here / source, "-o", target)

    def common(self, kind):
        header = self.once(
            f"common{kind}.hpp",
            lambda to: to.write_text("".join(f"#include <{name}>\n" for name in COMMON)),
        )
        flags = ["-std=c++20", *FLAGS[kind], "-x", "c++-header", header, "-o"]
        return self.once(f"common{kind}.pch", lambda to: call(COMPILER, *flags, to))

    def needs(self, source, kind):
        """The files, named from the root, that an object was compiled from."""
        rule = self.object(source, kind).with_suffix(".d").read_text()
        return {word.removeprefix(f"{self.root}/") for word in rule.split()}
