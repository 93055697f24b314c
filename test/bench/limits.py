#!/usr/bin/env python3
"""What holds back the kernels of bench.py's rows, as Nsight Compute counts it.

    limits.py --lib libkern.so [--row stencil] [--parts nests,products]
    limits.py --lib libkern.so --parts conversions --row 'all true|runs|random'

Runs each row's call once under `ncu` and prints, for each kernel: its time; the
shares of what the GPU's memory, L2, L1 and shared memory, and instruction issue
can do; the share of resident warps; registers; and why warps waited most.
"""

import argparse
import csv
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MARK = "bench_row_"
WAITS = {
    "barrier": "a barrier", "branch_resolve": "a branch",
    "dispatch_stall": "dispatch", "drain": "stores at the end",
    "imc_miss": "constants", "lg_throttle": "the queue of global accesses",
    "long_scoreboard": "global memory", "math_pipe_throttle": "an arithmetic unit",
    "membar": "a fence", "mio_throttle": "the queue of shared memory",
    "no_instruction": "instructions", "not_selected": "its turn",
    "short_scoreboard": "shared memory", "sleeping": "a pause",
    "tex_throttle": "the queue of textures", "wait": "fixed latencies",
    "gmma": "matrix units",
}
FIGURES = {
    "us": "gpu__time_duration.sum",
    "memory": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "L2": "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "L1": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_elapsed",
    "warps": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "registers": "launch__registers_per_thread",
    "read": "dram__bytes_read.sum", "written": "dram__bytes_write.sum",
}
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def child(options):
    """Runs each row once between marks."""
    sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]
    import cupy
    import kernapi

    import contenders
    import conversions
    import data
    import nests
    import products
    sources = contenders.Sources(kernapi.Library(options.lib))
    arrays = data.Data(1 << options.log2, 1)
    names = []
    for part, works in [("nests", nests.works), ("products", products.works),
                        ("conversions", conversions.works)]:
        if part not in options.parts.split(","):
            continue
        for name, make in works(sources, arrays, ["kern"]):
            if options.row and not re.search(options.row, name):
                continue
            work = make()
            run = work.run["kern"]
            run()
            mark = cupy.RawKernel(
                f'extern "C" __global__ void {MARK}{len(names)}() {{}}',
                f"{MARK}{len(names)}")
            mark.compile()
            cupy.cuda.runtime.deviceSynchronize()
            cupy.cuda.profiler.start()
            mark((1,), (1,), ())
            run()
            cupy.cuda.runtime.deviceSynchronize()
            cupy.cuda.profiler.stop()
            names.append(work.name)
            options.child.write_text(json.dumps(names))
            del work, run
            cupy.get_default_memory_pool().free_all_blocks()


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.0


def kernels(text):
    """(mark or kernel, figures) in the order of launches."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    table = list(csv.DictReader(io.StringIO("\n".join(lines))))
    units = table[0]
    scale = {"nsecond": 1e-3, "ns": 1e-3, "msecond": 1e3, "ms": 1e3,
             "second": 1e6, "s": 1e6, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}
    for row in table[1:]:
        found = {name: number(row.get(metric, "")) * scale.get(
            units.get(metric, ""), 1) for name, metric in FIGURES.items()}
        waits = {word: number(row.get(STALL.format(reason), ""))
                 for reason, word in WAITS.items()}
        total = sum(waits.values()) or 1
        found["waits"] = sorted(
            ((word, value / total) for word, value in waits.items()),
            key=lambda item: -item[1])[:3]
        yield row["Kernel Name"], found


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--lib", required=True, help="libkern.so")
    options.add_argument("--row", help="a regular expression of rows' names")
    options.add_argument("--parts", default="nests,products")
    options.add_argument("--log2", type=int, default=28,
                         help="two to this many elements (28)")
    options.add_argument("--json", type=pathlib.Path)
    options.add_argument("--child", type=pathlib.Path, help=argparse.SUPPRESS)
    options = options.parse_args()
    if options.child:
        child(options)
        return 0
    if not shutil.which("ncu"):
        sys.exit("limits.py: needs ncu (Nsight Compute) on the PATH")
    # Written by the child, one name for each row that it has run.
    names = pathlib.Path(tempfile.mkdtemp()) / "rows.json"
    metrics = [*FIGURES.values(), *(STALL.format(r) for r in WAITS)]
    done = subprocess.run(
        ["ncu", "--csv", "--page", "raw", "--profile-from-start", "off",
         "--metrics", ",".join(metrics), sys.executable, __file__,
         *sys.argv[1:], "--child", str(names)], text=True, capture_output=True)
    if done.returncode == 0 and not names.exists():
        sys.exit(f"limits.py: no row of {options.parts} fits {options.row}")
    if '"Kernel Name"' not in done.stdout:
        sys.exit(f"limits.py: ncu failed:\n{done.stdout[-2000:]}"
                 f"{done.stderr[-2000:]}")
    rows, report = json.loads(names.read_text()), []
    for kernel, found in kernels(done.stdout):
        if mark := re.search(MARK + r"(\d+)", kernel):
            current = rows[int(mark[1])]
            print(current)
            continue
        report.append({"row": current, "kernel": kernel, **found})
        waits = ", ".join(f"{word} {share:.0%}" for word, share in found["waits"])
        print(f"  {kernel[:48]:48} {found['us']:9.1f} us  memory "
              f"{found['memory']:3.0f} %, L2 {found['L2']:3.0f} %, L1 "
              f"{found['L1']:3.0f} %, issue {found['issue']:3.0f} %, warps "
              f"{found['warps']:3.0f} %, {found['registers']:.0f} registers; "
              f"read {found['read'] / 1e6:.0f} MB, wrote "
              f"{found['written'] / 1e6:.0f} MB; waits for {waits}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
