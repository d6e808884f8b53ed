"""Sizes, and the one loop around a conditional put."""
import re

from tree import SCRIPTS, Rule, closing, code_of, line_at, under

FILE_LINES, FUNCTION_LINES, COLUMNS = 500, 70, 100
ALL = ("lib", "stress", "bench", "tests", "examples", "plots")
SOURCES = (".hpp", ".cpp", ".py", ".sh", ".cmake", "CMakeLists.txt")
NO_FUNCTION = re.compile(
    r"^\s*(?:\[\[.*?\]\]\s*)?"
    r"(?:if|for|while|switch|catch|do|else|try|namespace|class|struct|union|enum)\b"
)
FUNCTION_HEAD = re.compile(
    r"\)\s*(?:const|noexcept(?:\s*\(.*\))?|override|final|mutable|&&?"
    r"|requires\b.*|->.*|:[^:].*)?\s*$",
    re.S,
)


def sources(tree):
    found = under(tree, *ALL, suffixes=SOURCES)
    found.update(
        {path: text for path, text in tree.items() if path in SCRIPTS or path == "CMakeLists.txt"}
    )
    return found


def short_files(tree):
    found = sources(tree)
    sizes = {path: text.count("\n") for path, text in found.items()}
    return len(sizes), [
        f"{path}: {lines} lines, at most {FILE_LINES}"
        for path, lines in sizes.items()
        if lines > FILE_LINES
    ]


def short_lines(tree):
    checked, faults = 0, []
    for path, text in sources(tree).items():
        checked += 1
        faults += [
            f"{path}:{line}: {len(one)} columns, at most {COLUMNS}"
            for line, one in enumerate(text.split("\n"), 1)
            if len(one) > COLUMNS
        ]
    return checked, faults


def functions(code):
    """(first line, last line) of each function; what is inside one is not looked into."""
    at = 0
    while (at := code.find("{", at)) >= 0:
        begin = max(code.rfind(mark, 0, at) for mark in ";{}") + 1
        head = re.sub(
            r"^\s*(?:(?:public|private|protected)\s*:|#.*$)", "", code[begin:at], flags=re.M
        )
        if FUNCTION_HEAD.search(head) and not NO_FUNCTION.search(head):
            end = closing(code, at)
            yield line_at(code, at), line_at(code, end)
            at = end
        at += 1


def short_functions(tree):
    checked, faults = 0, []
    for path, text in under(tree, *ALL).items():
        for first, last in functions(code_of(text)):
            checked += 1
            if last - first + 1 > FUNCTION_LINES:
                faults.append(
                    f"{path}:{first}: a function of {last - first + 1} lines, "
                    f"at most {FUNCTION_LINES}"
                )
    return checked, faults


def loops(code):
    """(line, body) of each loop."""
    for found in re.finditer(r"\b(for|while)\s*(\()|\bdo\s*(\{)", code):
        at = found.start(3)
        if found.group(1):
            at = closing(code, found.start(2)) + 1
            at += len(code[at:]) - len(code[at:].lstrip())
        end = closing(code, at) if at < len(code) and code[at] == "{" else code.find(";", at)
        yield line_at(code, found.start()), code[found.start() : end]


CONDITIONAL = re.compile(r"\bif_match\b|\bif_absent\b|\bif_present\b|\bwrite_if_unmoved\b")


def one_loop(tree):
    checked, faults, home = 0, [], 0
    for path, text in under(tree, "lib/ratchet/core", "lib/ratchet/patterns").items():
        code = code_of(text)
        for line, body in loops(code):
            checked += 1
            if not CONDITIONAL.search(body):
                continue
            if path == "lib/ratchet/core/mutate.hpp":
                home += 1
            else:
                faults.append(
                    f"{path}:{line}: a loop around a conditional write; `mutate` is the one"
                )
    if home > 1:
        faults.append(
            f"lib/ratchet/core/mutate.hpp: {home} loops around a conditional write, not one"
        )
    return checked, faults


def line_of(columns):
    return "// " + "x" * (columns - 3) + "\n"


LONG = "void f() {\n" + "  g();\n" * 70 + "}\n"
RULES = [
    Rule(
        "files are short",
        short_files,
        bites=[{"lib/a.hpp": "\n" * 501}],
        fine=[{"lib/a.hpp": "\n" * 500}],
    ),
    Rule(
        "lines are short",
        short_lines,
        bites=[{"lib/a.hpp": line_of(101)}, {"test.sh": "#" * 101}],
        fine=[{"lib/a.hpp": line_of(100)}],
    ),
    Rule(
        "functions are short",
        short_functions,
        bites=[
            {"lib/a.hpp": LONG},
            {"lib/a.hpp": "class a {\n public:\n  a() : b_(1) {\n" + "  g();\n" * 70 + "}\n};\n"},
            {"tests/a.cpp": "TEST(a, b) {\n" + "  if (c) {\n    d();\n  }\n" * 24 + "}\n"},
        ],
        fine=[
            {"lib/a.hpp": "namespace a {\nclass b {\n" + "  void f() {}\n" * 80 + "};\n}\n"},
            {"lib/a.hpp": "void f() {\n" + "  g();\n" * 68 + "}\n"},
        ],
    ),
    Rule(
        "mutate is the only loop around a conditional put",
        one_loop,
        bites=[
            {
                "lib/ratchet/patterns/a.hpp": "void f() {\n"
                "for (;;) { if (s.put(k, v, if_match(x))) return; } }\n"
            },
            {"lib/ratchet/patterns/a.hpp": "void f() { while (!s.put(k, v, if_absent)) g(); }\n"},
            {
                "lib/ratchet/patterns/a.hpp": "void f() { do { g(); } while (h());\n"
                "for (;;) s.erase(k, if_match(x)); }\n"
            },
        ],
        fine=[
            {
                "lib/ratchet/patterns/a.hpp": "void f() { for (;;) { g(); }\n"
                "s.put(k, v, if_absent); }\n"
            },
            {"lib/ratchet/core/mutate.hpp": "void f() { for (;;) { write_if_unmoved(); } }\n"},
        ],
    ),
]
