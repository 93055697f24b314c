"""Mistakes that a type checker finds: each in a line with its comment, and none in
another line. mypy and pyright read it; nothing runs it."""

import kern

m = kern.compile("ufunc add(x, y): return x + y")
kern.compile(b"ufunc f(x): return x")  # wrong
kern.compile("", fp_mode="fast")  # wrong
kern.compile("", checks="bound")  # wrong
kern.compiled("")  # wrong
kern.load(3)  # wrong
m.add(1, 2, casting="maybe")  # wrong
m.add(1, 2, order="Z")  # wrong
m.add(1, 2, keepdims="no")  # wrong
m.add.nin = 3  # wrong
m.add.py_func  # wrong
m.add.reduce(1, axis="x")  # wrong
kern.vectorize(3)  # wrong
kern.vectorize(target="gpu")  # wrong
kern.vectorize(fastmaths=True)  # wrong
kern.guvectorize()  # wrong
kern.guvectorize("(n)->()", writable=0)  # wrong
kern.elementwise("T x", "T y")  # wrong
kern.elementwise("T x", "T y", "y = x", options=())  # wrong
kern.synchronize(0)  # wrong
kern.Device()  # wrong
kern.float65  # wrong
