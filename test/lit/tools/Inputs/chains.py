"""Compiles functions with chains of 40 values, each of which uses the one before
twice. A walk over operands that visits them once for each use would take 2^40
steps; each function gets a generous minute. Usage: chains.py KERN FOLDER.
"""

import pathlib
import subprocess
import sys

LINKS = {
    "scaled": "a{} = a{} + a{} * 3",
    "doubled": "a{} = a{} + a{}",
    "less": "a{} = a{} * 2 - a{} + 1",
    "smaller": "a{} = min(a{} * 2, a{} + 1)",
    "halved": "a{} = (a{} + a{}) // 2",
    "split": "a{} = a{} % 8 + a{} // 8",
    "chosen": "a{} = where(a{} > 3, a{}, 1)",
}
HEADER = "gufunc f(v: f64[n]) -> (y: f64[n]):\n"
# Where the chain stands, what it begins with, and what follows it.
PLACES = {
    "index": ("    for i in prange(n):\n", "i",
              "        y[i] = v[{} % n]\n"),
    "size": ("    if n > 0:\n", "n",
             "        y[:] = v + {}\n    else:\n        y[:] = v\n"),
    "range": ("    s = 0.0\n    if n > 0:\n", "n",
              "        for i in range(min({}, n)):\n            s += v[i]\n"
              "    y[:] = s\n"),
    "slice": ("    y[:] = 0\n    if n > 0:\n", "n",
              "        k = {} % n\n        y[:k] = v[:k]\n"),
    "sum": ("    for i in prange(n):\n", "i",
            "        y[i] = sum(v[({} + j) % n] for j in range(n))\n"),
    "order": ("    y[:] = 0\n    for i in range(n):\n", "i",
              "        y[i] = y[max(i - 1, 0)] + v[{} % n]\n"),
    "condition": ("    y[:] = 0\n    for i in prange(n):\n", "i",
                  "        if {} % 2 == 0:\n            y[i] = v[i]\n"),
}
LENGTH, SECONDS = 40, 60


def function(link, place):
    begin, first, end = place
    chain = [f"a0 = {first}"] + [
        link.format(k, k - 1, k - 1) for k in range(1, LENGTH + 1)]
    return HEADER + begin + "".join(
        f"        {line}\n" for line in chain) + end.format(f"a{LENGTH}")


def main():
    kern, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(exist_ok=True)
    count = 0
    for place, text in PLACES.items():
        for link, line in LINKS.items():
            path = folder / f"{place}_{link}.kern"
            path.write_text(function(line, text))
            for arguments in (["run", path, "f", "[1.0, 2.0, 3.0]"],
                              ["compile", path, "--emit", "ptx", "-o", "-"]):
                try:
                    result = subprocess.run([kern, *arguments],
                                            capture_output=True, text=True,
                                            timeout=SECONDS)
                except subprocess.TimeoutExpired:
                    print(f"{path.stem}: {arguments[0]} takes too long")
                    continue
                if result.returncode:
                    print(f"{path.stem}: {result.stderr}")
                else:
                    count += 1
    print(f"{count} of {2 * len(PLACES) * len(LINKS)} compiled")


main()
