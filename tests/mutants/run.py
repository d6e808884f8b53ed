#!/usr/bin/env python3
"""Deliberately broken copies of lib, each of which a named test must catch.

run.py --root DIR [--only NAME]... [--all-units] | --list | --table

For each patch in this folder: applies it to a copy of lib, compiles the test that it names over the
copy, and wants it to fail by a reported assertion within RUN_SECONDS; where the patch says that the
unit tests are blind to it, they must pass. Each test used must pass over the unchanged lib.

Ends with `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import build
import mutant as mutants

RUN_SECONDS, UNCHANGED_SECONDS = 10, 60
MUTANTS_MIN, BLIND_MIN = 30, 20
HERE = pathlib.Path(__file__).resolve().parent
UNITS = {
    "lib/ratchet/core/": ("unit/mutate_unit.cpp", "patterns/wallet_unit.cpp"),
    "lib/ratchet/patterns/": ("patterns/ceiling_unit.cpp", "patterns/wallet_unit.cpp"),
    "lib/ratchet/": ("unit/store_unit.cpp", "unit/handle_unit.cpp"),
}
ALL_UNITS = [
    *(f"unit/{name}_unit.cpp" for name in "store key limit each mutate view handle edge".split()),
    *(f"patterns/{name}_unit.cpp" for name in ("ceiling", "wallet")),
]
REPORTED = re.compile(r"^\[  FAILED  \] |^WARNING: ThreadSanitizer: ", re.M)
RAN = re.compile(r"^\[  PASSED  \] ([1-9]\d*) test", re.M)


def units_of(mutant, all_units):
    if not mutant.passes_unit:
        return []
    if all_units:
        return ALL_UNITS
    nearest = {next(at for at in UNITS if path.startswith(at)) for path in mutant.touched}
    return sorted({unit for at in nearest for unit in UNITS[at]})


def run(program, case, seconds):
    """(`passed`, `failed` or what else happened; seconds; what it printed)."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            [program, f"--gtest_filter={case}", "--gtest_fail_fast"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return f"still running after {seconds} s", seconds, ""
    if done.returncode == 0:
        how = "passed" if RAN.search(done.stdout) else "no such case"
    else:
        how = "failed" if REPORTED.search(done.stdout) else f"exit {done.returncode}, no report"
    return how, time.monotonic() - began, done.stdout


def judge(mutant, base, all_units):
    """(fault or None, seconds of the check)."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        broken = build.Builder(copy, pathlib.Path(folder) / "out", base, mutant.touched)
        if refused := mutants.apply(mutant, copy):
            return f"does not apply:\n{refused}", 0
        try:
            how, seconds, said = run(
                broken.program(mutant.check.source), mutant.check.case, RUN_SECONDS
            )
            if how != "failed":
                return f"SURVIVED: {how}\n{said[-2000:]}", seconds
            for unit in units_of(mutant, all_units):
                how, _, said = run(broken.program(unit), "*", UNCHANGED_SECONDS)
                if how != "passed":
                    return f"{unit} is not blind to it: {how}\n{said[-2000:]}", seconds
        except build.BuildError as error:
            return f"does not compile:\n{error}", 0
    return None, seconds


def judge_unchanged(check, base):
    how, seconds, said = run(base.program(check.source), check.case, UNCHANGED_SECONDS)
    return None if how == "passed" else f"{how}\n{said[-2000:]}", seconds


def table(chosen, seconds):
    rows = [
        f"| `{one.name}` | {one.what} | `{one.check}` | {'blind' if one.passes_unit else 'see it'} "
        f"| {seconds[one.name]:.1f} |"
        for one in chosen
    ]
    head = ["| mutant | what is broken | check | unit tests | seconds |", "|---|---|---|---|---|"]
    return "\n".join(head + rows)


def wrong_in_list(all_of_them, root):
    """Faults of the list as a whole."""
    faults = []
    blind = sum(one.passes_unit for one in all_of_them)
    if len(all_of_them) < MUTANTS_MIN or blind < BLIND_MIN:
        faults.append(
            f"{len(all_of_them)} mutants, {blind} that the unit tests are blind to; "
            f"at least {MUTANTS_MIN} and {BLIND_MIN}"
        )
    page = (root / "docs/testing.md").read_text()
    named = set(re.findall(r"^\| `(\w+)` \| .* \| `(\S+)` \|", page, re.M))
    said = {(one.name, str(one.check)) for one in all_of_them}
    return faults + [
        f"docs/testing.md and tests/mutants differ: {name}, {check}" for name, check in named ^ said
    ]


def run_all(arguments, all_of_them, chosen):
    failed, checked, seconds = [], 0, {}

    def note(kind, name, fault, took):
        nonlocal checked
        checked += 1
        print(f"{'FAULT' if fault else kind:10} {name}, {took:.1f} s", flush=True)
        if fault:
            failed.append(name)
            print("".join(f"    {line}\n" for line in fault.splitlines()), flush=True)

    root = arguments.root.resolve()
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        base = build.Builder(root, pathlib.Path(folder) / "out")
        checks = {one.check for one in chosen}
        units = {unit for one in chosen for unit in units_of(one, arguments.all_units)}
        checks |= {mutants.Check(unit, "*") for unit in units}
        parts = {
            (source, build.kind_of(check.source))
            for check in checks
            for source in base.sources(check.source)
        }
        list(pool.map(lambda part: base.object(*part), sorted(parts)))
        tried = {
            pool.submit(judge_unchanged, check, base): ("unchanged", check) for check in checks
        }
        tried |= {
            pool.submit(judge, one, base, arguments.all_units): ("caught", one) for one in chosen
        }
        for done in concurrent.futures.as_completed(tried):
            kind, one = tried[done]
            fault, took = done.result()
            name = one if kind == "unchanged" else f"{one.name}: {one.check}"
            note(kind, str(name), fault, took)
            if kind == "caught":
                seconds[one.name] = took
    if not arguments.only:
        note("complete", "the list and its table", "\n".join(wrong_in_list(all_of_them, root)), 0)
    if arguments.table:
        print(table(chosen, seconds))
    print(f"{checked - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent.parent)
    parser.add_argument("--only", action="append", default=[], help="these mutants alone")
    parser.add_argument("--all-units", action="store_true", help="not the nearest unit tests alone")
    parser.add_argument("--list", action="store_true", help="names and what each breaks")
    parser.add_argument("--table", action="store_true", help="the table of docs/testing.md")
    arguments = parser.parse_args()
    all_of_them = mutants.read_all(HERE)
    if unknown := set(arguments.only) - {one.name for one in all_of_them}:
        parser.error(f"unknown {', '.join(sorted(unknown))}; --list names them")
    chosen = [one for one in all_of_them if not arguments.only or one.name in arguments.only]
    if arguments.list:
        print("\n".join(f"{one.name}: {one.what}" for one in chosen))
        return 0
    return run_all(arguments, all_of_them, chosen)


sys.exit(main())
