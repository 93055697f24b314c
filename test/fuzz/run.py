#!/usr/bin/env python3
"""Runs the libFuzzer programs, starting from the corpus kept in
test/fuzz/corpus.tar.xz and the Kern of the repository: .kern files, snippets of
documents, and texts in the tests. Files that are too long are taken in pieces.

usage: run.py --build build/fuzz [--seconds N] [--jobs N] [--keep]
              [Parser] [Formatter] [Specializer] [Compiler]

Build them with `cmake --preset fuzz && cmake --build --preset fuzz`. Inputs that
crash, leak, or take longer than a second per KiB are left in the build's folder
`fuzz`, with the corpus that grows from run to run. Exit status 1 if there is one.
Each part ends with the processor time that it took.

--keep rewrites test/fuzz/corpus.tar.xz: it keeps a few small inputs out of all
there are, those that reach code of some part which no other input reaches.
With --seconds 0 the programs do not run before.
"""

import argparse
import ast
import hashlib
import pathlib
import re
import resource
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ["Parser", "Formatter", "Specializer", "Compiler"]
KEPT = ROOT / "test" / "fuzz" / "corpus.tar.xz"
LONGEST = 4096  # bytes of an input


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def pieces(text):
    """A text in pieces of whole items, none longer than an input."""
    items = re.split(r"(?m)^(?=[^\s#])", text)
    piece = ""
    for item in items:
        if piece and len((piece + item).encode()) > LONGEST:
            yield piece
            piece = ""
        piece += item
    yield piece


def texts_of(path):
    """The Kern in a file of the repository."""
    text = path.read_text()
    if path.suffix == ".kern":
        return [text]
    if path.suffix == ".md":
        return re.findall(r"(?ms)^```kern.*?\n(.*?)^```", text)
    return [node.value for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            and re.search(r"(?m)^(g?ufunc|def|const) ", node.value)]


def collect(corpus):
    """Puts the repository's programs and the kept corpus into a folder."""
    corpus.mkdir(parents=True, exist_ok=True)
    for top, suffix in [("examples", "kern"), ("stdlib", "kern"),
                        ("test", "kern"), ("docs", "md"), ("test", "py")]:
        for path in sorted((ROOT / top).rglob(f"*.{suffix}")):
            for text in texts_of(path):
                for piece in pieces(text):
                    data = piece.encode()
                    if data.strip() and len(data) <= LONGEST:
                        name = hashlib.sha1(data).hexdigest()[:16]
                        (corpus / name).write_bytes(data)
    with tarfile.open(KEPT) as archive:
        # Python 3.11.2, which Debian 12 has, knows no filters.
        known = hasattr(tarfile, "data_filter")
        archive.extractall(corpus, **({"filter": "data"} if known else {}))


def fuzz(program, corpus, seconds, jobs):
    """Whether the part ran without a finding. Findings are beside its corpus."""
    before = processor_seconds()
    done = subprocess.run(
        [
            program,
            corpus.resolve(),
            f"-artifact_prefix={corpus.parent.resolve()}/",
            f"-dict={ROOT / 'test' / 'fuzz' / 'kern.dict'}",
            f"-max_total_time={seconds}",
            f"-max_len={LONGEST}",
            f"-fork={jobs}",
            "-timeout=300",  # of the clock; the programs have a stricter limit
            "-rss_limit_mb=4096",
        ]
    )
    spent = processor_seconds() - before
    print(f"{program.name}: {spent:.0f} s of processor time", flush=True)
    return done.returncode == 0


def keep(build, parts):
    """Rewrites the kept corpus. Each part adds the inputs that earlier parts lack."""
    with tempfile.TemporaryDirectory() as kept:
        for part in parts:
            subprocess.run(
                [
                    build.resolve() / "bin" / f"kern_{part}_fuzzer",
                    "-set_cover_merge=1",
                    f"-max_len={LONGEST}",
                    kept,
                    (build / "fuzz" / part / "corpus").resolve(),
                ],
                check=True,
            )
        pack(sorted(pathlib.Path(kept).iterdir()))


def anonymous(member):
    """The same inputs give the same archive, whoever packs them and when."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o644
    return member


def pack(inputs):
    with tarfile.open(KEPT, "w:xz", preset=9) as archive:
        for path in inputs:  # named by their SHA-1
            archive.add(path, arcname=path.name[:16], filter=anonymous)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1,
                        help="processes of each part")
    parser.add_argument("--keep", action="store_true",
                        help="rewrite test/fuzz/corpus.tar.xz")
    parser.add_argument("parts", nargs="*", default=PARTS)
    arguments = parser.parse_args()
    parts = arguments.parts or PARTS
    if arguments.keep and set(parts) != set(PARTS):
        parser.error("--keep is for all parts: each needs inputs of its own")
    failed = []
    for part in parts:
        program = arguments.build.resolve() / "bin" / f"kern_{part}_fuzzer"
        corpus = arguments.build / "fuzz" / part / "corpus"
        collect(corpus)
        if arguments.seconds and not fuzz(program, corpus, arguments.seconds,
                                          arguments.jobs):
            failed.append(part)
    if arguments.keep:
        keep(arguments.build, reversed(parts))
    print("failed:", ", ".join(failed) or "nothing")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
