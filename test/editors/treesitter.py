#!/usr/bin/env python3
"""Tests the tree-sitter grammar on all .kern files of the repository.

usage: treesitter.py KERN CC

A file has errors by the grammar exactly where `kern fmt` finds syntax errors.
"""

import ctypes
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import tree_sitter

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "tools" / "editors" / "tree-sitter-kern"
# Their mistakes are in the use of what the grammar has: `inout` of a ufunc,
# computed dimensions; the order of arguments and of defaults.
MISUSED = {"headers.kern", "arguments.kern"}


def load(folder):
    """Builds the parser, with every warning an error in what is not generated."""
    library = pathlib.Path(folder) / "kern.so"
    objects = []
    for name, warnings in (("parser", ["-w"]),
                           ("scanner", ["-Wall", "-Wextra", "-Werror"])):
        objects.append(pathlib.Path(folder) / f"{name}.o")
        subprocess.run(
            [CC, "-std=c11", "-O1", "-fPIC", *warnings, "-I", GRAMMAR / "src",
             "-c", GRAMMAR / "src" / f"{name}.c", "-o", objects[-1]],
            check=True)
    subprocess.run([CC, "-shared", *objects, "-o", library], check=True)
    function = ctypes.CDLL(str(library)).tree_sitter_kern
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(
        capsule(function(), b"tree_sitter.Language", None))


def first_error(node):
    if node.is_error or node.is_missing:
        return node
    return next((first_error(c) for c in node.children if c.has_error), node)


