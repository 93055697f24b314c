"""The table of every function and random bodies. Pure: no GPU needed."""

import statistics

SHARE = 0.98         # of each peer's speed, at least
BEHIND_COPY = 0.9    # where a peer is below it, arithmetic counts
WORST = 10
KINDS = ("f16", "bf16", "f32", "f64", "c64", "i32", "i64")


def least(row):
    """Kern's speed beside the fastest peer: the least ratio, or None."""
    return min(row.get("ratios", {}).values(), default=None)


def share_of_copy(row, peer):
    rate = row.get("gbs", {}).get(peer)
    return rate and row.get("copy_gbs") and rate / row["copy_gbs"]


def worst(rows, count=WORST):
    """The rows where Kern is furthest behind a peer."""
    compared = [row for row in rows if least(row) is not None]
    return sorted(compared, key=least)[:count]


def peers(rows):
    return sorted({peer for row in rows for peer in row.get("ratios", {})})


def summary(rows):
    """Lines for people: for each peer how often Kern is as fast."""
    lines = []
    for peer in peers(rows):
        ratios = {row["work"]: row["ratios"][peer] for row in rows
                  if peer in row.get("ratios", {})}
        hard = [row["ratios"][peer] for row in rows
                if peer in row.get("ratios", {})
                and (share_of_copy(row, peer) or 1) < BEHIND_COPY]
        reached = sum(r >= SHARE for r in ratios.values())
        lines.append(
            f"{peer}: {reached} of {len(ratios)} at least {SHARE} of its "
            f"speed, median {statistics.median(ratios.values()):.3f}, least "
            f"{min(ratios.values()):.3f}"
            + (f"; median {statistics.median(hard):.3f} of the {len(hard)} "
               f"where it is below {BEHIND_COPY} of copy" if hard else ""))
    wrong = [f"{row['work']}: {row['failed']['kern']}" for row in rows
             if "kern" in row.get("failed", {})]
    lines += [f"failed: {line}" for line in wrong]
    lines += [f"{least(row):.3f} {row['work']}" for row in worst(rows)]
    return lines


def cell(row, names):
    if row is None:
        return "–"
    if "kern" in row.get("failed", {}):
        return "failed"
    ratios = [f"{row['ratios'][p]:.2f}" if p in row.get("ratios", {}) else "–"
              for p in names]
    share = share_of_copy(row, "kern")
    return (f"{share:.2f}: " if share else "") + " / ".join(ratios)


def split_name(row):
    """A row's function and its layout: the type has a column."""
    name, _, layout = row["work"].partition(", ")
    return name.rsplit(" ", 1)[0] + (f", {layout}" if layout else "")


def markdown(rows, of_copy=True):
    names = peers(rows)
    lines = [
        "Kern's speed as a share of each peer's (" + " / ".join(names) + ")"
        + (", behind the share of a copy that Kern reaches" if of_copy else "")
        + ". " + "; ".join(line for line in summary(rows) if ": " in line)
        + ".", "", "| function | " + " | ".join(KINDS) + " |",
        "| --- |" + " --- |" * len(KINDS)]
    table = {}
    for row in rows:
        table.setdefault(split_name(row), {})[row["kind"]] = row
    for name, of_kind in table.items():
        lines.append(f"| `{name}` | " + " | ".join(
            cell(of_kind.get(kind), names) for kind in KINDS) + " |")
    lines += ["", "| furthest behind | ratio | body |", "| --- | --- | --- |"]
    for row in worst(rows):
        text = " ; ".join(line.strip() for line in
                          row.get("text", "").splitlines()[1:])
        lines.append(f"| {row['work']} | {least(row):.3f} | `{text}` |")
    return "\n".join(lines) + "\n"
