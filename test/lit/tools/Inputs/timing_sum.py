"""Whether the last row of a --timing table is the sum of those before it, and
the code generation of a CPU most of it."""

import re
import sys

rows = re.findall(r"^ *([0-9.]+) ms  (.*)$", sys.stdin.read(), re.M)
times = {stage: float(time) for time, stage in rows}
total = times.pop("in all")
assert abs(total - sum(times.values())) < 0.001 * len(times), times
assert times["optimise"] + times["generate code"] > total / 2, times
