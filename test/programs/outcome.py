"""What run.py and gufuncs.py have in common: options, and how a run ends."""

import argparse
import json
import os
import pathlib


def options_of(doc):
    """A parser with the options of both."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--lib", required=True)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    parser.add_argument("--show", action="store_true",
                        help="print the function of --seed and stop")
    parser.add_argument("--planted", type=int, default=0, metavar="N",
                        help="also give the compiler N functions that differ "
                             "from their trees")
    parser.add_argument("--json", help="where a summary goes")
    return parser


def missed(showing, caught):
    """Says how many planted miscompilations that change a result were caught;
    the number of failures that this makes."""
    print(f"{showing} planted miscompilations change a result: {caught} caught")
    return showing - caught + (not caught)


def end(options, passed, failed):
    """Writes the summary; the exit status."""
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({
            "passed": passed, "failed": failed, "skipped": 0}))
    return 1 if failed else 0
