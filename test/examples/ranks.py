"""Programs of several processes, where MPI is installed."""

import os
import pathlib
import shutil

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
# Open MPI refuses these unless it is told.
ALLOWED = {
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


def run(tests, name):
    """Runs a program with one, two and three ranks; it compares what they have
    computed with what it computes alone."""
    program = tests.build / "bin" / f"kern_example_{name}"
    start = shutil.which("mpirun")
    if not program.exists() or not start:
        tests.skip(f"{name}.cpp", "MPI is not installed")
        return
    for count in (1, 2, 3):
        done = tests.run(start, "-n", count, program, EXAMPLES, 101, 77,
                         env=os.environ | ALLOWED)
        tests.check(
            f"{name}.cpp with {count} ranks",
            done.returncode == 0 and f"101 rows by {count} ranks" in done.stdout,
            done.stdout + done.stderr)
