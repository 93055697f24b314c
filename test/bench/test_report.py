"""Goals, the page and the plot, on a run made up here; no GPU needed."""

import copy
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import goals
import plot
import built
import report

ROW = {
    "part": "elementwise", "work": "add f32", "bytes": 12, "copy_gbs": 4000.0,
    "gbs": {"kern": 4100.0, "CUDA C": 4200.0, "torch": 4050.0},
    "ms": {"kern": 1.0, "CUDA C": 0.97, "torch": 1.01},
    "ratios": {"CUDA C": 0.976, "torch": 1.012},
    "failed": {"Numba": "TypeError: no"}, "error": {},
    "goals": [["hand", 0.98], ["copy", 0.97], ["peers", 0.995]]}
SIZES = [{"log2": k, "us": {"kern": 2.0, "torch": 2.0, "copy": 1.5},
          "slower": s, "failed": {}}
         for k, s in [(10, 1.03), (20, 1.031), (24, 9.0)]]
RUN = {
    "device": "GPU", "date": "2026-01-01", "kern": "1", "versions": "none",
    "log2": 28, "commands": ["measure"], "rows": [ROW], "sizes": SIZES,
    "first": {"kern, add": 20.0, "kern, exp·sin·pow": 50.1},
    "process": {"kern compile, gaussian_pdf": 30.0,
                "nvcc -ptx, gaussian_pdf": 299.0}}
PEERS = ["kern", "CUDA C", "Numba", "torch", "JAX"]


class Goals(unittest.TestCase):
    def test_each_is_judged_by_its_own_measure(self):
        self.assertEqual(goals.judge(ROW), [
            ("0.98 H", 0.976, False), ("0.97 copy", 1.025, True),
            ("every peer's speed, to 0.5%", 1.012, True)])

    def test_the_slowest_lead_decides(self):
        row = copy.deepcopy(ROW)
        row["ratios"]["JAX"] = 0.9
        self.assertFalse(goals.judge(row)[2][2])

    def test_what_was_not_measured_is_missed(self):
        for goal in ROW["goals"]:
            row = {"goals": [goal], "gbs": {}, "ratios": {}, "copy_gbs": 1.0}
            self.assertEqual(goals.judge(row)[0][1:], (None, False))

    def test_small_sizes_count_and_large_ones_do_not(self):
        self.assertEqual([goals.judge_size(r) for r in SIZES],
                         [True, False, None])
        self.assertFalse(goals.judge_size({"log2": 10}))

    def test_limits_and_comparisons(self):
        self.assertEqual(
            [v[2] for v in goals.judge_table("first", RUN["first"])],
            [True, False])
        self.assertEqual(
            [v[2] for v in goals.judge_table("process", RUN["process"])],
            [False])


class Page(unittest.TestCase):
    def test_verdict_counts(self):
        lines, met, missed = report.verdict(RUN)
        self.assertEqual((met, missed), (4, 4))
        self.assertEqual(len(lines), met + missed)

    def test_a_failure_of_kern_is_a_missed_goal(self):
        row = {"part": "layouts", "work": "x", "failed": {"kern": "wrong"}}
        self.assertEqual(report.verdict({"rows": [row]})[1:], (0, 1))

    def test_table(self):
        text = report.markdown(RUN, PEERS, "p.svg")
        self.assertIn("| 4100 (1.02) | 4200 (1.05) | failed | 4050 (1.01) "
                      "| – |", text)
        self.assertIn("0.976 ✗, 1.025 ✓, 1.012 ✓", text)
        self.assertIn("![achieved GB/s over array size](p.svg)", text)
        self.assertIn("| kern, exp·sin·pow | 50.1 | at most 50 ✗ |", text)

    def test_only_what_is_between_the_markers_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "p.md"
            page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\n"
                            "after\n")
            report.put_into(page, "new\n")
            self.assertEqual(
                page.read_text(),
                f"before\n{report.BEGIN}\nnew\n{report.END}\nafter\n")

    def test_a_later_run_replaces_its_rows_alone(self):
        later = copy.deepcopy(RUN)
        later["rows"] = [dict(ROW, part="layouts", work="y"),
                         dict(ROW, copy_gbs=1.0)]
        later["sizes"], later["first"] = [], {}
        whole = report.merged([RUN, later])
        self.assertEqual([(r["work"], r["copy_gbs"]) for r in whole["rows"]],
                         [("add f32", 1.0), ("y", 4000.0)])
        self.assertEqual(whole["sizes"], SIZES)
        self.assertEqual(whole["first"], RUN["first"])
        self.assertIn("in 2 runs", report.markdown(whole, PEERS))


class Programs(unittest.TestCase):
    def test_calls_from_cpp_are_those_on_the_gpu(self):
        text = ("CPU, 1 elements of f32                       us     beyond\n"
                "kern_call, out                            0.700      0.600\n"
                "\nGPU, one element of f32                  us     beyond\n"
                "cuLaunchKernel alone                      3.100      0.000\n"
                "kern_call, out                            3.500      0.400\n")
        calls, beyond = built.parse_overhead(text)
        self.assertEqual(calls, {"cuLaunchKernel alone": 3.1,
                                 "kern_call, out": 3.5})
        self.assertEqual(beyond["kern_call, out"], 0.4)

    def test_source_to_ptx(self):
        self.assertEqual(built.parse_ptx(
            "add: median 3.20 ms, least 3.00 ms, 900 bytes of PTX\n"
            "  parse 0.1\n"
            "exp·sin·pow: median 19.5 ms, least 18 ms, 9 bytes of PTX\n"),
            {"add": 3.2, "exp·sin·pow": 19.5})


class Plot(unittest.TestCase):
    def test_it_is_svg_with_a_line_for_each(self):
        tree = ElementTree.fromstring(plot.of_sizes(SIZES, "GPU"))
        lines = [e for e in tree.iter() if e.tag.endswith("polyline")]
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.assertEqual(len(line.get("points").split()), len(SIZES))

    def test_more_bandwidth_is_higher(self):
        tree = ElementTree.fromstring(plot.svg(
            {"kern": [(10, 1.0), (11, 5.0)]}, "t", "s"))
        line = next(e for e in tree.iter() if e.tag.endswith("polyline"))
        (_, low), (_, high) = (map(float, p.split(","))
                               for p in line.get("points").split())
        self.assertLess(high, low)


if __name__ == "__main__":
    unittest.main()
