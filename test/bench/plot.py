"""A plot of achieved GB/s over array size, as SVG text."""

WIDTH, HEIGHT = 760, 430
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 46, 54
COLOURS = {
    "kern": "#c0392b", "CUDA C": "#2c3e50", "CuPy": "#27ae60",
    "torch": "#2980b9", "copy": "#7f8c8d"}


def step_of(largest):
    """A round distance of grid lines, four to eight of them."""
    for step in (50, 100, 200, 250, 500, 1000, 2000, 5000):
        if largest / step <= 8:
            return step
    return 10000


def svg(series, title, subtitle):
    """`series`: for each name a list of (log2 of the elements, GB/s). The one
    named "copy" is drawn dashed, as the ceiling."""
    points = [p for line in series.values() for p in line]
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    step = step_of(max(y for _, y in points))
    top = (int(max(y for _, y in points) / step) + 1) * step

    def x_of(log2):
        return LEFT + (log2 - low) * (WIDTH - LEFT - RIGHT) / max(
            1, high - low)

    def y_of(rate):
        return HEIGHT - BOTTOM - rate * (HEIGHT - TOP - BOTTOM) / top

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} '
        f'{HEIGHT}" font-family="sans-serif" font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="20" font-size="15" fill="#111111">{title}'
        "</text>",
        f'<text x="{LEFT}" y="37" fill="#555555">{subtitle}</text>']
    for rate in range(0, int(top) + 1, step):
        y = y_of(rate)
        out.append(
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" '
            f'y2="{y:.1f}" stroke="#e3e3e3"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" '
            f'fill="#333333">{rate}</text>')
    for log2 in range(low, high + 1, 2):
        out.append(
            f'<text x="{x_of(log2):.1f}" y="{HEIGHT - BOTTOM + 18}" '
            f'text-anchor="middle" fill="#333333">2<tspan dy="-5" '
            f'font-size="9">{log2}</tspan></text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(
        f'<text x="{middle:.0f}" y="{HEIGHT - 12}" text-anchor="middle" '
        'fill="#333333">elements</text>'
        f'<text transform="translate(18 {HEIGHT / 2:.0f}) rotate(-90)" '
        'text-anchor="middle" fill="#333333">GB/s</text>')
    labels = []
    for name, line in series.items():
        colour = COLOURS.get(name, "#8e44ad")
        path = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in line)
        dash = ' stroke-dasharray="6 4"' if name == "copy" else ""
        wide = 2.6 if name == "kern" else 1.6
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                   f'stroke-width="{wide}"{dash}/>')
        labels.append([y_of(line[-1][1]) + 4, name, colour])
    # Names at the lines' ends, moved apart where lines meet.
    labels.sort()
    for before, label in zip(labels, labels[1:]):
        label[0] = max(label[0], before[0] + 15)
    for y, name, colour in labels:
        text = "copy (ceiling)" if name == "copy" else name
        out.append(f'<text x="{WIDTH - RIGHT + 8}" y="{y:.1f}" '
                   f'fill="{colour}">{text}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def of_sizes(rows, device):
    """The plot of the rows of sizes.py."""
    series = {}
    for row in rows:
        for name, us in row["us"].items():
            moved = (8 if name == "copy" else 12) << row["log2"]
            series.setdefault(name, []).append(
                (row["log2"], moved / us / 1e3))
    return svg(series, "add f32: achieved bandwidth over array size",
               f"one {device}; device time of calls enqueued back to back; "
               "small arrays stay in the L2 cache")
