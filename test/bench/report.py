"""From what was measured to a verdict and to Markdown."""

import function_report
import goals

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
PARTS = [("elementwise", "Contiguous arrays"),
         ("layouts", "Layouts"),
         ("conversions", "Arrays of other types, and masks"),
         ("large", "Beyond 2^32 elements"),
         ("gufuncs", "Norms of rows"),
         ("nests", "Other gufuncs"),
         ("products", "Products, windows and nearest points")]
TABLES = [
    ("calls", "µs", "A call on device arrays with its output given, one "
     "element (from Python, wall clock)"),
    ("overhead", "µs", "The same from C++"),
    ("beyond", "µs", "From C++, beyond `cuLaunchKernel`, paired"),
    ("ptx", "ms", "From source to PTX in one process, one loop and form"),
    ("first", "ms", "From a source never seen to its first result, warm "
     "process"),
    ("cached", "ms", "The same in a new process, beyond the driver's own "
     "start"),
    ("process", "ms", "A whole process that compiles to PTX")]


def verdict(report):
    """Lines for people, and how many goals were met and missed."""
    lines, met, missed = [], 0, 0

    def say(good, line):
        nonlocal met, missed
        met, missed = met + good, missed + (not good)
        lines.append(("ok     " if good else "MISSED ") + line)

    for row in report.get("rows", []):
        if "kern" in row.get("failed", {}):
            say(False, f"{row['work']}: kern: {row['failed']['kern']}")
            continue
        for text, reached, good in goals.judge(row):
            shown = "not measured" if reached is None else f"{reached:.3f}"
            say(good, f"{row['work']}: {shown} (goal {text})")
    for row in report.get("functions", []):
        if "kern" in row.get("failed", {}):
            say(False, f"{row['work']}: kern: {row['failed']['kern']}")
        elif (reached := function_report.least(row)) is not None:
            say(reached >= function_report.SHARE,
                f"{row['work']}: {reached:.3f} of the fastest peer (goal "
                f"{function_report.SHARE})")
    for row in report.get("sizes", []):
        good = goals.judge_size(row)
        if good is not None:
            say(good, f"add f32, 2^{row['log2']}: "
                f"{row.get('slower', float('nan')):.3f} × the better peer's "
                f"time (goal {goals.SLOWER})")
    for key, unit, _ in TABLES:
        table = report.get(key, {})
        for name, text, good in goals.judge_table(key, table):
            say(good, f"{name}: {table[name]:.2f} {unit} (goal {text})")
    return lines, met, missed


def cell(row, peer):
    if peer in row.get("gbs", {}):
        gbs = row["gbs"][peer]
        return f"{gbs:.0f} ({gbs / row['copy_gbs']:.2f})"
    return "failed" if peer in row.get("failed", {}) else "–"


def throughput(rows, peers):
    lines = ["| work | goal | reached | copy | " + " | ".join(
        "**Kern**" if p == "kern" else p for p in peers) + " |",
        "| --- |" + " --- |" * (len(peers) + 3)]
    for row in rows:
        judged = goals.judge(row)
        goal = ", ".join(text for text, _, _ in judged) or "–"
        reached = ", ".join(
            ("–" if value is None else f"{value:.3f}")
            + (" ✓" if good else " ✗") for _, value, good in judged) or "–"
        copy = f"{row['copy_gbs']:.0f}" if "copy_gbs" in row else "–"
        lines.append(f"| {row['work']} | {goal} | {reached} | {copy} | "
                     + " | ".join(cell(row, p) for p in peers) + " |")
    return lines


def small_sizes(rows):
    rows = [r for r in rows if r["log2"] <= goals.SMALL]
    names = [p for p in rows[0]["us"]] if rows else []
    lines = ["| elements | " + " | ".join(names)
             + " | Kern, in the better peer's time |",
             "| --- |" + " --- |" * (len(names) + 1)]
    for row in rows:
        good = goals.judge_size(row)
        lines.append(
            f"| 2^{row['log2']} | " + " | ".join(
                f"{row['us'][p]:.2f}" if p in row["us"] else "–"
                for p in names)
            + f" | {row.get('slower', float('nan')):.3f} "
            + ("✓" if good else "✗") + " |")
    return lines


def markdown(report, peers, plot=None):
    lines = [
        f"Measured on one {report['device']} ({report['date']}, kern "
        f"{report['kern']}, {report['versions']}), 2^{report['log2']} f32 "
        "elements or as many bytes unless said, "
        + (f"in {report['runs']} runs of some parts each, joined by the last "
           "line, " if report.get("runs", 1) > 1 else "") + "with:",
        "", "```", *report["commands"], "```", "",
        "GB/s of each input read once and each output written once; in "
        "brackets the share of a device-to-device copy in the same run. H is "
        "the hand-written CUDA C kernel of the same run. *Reached* is the "
        "median over the batches of the paired ratio, of copy the ratio of "
        "the medians.", ""]
    for key, title in PARTS:
        rows = [r for r in report.get("rows", []) if r["part"] == key]
        if rows:
            lines += [f"### {title}", ""] + throughput(rows, peers) + [""]
    if report.get("functions"):
        lines += ["### Every function", "",
                  function_report.markdown(report["functions"])]
    if report.get("sizes"):
        lines += ["### Small arrays", "",
                  "Device time of `add` of f32 in µs, calls enqueued back to "
                  "back behind a busy device, so that the host's pace does "
                  f"not matter; medians of 20 paired batches; at most "
                  f"{goals.SLOWER} × the better of torch and CuPy.", ""]
        lines += small_sizes(report["sizes"]) + [""]
        if plot:
            lines += [f"![achieved GB/s over array size]({plot})", ""]
    lines += ["### Calls and compiling", ""] if any(
        report.get(k) for k, _, _ in TABLES) else []
    for key, unit, title in TABLES:
        table = report.get(key)
        if not table:
            continue
        judged = {}
        for name, text, good in goals.judge_table(key, table):
            judged.setdefault(name, []).append(text + (" ✓" if good else " ✗"))
        lines += [f"| {title} | {unit} | goal |", "| --- | --- | --- |"]
        digits = 2 if unit == "µs" else 1
        lines += [f"| {name} | {figure:.{digits}f} | "
                  f"{', '.join(judged.get(name, ['–']))} |"
                  for name, figure in table.items()] + [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def put_into(path, text, begin=BEGIN, end=END):
    """Replaces what stands between the markers, or appends it with them."""
    page = path.read_text() if path.exists() else ""
    section = f"{begin}\n{text}{end}"
    if begin in page and end in page:
        head, rest = page.split(begin, 1)
        page = head + section + rest.split(end, 1)[1]
    else:
        page = page.rstrip("\n") + ("\n\n" if page else "") + section + "\n"
    path.write_text(page)


def merged(reports):
    """One report of several runs of different parts: a later run's rows and
    tables replace those of the same name."""
    whole = dict(reports[0])
    rows, sizes, functions = {}, {}, {}
    for report in reports:
        whole.update({k: v for k, v in report.items() if v})
        rows.update({(r["part"], r["work"]): r for r in report.get("rows", [])})
        sizes.update({r["log2"]: r for r in report.get("sizes", [])})
        functions.update({r["work"]: r for r in report.get("functions", [])})
    order = [key for key, _ in PARTS]
    whole["rows"] = sorted(rows.values(), key=lambda r: order.index(r["part"]))
    whole["sizes"] = [sizes[k] for k in sorted(sizes)]
    whole["functions"] = list(functions.values())
    whole["runs"] = len(reports)
    whole["commands"] = [c for r in reports for c in r["commands"]]
    return whole
