"""Prints a result of bench/reference as tables: tables.py FILE.json

Cells are medians over the rounds; behind them, in brackets, half the range as a share of the
median.
"""
import json
import pathlib
import statistics
import sys

SUBJECTS = ("ratchet", "mutex", "sharded")


def group(samples, part, *names):
    """Cell -> counter -> its values, one a round. A cell is what `names` say of a sample."""
    cells = {}
    for one in samples:
        if one["part"] == part:
            counters = cells.setdefault(tuple(one[name] for name in names), {})
            for name, value in one["counters"].items():
                counters.setdefault(name, []).append(value)
    return cells


def spread(values):
    return (max(values) - min(values)) / 2 / statistics.median(values)


def number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def with_spread(values, scale=1.0):
    middle = number(statistics.median(values) * scale)
    return f"{middle} (±{spread(values):.0%})" if len(values) > 1 else middle


def grid(title, head, rows):
    print(f"\n{title}")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        first = row[0].ljust(widths[0])
        print("  " + "  ".join([first] + [cell.rjust(w) for cell, w in zip(row[1:], widths[1:])]))


def operations(samples):
    cells = group(samples, "operations", "operation", "keys", "threads", "subject")
    rows = []
    for cell in dict.fromkeys(key[:3] for key in cells):
        of = {name: cells[(*cell, name)] for name in SUBJECTS if (*cell, name) in cells}
        row = [cell[0], f"{cell[1]:,}", str(cell[2])]
        row += [with_spread(of[name]["ops_per_s"], 1e-6) if name in of else "-"
                for name in SUBJECTS]
        middle = {name: statistics.median(one["ops_per_s"]) for name, one in of.items()}
        best = max((rate for name, rate in middle.items() if name != "ratchet"), default=None)
        row.append(f"{middle['ratchet'] / best:.2f}" if best and "ratchet" in of else "-")
        ours = of.get("ratchet")
        row.append(number(statistics.median(ours["ns_per_op"])) if ours else "-")
        rows.append(row)
    grid("Mops/s of all threads; ratio: to the better peer; ns: of ratchet, one thread's operation",
         ["operation", "keys", "threads", *SUBJECTS, "ratio", "ns"], rows)


CREATE = ("seconds", "mops", "p50_us", "p99_us", "p99_9_us", "p99_99_us", "longest_us",
          "machine_pause_us", "bytes_per_entry", "peak_bytes_per_entry", "index_bytes_per_entry",
          "record_bytes_per_entry")
CREATE_HEAD = ["s", "Mops/s", "p50", "p99", "p99.9", "p99.99", "longest", "(machine)", "B/entry",
               "peak", "index", "records"]


def quietness(samples):
    """Ratchet never sleeps, so CPU time that its threads did not get went to somebody else."""
    shares = [one["counters"]["cpu_share"] for one in samples
              if one["subject"] == "ratchet" and "cpu_share" in one["counters"]]
    disturbed = sum(share < 0.97 for share in shares)
    print(f"\n  {disturbed} of {len(shares)} windows of ratchet got less than 97 % of their CPUs"
          f"{': THE MACHINE WAS NOT QUIET' if disturbed > len(shares) / 20 else ''}")


def create(samples, part, title):
    rows = []
    cells = group(samples, part, "subject", "operation", "keys", "threads")
    for (subject, operation, keys, threads), counters in cells.items():
        row = [f"{subject} {operation.removeprefix('create_')}", f"{keys:,}", str(threads)]
        row += [number(statistics.median(counters[name])) if name in counters else "-"
                for name in CREATE]
        rows.append(row)
    if rows:
        grid(title, ["subject", "keys", "threads", *CREATE_HEAD], rows)


def flat(samples):
    cells = group(samples, "flat", "operation", "keys")
    sizes = sorted({keys for _, keys in cells})
    rows = []
    for operation in dict.fromkeys(operation for operation, _ in cells):
        rows.append([operation] + [with_spread(cells[(operation, keys)]["ns_per_op"])
                                   for keys in sizes])
    grid("Flatness, ratchet at 1 thread: ns/op by number of keys",
         ["operation", *(f"{keys:,}" for keys in sizes)], rows)


CHURN = ("rss_kb", "record_kb", "records", "index_words", "migrations", "floor", "waiting",
         "waiting_max")


def churn(samples):
    rows = []
    for (subject, threads), counters in group(samples, "churn", "subject", "threads").items():
        for when in ("early", "late"):
            row = [f"{subject}, {threads} threads, {when}"]
            row.append(number(counters["ns_per_op"][0]) if when == "late" else "")
            row += [number(counters[f"{name}_{when}"][0]) if f"{name}_{when}" in counters else "-"
                    for name in CHURN]
            rows.append(row)
    grid("Churn: after a hundredth of the cycles, and after all; ns of one creation and erase",
         ["subject", "ns", *CHURN], rows)


def show(whole):
    machine = whole["machine"]
    print(f"\n{machine['cpu']}, {machine['cpus_allowed']} CPUs, {machine['kernel']}, "
          f"{whole['compiler']}, {whole['flags']}\ncommit {whole['commit']}"
          f"{' (changed)' if whole['changed_since_commit'] else ''}, seed {whole['seed']}, "
          f"load at start {machine['load_at_start'][0]:.1f}, "
          f"huge pages {machine['huge_pages']['enabled']}")
    samples = whole["samples"]
    operations(samples)
    create(samples, "create", "Create once from empty (times in us)")
    create(samples, "entries", "Memory of an entry by number of keys, 2 threads")
    flat(samples)
    churn(samples)
    create(samples, "night", "Create once, night size")
    quietness(samples)


if __name__ == "__main__":
    show(json.loads(pathlib.Path(sys.argv[1]).read_text()))
