"""Whether a measurement reaches its goal. Pure: no GPU needed."""

# add f32 up to 2^SMALL elements: at most this much slower than the better of
# torch and CuPy.
SMALL, SLOWER = 20, 1.03


def value(row, goal):
    """What a row reached of a goal, or None where it cannot be said:
    `ratios` has how many times faster Kern is than each contender."""
    ratios = row.get("ratios", {})
    kind = goal[0]
    if kind == "hand":
        return ratios.get("CUDA C")
    if kind == "copy":
        gbs = row.get("gbs", {}).get("kern")
        return gbs and gbs / row["copy_gbs"]
    peers = [r for p, r in ratios.items() if p != "CUDA C"]
    return min(peers) if peers else None


NAMES = {"hand": "H", "copy": "copy", "peers": "every peer"}


def text(goal):
    kind, share = goal
    if kind == "peers":
        return f"{NAMES[kind]}'s speed, to {1 - share:.1%}"
    return f"{share:.2f} {NAMES[kind]}"


def judge(row):
    """For each goal of a row: (text, what was reached, whether that is
    enough). A goal without a value is missed."""
    verdicts = []
    for goal in row.get("goals", []):
        reached = value(row, goal)
        verdicts.append(
            (text(goal), reached, reached is not None and reached >= goal[1]))
    return verdicts


def judge_size(row):
    """The same of a row of sizes.py; None beyond the sizes that count."""
    if row["log2"] > SMALL:
        return None
    return "slower" in row and row["slower"] <= SLOWER


# Host-side goals by the name of what was measured: at most so many, or at
# least so many times faster than another.
LIMITS = {
    ("beyond", "kern_call, out"): 0.5,
    ("beyond", "kern_call, new result"): 1.0,
    ("beyond", "kern.hpp, into(out)"): 0.5,
    ("beyond", "kern.hpp, new result"): 1.0,
    ("ptx", "add"): 4.0,
    ("ptx", "exp"): 10.0,
    ("ptx", "exp·sin·pow"): 20.0,
    ("first", "kern, add"): 20.0,
    ("first", "kern, exp·sin·pow"): 50.0,
    ("cached", "kern, exp·sin·pow, from the disk cache"): 3.0,
    ("process", "kern compile, exp·sin·pow"): 50.0,
}
FASTER = {
    **{("first", f"kern, {name}"): (
        "CuPy ElementwiseKernel, exp·sin·pow", 2)
       for name in ("matvec", "softmax", "matmul")},
    ("process", "kern compile, exp·sin·pow"): ("nvcc -ptx, exp·sin·pow", 6),
    ("process", "kern compile, gaussian_pdf"): (
        "nvcc -ptx, gaussian_pdf", 10),
}


def judge_table(key, table):
    """Goals of one of the small tables: (name, text, whether it is met)."""
    verdicts = []
    for name, figure in table.items():
        limit = LIMITS.get((key, name))
        if limit is not None:
            verdicts.append((name, f"at most {limit:g}", figure <= limit))
        other, times = FASTER.get((key, name), (None, None))
        if other in table:
            verdicts.append((name, f"{times} times as fast as {other}",
                             table[other] >= times * figure))
    return verdicts
