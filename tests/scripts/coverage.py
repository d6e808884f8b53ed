#!/usr/bin/env python3
"""Lines and branches of lib/ratchet that the tests of some builds ran, all builds taken together.

Branches are those of conditions: the way out of a call by an exception is none, nor is the way on
after it. gcov puts the branches of all instances of a template one after the other; they are laid
over each other again, by the greatest common divisor of the counts that a line was seen with.
Prints a line for each file, and what was not run into --report.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import sys


class Source:
    def __init__(self):
        self.lines = collections.Counter()  # line: times run
        self.instances = collections.defaultdict(list)  # line: lists of times taken

    def add(self, other):
        self.lines.update(other.lines)
        for number, lists in other.instances.items():
            self.instances[number] += lists

    @property
    def branches(self):  # (line, which): times taken
        folded = collections.Counter()
        for number, lists in self.instances.items():
            period = math.gcd(*map(len, lists))
            for counts in lists:
                for i, count in enumerate(counts):
                    folded[number, i % period] += count
        return folded


def conditions(branches):
    """Without the pairs that a call makes: on, or out by an exception."""
    kept = []
    for branch in branches:
        if not branch["throw"]:
            kept.append(branch["count"])
        elif kept:
            kept.pop()
    return kept if len(kept) > 1 else []


def note(source, line):
    number = line["line_number"]
    source.lines[number] += line["count"]
    counts = conditions(line["branches"])
    if counts:
        source.instances[number].append(counts)


def read_one(job):
    data, under = job
    out = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", str(data)],
                         cwd=data.parent, check=True, capture_output=True, text=True).stdout
    found = {}
    for document in filter(None, out.splitlines()):
        for file in json.loads(document)["files"]:
            name = os.path.normpath(os.path.join(data.parent, file["file"]))
            if not name.startswith(under):
                continue
            source = found.setdefault(name[len(under):], Source())
            for line in file["lines"]:
                note(source, line)
    return found


def read_all(builds, under, jobs):
    data = [(one.resolve(), under) for build in builds for one in build.rglob("*.gcda")]
    all_files = {}
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(read_one, data):
            for name, source in found.items():
                all_files.setdefault(name, Source()).add(source)
    return all_files


def share(counts):
    return sum(1 for count in counts.values() if count > 0), len(counts)


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def missing(name, source, text):
    branches = source.branches
    for number in sorted(source.lines):
        if source.lines[number] == 0:
            yield f"{name}:{number}: not run: {text[number - 1].strip()}"
            continue
        counts = {which: c for (line, which), c in branches.items() if line == number}
        never = sorted(which for which, count in counts.items() if count == 0)
        if never:
            yield (f"{name}:{number}: branch {', '.join(map(str, never))} of {len(counts)} not "
                   f"taken: {text[number - 1].strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--lines", type=float, required=True, help="least percentage")
    parser.add_argument("--branches", type=float, required=True, help="least percentage")
    parser.add_argument("--report", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("builds", type=pathlib.Path, nargs="+")
    wanted = parser.parse_args()
    under = str(wanted.root.resolve()) + "/lib/ratchet/"
    files = read_all(wanted.builds, under, wanted.jobs)
    if not files:
        sys.exit("coverage: no data: build with --coverage and run the tests first")
    all_lines, all_branches = collections.Counter(), collections.Counter()
    with wanted.report.open("w") as report:
        for name, source in sorted(files.items()):
            branches = source.branches
            (lines, of_lines), (taken, of) = share(source.lines), share(branches)
            print(f"{percent(lines, of_lines):6.1f} % of {of_lines:4} lines "
                  f"{percent(taken, of):6.1f} % of {of:4} branches  {name}")
            all_lines.update({(name, n): c for n, c in source.lines.items()})
            all_branches.update({(name, n): c for n, c in branches.items()})
            text = pathlib.Path(under + name).read_text().splitlines()
            report.writelines(line + "\n" for line in missing(name, source, text))
    failed = 0
    for what, counts, least in (("lines", all_lines, wanted.lines),
                                ("branches", all_branches, wanted.branches)):
        part, whole = share(counts)
        enough = percent(part, whole) >= least
        failed += not enough
        print(f"coverage: {part} of {whole} {what}, {percent(part, whole):.1f} %, wanted "
              f"{least} %{'' if enough else ': TOO FEW'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
