"""The pairs of `--only functions`, their sources, checks and tables; no GPU needed."""

import math
import unittest

import function_report
import function_table
from function_table import named

try:
    import numpy as np
except ImportError:
    np = None
else:
    import function_bodies
    from function_bodies import LAYOUTS, Pair, expected, error, single

ROWS = [
    {"work": f"{name}", "kind": kind, "copy_gbs": 4000.0, "failed": {},
     "text": "ufunc f(x):\n    return x\n", "gbs": {
         "kern": kern, "CUDA C": 3800.0, "torch.compile": peer},
     "ratios": {"CUDA C": kern / 3800.0, "torch.compile": kern / peer}}
    for name, kind, kern, peer in [
        ("exp f32", "f32", 4000.0, 4000.0), ("exp f64", "f64", 3000.0, 2000.0),
        ("lgamma f32", "f32", 500.0, 3200.0)]]


class Table(unittest.TestCase):
    def test_an_empty_cell_is_a_call_of_the_same_name(self):
        self.assertEqual(named("tanh").c, "tanh$(a)")
        self.assertEqual(named("tanh").torch, "torch.tanh(a)")
        self.assertIsNone(named("cbrt").torch)

    def test_types_and_results(self):
        self.assertEqual(named("add", "c64").results, ("=",))
        self.assertEqual(named("less").results, ("bool",))
        self.assertEqual(named("frexp").results, ("=", "i32"))
        self.assertNotIn("bf16", named("nextafter").types)

    def test_jumps_and_what_is_no_part_of_others(self):
        self.assertTrue(named("floor").jumps)
        self.assertFalse(named("where").composes)
        self.assertFalse(named("less").composes)
        self.assertTrue(named("exp").composes)

    def test_no_function_is_there_twice(self):
        seen = [(f.name, f.arity, kind) for f in function_table.FUNCTIONS
                for kind in f.types]
        self.assertEqual(len(seen), len(set(seen)))


@unittest.skipUnless(np, "needs NumPy")
class Bodies(unittest.TestCase):
    def test_the_same_seed_makes_the_same_bodies(self):
        self.assertEqual(function_bodies.random_bodies(3, 5),
                         function_bodies.random_bodies(3, 5))
        self.assertNotEqual(function_bodies.random_bodies(3, 5),
                            function_bodies.random_bodies(4, 5))

    def test_each_step_takes_the_one_before(self):
        for body in function_bodies.random_bodies(3, 20):
            self.assertIn(len(body.steps), range(2, 7))
            for k, (_, operands) in enumerate(body.steps[1:]):
                self.assertIn(f"v{k}", operands)
            for name in body.inputs:
                self.assertTrue(any(name in o for _, o in body.steps))

    def test_parts_are_all_pairs(self):
        every = function_bodies.pairs(3)
        parts = [function_bodies.part_of(every, f"{k}/3") for k in (1, 2, 3)]
        self.assertEqual({p.name for part in parts for p in part},
                         {p.name for p in every})
        self.assertEqual(sum(map(len, parts)), len(every))
        with self.assertRaises(ValueError):
            function_bodies.part_of(every, "1/1")
        rows = function_bodies.part_of(every, "1/1", "remainder")
        self.assertEqual(rows, [p for p in every if "remainder" in p.name])
        self.assertGreater(len(rows), 4)
        self.assertEqual(["expm1 f16", "sinh f16", "arcsinh f16"], [
            p.name for p in function_bodies.part_of(
                every, "1/1", "expm1 f16|sinh f16")])

    def test_sources(self):
        body = function_bodies.chain(
            "f", "f16", (-1.0, 1.0), ("exp", "x"), ("add", "v0", 2.0))
        self.assertEqual(body.kern(), "ufunc f(x):\n    v0 = exp(x)\n"
                         "    return add(v0, 2.0)\n")
        self.assertEqual(body.c(), "  const auto v0 = expf(x);\n"
                         "  const auto v1 = v0 + T(2.0);\n")
        self.assertIn("v1 = v0 + torch.full_like(x, 2.0)", body.torch())
        self.assertIsNone(single(named("modf"), "f32").c())

    def test_layouts_have_names(self):
        body = single(named("add"), "f32")
        self.assertEqual([Pair(body, layout).name for layout in LAYOUTS],
                         ["add f32", "add f32, scalar", "add f32, row"])


@unittest.skipUnless(np, "needs NumPy")
class Checks(unittest.TestCase):
    def found(self, name, kind, dtype, change=lambda y: y):
        body = single(named(name, kind), kind)
        rng = np.random.default_rng(5)
        inputs = [rng.uniform(*d, 500).astype(dtype) for d in body.domains]
        with np.errstate(all="ignore"):
            made = change(eval(body.steps[0][0].numpy, {
                "np": np, **dict(zip("abc", inputs))}))
        return error(body, expected(body, inputs), [made])

    def test_numpy_is_right(self):
        for name in ("exp", "tanh", "hypot", "arccos", "floor", "remainder"):
            for kind, dtype in (("f32", np.float32), ("f64", np.float64)):
                with self.subTest(name=name, kind=kind):
                    self.assertLessEqual(self.found(name, kind, dtype), 1)
        self.assertEqual(self.found("less", "f32", np.float32), 0)

    def test_one_wrong_element_is_seen(self):
        def spoiled(y):
            y[100] += 1e-4
            return y

        def gone(y):
            y[3] = math.nan
            return y
        self.assertGreater(self.found("exp", "f64", np.float64, spoiled), 1)
        self.assertGreater(self.found("tanh", "f32", np.float32, gone), 1)

    def test_many_wrong_truths_are_seen(self):
        def turned(y):
            return y ^ (np.arange(y.size) % 10 == 0)
        self.assertGreater(self.found("less", "f32", np.float32, turned), 1)

    def test_errors_of_steps_count_as_the_body_magnifies_them(self):
        body = function_bodies.chain(
            "f", "f32", (1000.0, 1001.0), ("multiply", "x", 1.1), ("sin", "v0"))
        x = np.linspace(1000, 1001, 100, dtype=np.float32)
        want = expected(body, [x])
        rounded = np.sin((x * np.float32(1.1)).astype(np.float64))
        self.assertLessEqual(error(body, want, [rounded]), 1)
        self.assertGreater(error(body, want, [rounded + 1e-2]), 1)

    def test_gamma_is_exact(self):
        wide = function_bodies.WIDE["gamma"](np.arange(1, 20, dtype=np.longdouble))
        self.assertEqual([int(v) for v in wide],
                         [math.factorial(k) for k in range(19)])


class Report(unittest.TestCase):
    def test_the_worst_is_first(self):
        self.assertEqual(function_report.worst(ROWS, 1)[0]["work"], "lgamma f32")

    def test_summary(self):
        text = "\n".join(function_report.summary(ROWS))
        self.assertIn("torch.compile: 2 of 3 at least 0.98", text)
        self.assertIn("median 0.828 of the 2 where it is below 0.9", text)

    def test_table(self):
        text = function_report.markdown(ROWS)
        self.assertIn("| `exp` | – | – | 1.00: 1.05 / 1.00 | 0.75: 0.79 / 1.50 "
                      "| – | – | – |", text)

    def test_failures_are_named(self):
        rows = [{"work": "erf f16", "kind": "f16", "failed": {"kern": "wrong"}}]
        self.assertIn("failed: erf f16: wrong",
                      function_report.summary(rows))
        self.assertIn("| failed |", function_report.markdown(rows))


if __name__ == "__main__":
    unittest.main()
