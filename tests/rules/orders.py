"""Memory orders: each is named, each is argued, each has a partner."""
import re

from tree import Rule, closing, code_of, comment_lines, line_at, under

ORDER = r"(?:relaxed|acquire|release|acq_rel|seq_cst)"
ACCESS = re.compile(r"(?:\.|->)(load|store|exchange|compare_exchange(?:_\w+)?|fetch_\w+)\s*(\()")
# The seam passes on the order that its caller named.
SEAM = (
    "lib/ratchet/base/atomic.hpp",
    "lib/ratchet/base/word128.hpp",
    "lib/ratchet/base/explore.hpp",
)
TAG = re.compile(r"(?:^|\s)\[([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\]")


def accesses(text):
    """(what, first line of its statement, its first line, its last line, orders named), by line."""
    code = code_of(text)
    for found in ACCESS.finditer(code):
        if re.search(r"\bstate$", code[: found.start()]) and found.group(1) == "load":
            continue  # a record's slot: slot::load names its order itself, in slot.hpp
        end = closing(code, found.start(2))
        orders = re.findall(
            rf"\b{ORDER}\b", code[found.start(2) : end].replace("memory_order_", "")
        )
        statement = max(code.rfind(mark, 0, found.start()) for mark in ";{}") + 1
        statement += len(code[statement : found.start()]) - len(
            code[statement : found.start()].lstrip()
        )
        yield found.group(1), line_at(code, statement), line_at(code, found.start()), line_at(
            code, end
        ), orders


def named(tree):
    checked, faults = 0, []
    for path, text in under(tree, "lib/ratchet").items():
        if path in SEAM:
            continue
        for what, _, line, _, orders in accesses(text):
            checked += 1
            if not orders:
                faults.append(f"{path}:{line}: {what} names no memory order")
            elif what.startswith("compare_exchange") and len(orders) < 2:
                faults.append(
                    f"{path}:{line}: {what} names one order; it has two: who wins, who loses"
                )
    return checked, faults


def clause_for(order, comments):
    """Does a comment begin with this order, or a clause of it after a full stop or semicolon?"""
    return any(re.search(rf"(?:^|[.;] +){order}\b", comment) for comment in comments)


def above(bare, comments, line):
    """The comment lines directly above a line."""
    found = []
    while line > 1 and bare[line - 2].startswith("//"):
        line -= 1
        found.append(comments[line - 1])
    return found


def shared(bare, comments, line, order):
    """Clauses that stand for more than one access: one that says `here and below`, up to the end of
    its function, and one on relaxed above a run of lines that no empty line breaks."""
    found, run = [], order == "relaxed"
    while (
        line > 1
        and not bare[line - 2] == "}"
        and not re.match(r"^(?:public|private):$", bare[line - 2])
    ):
        line -= 1
        run = run and bare[line - 1] != ""
        if run or "here and below" in comments[line - 1]:
            found.append(comments[line - 1])
    return found


def argued(tree):
    checked, faults = 0, []
    for path, text in under(tree, "lib/ratchet/native").items():
        comments = comment_lines(text)
        bare = [line.strip() for line in text.split("\n")]
        for what, statement, line, last, orders in accesses(text):
            checked += 1
            if not orders:
                continue
            near = [comments[at - 1] for at in range(min(statement, line), last + 1)]
            near += above(bare, comments, statement) + above(bare, comments, line)
            near += shared(bare, comments, line, orders[0])
            if not clause_for(orders[0], near):
                faults.append(
                    f"{path}:{line}: {what} has no clause: a comment on it or directly above, "
                    f"beginning with `{orders[0]}`"
                )
            elif (
                len(orders) > 1 and orders[1] != orders[0] and not clause_for_loser(orders[1], near)
            ):
                faults.append(
                    f"{path}:{line}: {what} does not say what a loser may read ({orders[1]})"
                )
    return checked, faults


def clause_for_loser(order, comments):
    return any(re.search(rf"\b{order}\b|\bloser\b|\bloses\b", comment) for comment in comments)


def paired(tree):
    places = {}
    for path, text in under(tree, "lib/ratchet/base", "lib/ratchet/native").items():
        for line, comment in enumerate(comment_lines(text), 1):
            for tag in TAG.findall(comment):
                places.setdefault(tag, []).append(f"{path}:{line}")
    faults = [
        f"{where[0]}: [{tag}] stands here alone; the partner must carry it too"
        for tag, where in places.items()
        if len(where) < 2
    ]
    return len(places), faults


NATIVE = "lib/ratchet/native/a.hpp"
RULES = [
    Rule(
        "every access names its order",
        named,
        bites=[
            {NATIVE: "int f() { return a.load(); }\n"},
            {NATIVE: "void f() { a->store(1); }\n"},
            {"lib/ratchet/native/a.cpp": "void f() { a.fetch_add(1); }\n"},
            {NATIVE: "bool f() { return a.compare_exchange(b, c, release); }\n"},
        ],
        fine=[
            {
                NATIVE: "int f() { return a.load(acquire); }\n"
                "void g() { a.store(b.x(1),\n  std::memory_order_release); }\n"
            }
        ],
    ),
    Rule(
        "every order is argued where it stands",
        argued,
        bites=[
            {NATIVE: "int f() { return a.load(acquire); }\n"},
            {NATIVE: "// the acquire here\nint x;\nint f() {\n  return a.load(acquire);\n}\n"},
            {NATIVE: "int f() {\n  // release [x]: wrong word\n  return a.load(acquire);\n}\n"},
            {
                NATIVE: "int f() {\n  // relaxed: counts\n  a.load(relaxed);\n\n"
                "  b.load(relaxed);\n}\n"
            },
            {NATIVE: "int f() {\n  // acquire: it\n  a.load(acquire);\n  b.load(acquire);\n}\n"},
            {
                NATIVE: "int f() {\n  // release [x]: it\n"
                "  return a.compare_exchange(b, c, release, relaxed);\n}\n"
            },
        ],
        fine=[
            {NATIVE: "int f() {\n  // acquire [x]: it\n  return a.load(acquire);\n}\n"},
            {NATIVE: "int f() {\n  return a.load(acquire);  // acquire [x]: it\n}\n"},
            {
                NATIVE: "int f() {\n  // relaxed: counts\n  a.load(relaxed);\n"
                "  b.load(relaxed);\n}\n"
            },
            {
                NATIVE: "int f() {\n  a.load(acquire);  // acquire: it, here and below\n\n"
                "  b.load(acquire);\n}\n"
            },
            {
                NATIVE: "int f() {\n  // release [x]: it; relaxed for a loser\n"
                "  return a.compare_exchange(b,\n"
                "    c, release, relaxed);\n}\n"
            },
        ],
    ),
    Rule(
        "tags pair up",
        paired,
        bites=[{NATIVE: "// release [alone]: it\n"}],
        fine=[
            {
                NATIVE: "// release [both]: it\n",
                "lib/ratchet/native/b.cpp": "// acquire [both]: it\n",
            },
            {NATIVE: "// an index a[i] and [[nodiscard]]\n"},
        ],
    ),
]
