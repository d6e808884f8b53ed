#!/usr/bin/env python3
"""The house rules: check.py --root DIR [--only WORDS]

Each rule is first shown to bite on samples that break it.

Ends with `N passed, N failed`: what was looked at, and the faults.
"""
import argparse
import pathlib
import sys
import tempfile

import alone
import layers
import orders
import shape
import tested
import words
from tree import read_tree

RULES = layers.RULES + orders.RULES + shape.RULES + tested.RULES + words.RULES + alone.RULES


def faults_in_sample(rule, sample):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in sample.items():
            target = pathlib.Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return rule.check(read_tree(folder))[1]


def show_it_bites(rule):
    """How many samples were tried, and which of them the rule judged wrongly."""
    wrong = [
        f"{rule.name}: does not bite on {sample}"
        for sample in rule.bites
        if not faults_in_sample(rule, sample)
    ]
    for sample in rule.fine:
        if found := faults_in_sample(rule, sample):
            wrong.append(f"{rule.name}: bites on {sample}, which is fine: {found}")
    return len(rule.bites) + len(rule.fine), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--only", default="", help="rules whose name holds these words")
    arguments = parser.parse_args()
    tree = read_tree(arguments.root)
    passed = failed = 0
    for rule in (rule for rule in RULES if arguments.only in rule.name):
        tried, wrong = show_it_bites(rule)
        looked_at, faults = rule.check(tree)
        faults = sorted(set(faults))
        print(
            f"{rule.name}: {looked_at} looked at, {len(faults)} faults; "
            f"{tried} samples, {len(wrong)} judged wrongly"
        )
        print("".join(f"  {fault}\n" for fault in wrong + faults), end="")
        failed += len(wrong) + len(faults)
        passed += max(0, tried + looked_at - len(wrong) - len(faults))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
