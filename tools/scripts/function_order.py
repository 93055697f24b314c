#!/usr/bin/env python3
"""Records which functions of libkern.so a command calls, in order.

usage: function_order.py LIBRARY FILE COMMAND [ARGUMENT]...

LIBRARY is the libkern.so that COMMAND loads, linked with its symbols
(KERN_KEEP_SYMBOLS). A breakpoint in each function catches its first call, and
the function's name is added to FILE, one a line, unless it is there already.
The linker then places these functions next to each other. Linux on x86-64 only.
"""

import ctypes
import os
import pathlib
import signal
import subprocess
import sys

TRACEME, CONTINUE, GET_REGISTERS, SET_REGISTERS, SYSTEM_CALL = 0, 7, 12, 13, 24
SET_OPTIONS, TRACE_CLONE, WALL = 0x4200, 8, 0x40000000
RIP = 16  # among the 27 words of user_regs_struct
BREAKPOINT = 0xCC

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long] * 2 + [ctypes.c_void_p] * 2
libc.ptrace.restype = ctypes.c_long


def ptrace(request, process=0, data=None):
    if libc.ptrace(request, process, None, data) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def functions(library):
    """The names of the functions at each address of the library."""
    listed = subprocess.run(
        ["nm", library], capture_output=True, text=True, check=True)
    names = {}
    for line in listed.stdout.splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[1] in "tTwW":
            names.setdefault(int(parts[0], 16), []).append(parts[2])
    return names


def mappings(process, library):
    """(begin, end, permissions) of each mapping of the library."""
    found = []
    for line in pathlib.Path(f"/proc/{process}/maps").read_text().splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and os.path.realpath(fields[5]) == library:
            begin, end = (int(part, 16) for part in fields[0].split("-"))
            found.append((begin, end, fields[1]))
    return found


def trace(library, command):
    """The names of the called functions, in order of their first calls."""
    names = functions(library)
    process = os.fork()
    if process == 0:
        ptrace(TRACEME)
        os.execvp(command[0], command)
    os.waitpid(process, 0)
    ptrace(SET_OPTIONS, process, TRACE_CLONE)
    # Until the loader has mapped all four segments of the library.
    while len(maps := mappings(process, library)) < 4:
        ptrace(SYSTEM_CALL, process)
        if os.WIFEXITED(os.waitpid(process, 0)[1]):
            sys.exit(f"the command does not load {library}")
    base = min(begin for begin, _, _ in maps)
    begin, end = next(m[:2] for m in maps if "x" in m[2])

    memory = os.open(f"/proc/{process}/mem", os.O_RDWR)
    code = os.pread(memory, end - begin, begin)
    armed = bytearray(code)
    for address in names:
        if begin <= base + address < end:
            armed[base + address - begin] = BREAKPOINT
    written = 0
    while written < len(armed):
        written += os.pwrite(
            memory, armed[written : written + (1 << 20)], begin + written)

    registers = (ctypes.c_ulonglong * 27)()
    called = []
    ptrace(CONTINUE, process)
    while True:
        thread, status = os.waitpid(-1, WALL)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            if thread != process:
                continue
            if status:
                sys.exit(f"the command failed: {status}")
            return [name for at in called for name in names[at]]
        stopped_by = os.WSTOPSIG(status)
        if stopped_by == signal.SIGTRAP and status >> 16 == 0:
            ptrace(GET_REGISTERS, thread, ctypes.addressof(registers))
            address = registers[RIP] - 1
            if address - base in names:
                os.pwrite(memory, code[address - begin : address - begin + 1],
                          address)
                registers[RIP] = address
                ptrace(SET_REGISTERS, thread, ctypes.addressof(registers))
                called.append(address - base)
        # Neither a breakpoint nor the stop of a new thread is passed on.
        own = stopped_by in (signal.SIGTRAP, signal.SIGSTOP)
        ptrace(CONTINUE, thread, None if own else stopped_by)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    library, path = os.path.realpath(sys.argv[1]), pathlib.Path(sys.argv[2])
    known = path.read_text().splitlines() if path.exists() else []
    order = dict.fromkeys(known + trace(library, sys.argv[3:]))
    path.write_text("".join(f"{name}\n" for name in order))
    print(f"{path}: {len(order)} functions, {len(order) - len(known)} new")


if __name__ == "__main__":
    main()
