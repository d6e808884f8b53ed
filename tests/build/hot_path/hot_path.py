#!/usr/bin/env python3
"""What the compilers make of the hot path.

hot_path.py --compiler CXX --include DIR [--flag FLAG]... [--broken]

On an inlined value, get calls nothing that allocates, locks, sets up thread-local storage or
asks libatomic. A conditional put holds `lock cmpxchg16b`; it reaches creation and growth, which
allocate, but no libatomic, no lock and no guard. Functions of the library that are called out of
line are looked into, since compilers draw the line of inlining where they like; what the compiled
part does once a thread (attach_thread) is outside. --broken: looks at broken.cpp, and each function
must fail.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

# A call of one of these is a fault, from whatever depth.
BANNED = re.compile(
    r"__atomic_|__sync_|\bmalloc\b|\bcalloc\b|\bfree\b|operator new|operator delete|_Zn[wa]|_Zd[la]"
    r"|pthread_|__tls_init|__tls_get_addr|_ZTW|_ZTH|TLS (wrapper|init)|__cxa_guard|membarrier"
    r"|syscall"
)
# A conditional put reaches creation and growth too, which allocate: these stay a fault there.
BANNED_FOR_PUT = re.compile(
    r"__atomic_|__sync_|pthread_|__tls_init|__tls_get_addr|_ZTW|_ZTH|__cxa_guard"
)
GETS = ("get_by_handle", "get_by_key")
PUTS = ("put_by_handle", "put_by_key")
CMPXCHG16B = re.compile(r"lock\s+cmpxchg16b")


def disassemble(arguments, source, folder):
    binary = pathlib.Path(folder) / "functions.o"
    flags = ["-std=c++20", "-O2", "-DNDEBUG", "-I" + arguments.include, *arguments.flag]
    subprocess.run([arguments.compiler, *flags, "-c", source, "-o", binary], check=True)
    return subprocess.run(
        ["objdump", "--disassemble", "--reloc", "--no-show-raw-insn", binary],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def functions_of(listing):
    """Name (mangled) -> lines."""
    found, name = {}, None
    for line in listing.splitlines():
        head = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if head:
            name = head.group(1)
            found[name] = []
        elif name is not None and line.strip():
            found[name].append(line)
    return found


def calls_of(lines):
    """Names that a function calls or jumps to: by relocation, or by objdump's own label."""
    names = set()
    for at, line in enumerate(lines):
        if not re.search(r"\b(call|jmp|j[a-z]+)\b", line):
            continue
        relocated = at + 1 < len(lines) and re.search(
            r"R_X86_64_\w+\s+(\S+?)(?:[-+]0x[0-9a-f]+)?$", lines[at + 1]
        )
        labelled = re.search(r"<([^>+]+)(?:\+0x[0-9a-f]+)?>", line)
        if relocated:
            names.add(relocated.group(1))
        elif labelled:
            names.add(labelled.group(1))
    return names


def reached_from(name, functions):
    """The function and all that it reaches in this object file, but for parts marked cold."""
    seen, outside, ahead = set(), set(), [name]
    while ahead:
        one = ahead.pop()
        if one in seen or one.endswith(".cold"):
            continue
        seen.add(one)
        for called in calls_of(functions[one]):
            if called.endswith(".cold") or called.startswith(".text.unlikely"):
                continue
            if called in functions:
                ahead.append(called)
            else:
                outside.add(called)
    return seen, outside


def faults_of(functions):
    faults = []
    for name in GETS + PUTS:
        if name not in functions:
            faults.append(f"{name}: not in the object file")
            continue
        inside, outside = reached_from(name, functions)
        text = "\n".join(line for one in inside for line in functions[one])
        for called in sorted(outside):
            if (BANNED_FOR_PUT if name in PUTS else BANNED).search(called):
                faults.append(f"{name}: calls {called}")
        if name in GETS and re.search(r"\bsyscall\b", text):
            faults.append(f"{name}: holds a system call")
        swaps = len(CMPXCHG16B.findall(text))
        if name in PUTS and swaps == 0:
            faults.append(f"{name}: holds no lock cmpxchg16b")
        print(
            f"{name}: {sum(len(functions[one]) for one in inside)} lines in {len(inside)} "
            "functions, "
            f"{swaps} lock cmpxchg16b, calls outside: {', '.join(sorted(outside)) or 'none'}"
        )
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--broken", action="store_true")
    arguments = parser.parse_args()
    name = "broken.cpp" if arguments.broken else "functions.cpp"
    source = pathlib.Path(__file__).with_name(name)
    with tempfile.TemporaryDirectory() as folder:
        faults = faults_of(functions_of(disassemble(arguments, source, folder)))
    if arguments.broken:
        missed = [one for one in GETS + PUTS if not any(fault.startswith(one) for fault in faults)]
        sys.exit(f"not found to be broken: {', '.join(missed)}" if missed else 0)
    if faults:
        sys.exit("\n".join(faults))


main()