class TreeSitter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.language = load(cls.scratch.name)
        cls.parser = tree_sitter.Parser(cls.language)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def tree(self, text):
        return self.parser.parse(text.encode()).root_node

    def test_every_file_of_the_repository(self):
        accepted = refused = 0
        for path in sorted(ROOT.rglob("*.kern")):
            if "build" in path.relative_to(ROOT).parts:
                continue
            text = path.read_bytes()
            good = subprocess.run(
                [KERN, "fmt", "-"], input=text, capture_output=True
            ).returncode == 0
            root = self.parser.parse(text).root_node
            where = first_error(root)
            accepted += good
            refused += not good
            if path.name in MISUSED:
                continue
            with self.subTest(str(path.relative_to(ROOT))):
                self.assertEqual(
                    not root.has_error, good,
                    f"at {where.start_point}: {where.text[:60]}")
        self.assertGreater(accepted, 60)
        self.assertGreater(refused, 3)

    def test_the_parser_is_the_grammars(self):
        text = (GRAMMAR / "grammar.js").read_bytes()
        made_of = (GRAMMAR / "src" / "grammar.sha256").read_text().split()[0]
        self.assertEqual(hashlib.sha256(text).hexdigest(), made_of,
                         "generate src/parser.c again: README.md says how")

    def test_trees(self):
        """Precedence and blocks, as docs/reference/language.md has them."""
        rows = {
            "-x ** 2": "(unary (binary (identifier) (integer)))",
            "T in floats": "(comparison (identifier) (identifier))",
            "T not in floats": "(comparison (identifier) (identifier))",
            "a + b * c": "(binary (identifier) (binary (identifier) "
                         "(identifier)))",
            "a - b - c": "(binary (binary (identifier) (identifier)) "
                         "(identifier))",
            "2 ** 3 ** x": "(binary (integer) (binary (integer) (identifier)))",
            "2 ** -x": "(binary (integer) (unary (identifier)))",
            "not a < b and c": "(logical (not (comparison (identifier) "
                               "(identifier))) (identifier))",
            "a if c else b or d": "(conditional (identifier) (identifier) "
                                  "(logical (identifier) (identifier)))",
            "a[1:, i][j].real": "(attribute (subscript (subscript (identifier)"
                                " (slice (integer)) (identifier)) (identifier))"
                                " (identifier))",
            "sum(x for x in v if x > 0)":
                "(call (identifier) (arguments (generator (identifier) (clause "
                "(identifier) (identifier) (comparison (identifier) "
                "(integer))))))",
            "x + 0x1F - 1.5e-3 * 2j": "(binary (binary (identifier) (integer)) "
                                      "(binary (float) (imaginary)))",
            "a | b ^ c & d << e": "(binary (identifier) (binary (identifier) "
                                  "(binary (identifier) (binary (identifier) "
                                  "(identifier)))))",
            "a @ b * c": "(binary (binary (identifier) (identifier)) "
                         "(identifier))",
            "[a, [1, b]]": "(list (identifier) (list (integer) (identifier)))",
            "a[...]": "(subscript (identifier) (ellipsis))",
            "a, b": "(tuple (identifier) (identifier))",
            "(a,)": "(tuple (identifier))", "(a)": "(parenthesized (identifier))",
        }
        for text, tree in rows.items():
            root = self.tree(f"def f(x): return {text}\n")
            found = re.sub(r"\w+: ", "", str(root))
            with self.subTest(text):
                self.assertIn(f"(return {tree})", found)

    def test_blocks(self):
        root = self.tree(
            "ufunc f(x):\n"
            "    if x > 0:  # note\n"
            "# a comment in no column of a block\n"
            "        y = (1 +\n"
            "  2)\n"
            "        while y < x: y += 1; y *= 2\n\n"
            "    elif x < 0:\n"
            "        y = 0\n"
            "    else:\n"
            "        y = \\\n"
            "            1\n"
            "    return y\n"
            "def g(where, inout): return where(inout, where, 1)")
        self.assertFalse(root.has_error, str(root))
        f, g = root.named_children
        self.assertEqual((f.type, g.type), ("function", "function"))
        body = f.child_by_field_name("body").named_children
        self.assertEqual([n.type for n in body], ["if", "return"])
        branches = [n.type for n in body[0].named_children]
        self.assertEqual(branches, ["comparison", "block", "elif", "else"])

    def test_loops_and_defaults(self):
        root = self.tree(
            "const A: f32[2] = [1, 2]\n"
            "ufunc f(x: T = 2.0, k: dim = 3) -> T where T in (f32, f64):\n"
            "    for i in range(k):\n"
            "        if x > 0: break\n"
            "    else:\n"
            "        x = -x\n"
            "    while x < 1: x += 1\n"
            "    else: x = 2\n"
            "    return x\n")
        self.assertFalse(root.has_error, str(root))
        function = root.named_children[1]
        values = [p.child_by_field_name("default").text
                  for p in function.child_by_field_name("parameters").named_children]
        self.assertEqual(values, [b"2.0", b"3"])
        loops = function.child_by_field_name("body").named_children[:2]
        self.assertEqual([loop.named_children[-1].type for loop in loops],
                         ["else", "else"])

    def test_mistakes(self):
        for text in ("ufunc f(x)\n    return x\n", "ufunc f(x):\nreturn x\n",
                     "ufunc f(x):\n    return [x\n", "x = 1\n",
                     "ufunc f(x):\n    return (x\n",
                     "ufunc f(x):\n    return x\n      y = 1\n"):
            with self.subTest(text):
                self.assertTrue(self.tree(text).has_error)

    def test_hostile_text_ends(self):
        for text in ("(" * 5000, "    " * 5000 + "x", "if x:\n" * 300,
                     "".join(" " * i + "if x:\n" for i in range(400)), "\\",
                     "ufunc f(x):\n\t\n\\\n", "\x00\xff", '"""', "#"):
            self.assertEqual(self.tree(text).start_byte >= 0, True)

    def test_what_stands_out(self):
        text = (
            '"""Doc."""\n@fastmath\n'
            "gufunc norm(v: T[n?], inout w: f32[n]) -> T where T in floats:\n"
            "    total = 0x1F + 1.5e-3 + 2j  # note\n"
            "    return sqrt(total) * v.size if not True else pi + sum(v)\n"
        )
        rows = {
            '"""Doc."""': "string.documentation", "fastmath": "attribute",
            "gufunc": "keyword.function", "norm": "function",
            "v": "variable.parameter", "inout": "keyword.modifier",
            "f32": "type.builtin", "where": "keyword.modifier",
            "floats": "type.builtin", "0x1F": "number", "1.5e-3": "number.float",
            "# note": "comment", "sqrt": "function.call",
            "size": "variable.member", "True": "boolean",
            "pi": "constant.builtin", "return": "keyword.return",
            "total": "variable", "sum": "function.builtin", "T": "type",
        }
        query = tree_sitter.Query(
            self.language, (GRAMMAR / "queries" / "highlights.scm").read_text())
        found = {}
        matches = tree_sitter.QueryCursor(query).matches(self.tree(text))
        for _, captures in sorted(matches, key=lambda match: match[0]):
            for name, nodes in captures.items():
                for node in nodes:
                    found.setdefault(node.start_byte, {})[node.text] = name
        first = {}
        for at in sorted(found):
            for part, name in found[at].items():
                first.setdefault(part.decode(), name)
        for part, name in rows.items():
            with self.subTest(part):
                self.assertEqual(first.get(part), name)


if __name__ == "__main__":
    KERN, CC = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
