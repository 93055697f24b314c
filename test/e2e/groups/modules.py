"""Sources that import others, against NumPy."""

import numpy as np

from kernapi import COMPILE


def modules(ctx):
    def run(t):
        folder = ctx.scratch / "modules"
        folder.mkdir()
        (folder / "shapes.kern").write_text(
            "import units\n"
            "const SIDES = units.TWO * 2\n"
            "def half(x):\n    return x / units.TWO\n"
            "ufunc area(r: T) -> T where T in (f32, f64):\n"
            "    return pi * half(r) ** 2\n")
        (folder / "units.kern").write_text("const TWO = 2\n")
        main = folder / "main.kern"
        main.write_text(
            "import shapes\n"
            "import numpy as np\n"
            "from shapes import half as halve, SIDES\n"
            "const TWO = 20\n"
            "ufunc f(x: T) -> T where T in (f32, f64):\n"
            "    return shapes.area(x) + halve(x) + SIDES + TWO + np.floor(x)\n")
        f = ctx.lib.compile_file(str(main))["f"]
        for dtype in (np.float32, np.float64):
            x = (ctx.rng(15).random(20) * 9).astype(dtype)
            got = f(x, place=ctx.place, device=ctx.dl_device)
            want = (dtype(np.pi) * (x / dtype(2)) ** 2 + x / dtype(2)
                    + dtype(4) + dtype(20) + np.floor(x))
            t.same(f"modules {np.dtype(dtype)}", got, want, ulp=4)
        t.refused("a text has no folder", lambda: ctx.lib.compile(
            "import shapes\nufunc f(x):\n    return x\n", "<source>"),
            COMPILE, "K0212", "shapes")
    return run


def cases(ctx):
    yield "modules", modules(ctx)
