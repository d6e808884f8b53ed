"""The files that the rules look at, and code apart from comments."""
import pathlib
import re

SUFFIXES = (".hpp", ".cpp", ".py", ".sh", ".cmake", ".md", ".txt", ".json", ".pml", ".patch")
SKIPPED = {"build", ".git", "results"}  # at the top
SCRIPTS = {"run.sh", "test.sh", ".ci/run"}


class Rule:
    """check(tree) answers (how many things were looked at, faults). Each sample of `bites` is a
    tree that must give a fault, each of `fine` one that must give none: {path: text}."""

    def __init__(self, name, check, bites, fine=()):
        self.name, self.check, self.bites, self.fine = name, check, bites, fine


def read_tree(root):
    """Path from the root -> text."""
    root = pathlib.Path(root)
    found = {}
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if inside.parts[0] in SKIPPED or not path.is_file():
            continue
        if path.suffix in SUFFIXES or str(inside) in SCRIPTS:
            found[str(inside)] = path.read_text(errors="replace")
    return found


def under(tree, *folders, suffixes=(".hpp", ".cpp")):
    return {
        path: text
        for path, text in tree.items()
        if path.startswith(tuple(folder + "/" for folder in folders)) and path.endswith(suffixes)
    }


PIECE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)\""""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""",
    re.S,
)


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def code_of(text):
    """The text with comments and what stands in quotes blanked: lines and columns stay.
    #include lines stay whole."""

    def cut(match):
        piece = match.group(0)
        if piece.startswith(("//", "/*")):
            return blank(piece)
        start = text.rfind("\n", 0, match.start()) + 1
        if text[start : match.start()].lstrip().startswith("#"):
            return piece
        return piece[0] + blank(piece[1:-1]) + piece[-1]

    return PIECE.sub(cut, text)


def comment_lines(text):
    """What stands in comments, line by line; empty where a line has none."""
    kept = [" "] * len(text)
    for match in PIECE.finditer(text):
        if match.group(0).startswith(("//", "/*")):
            kept[match.start() : match.end()] = match.group(0)
    for at, letter in enumerate(text):
        if letter == "\n":
            kept[at] = "\n"
    return [line.strip().removeprefix("//").strip() for line in "".join(kept).split("\n")]


def line_at(text, position):
    return text.count("\n", 0, position) + 1


def closing(code, opened):
    """Where the bracket that opens at `opened` is closed."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    open_one, close_one, depth = code[opened], pairs[code[opened]], 0
    for at in range(opened, len(code)):
        if code[at] == open_one:
            depth += 1
        elif code[at] == close_one:
            depth -= 1
            if depth == 0:
                return at
    return len(code) - 1
