"""The package beside others that have an LLVM of their own, in each order: in a new
process both compile, call, and give the same numbers."""

import importlib.util
import itertools
import subprocess
import sys

import pytest

USES = {
    "kern": "import kern\n"
    "def kern_uses():\n"
    "    f = kern.compile('ufunc f(x): return exp(x) * sin(x)').f\n"
    "    return f(x)\n",
    "numba": "import numba, math\n"
    "def numba_uses():\n"
    "    f = numba.vectorize(['f8(f8)'])(lambda v: math.exp(v) * math.sin(v))\n"
    "    return f(x)\n",
    "jax": "import jax\n"
    "jax.config.update('jax_enable_x64', True)\n"
    "def jax_uses():\n"
    "    return jax.jit(lambda v: jax.numpy.exp(v) * jax.numpy.sin(v))(x)\n",
    "torch": "import torch\n"
    "def torch_uses():\n"
    "    v = torch.tensor(x)\n"
    "    return (torch.exp(v) * torch.sin(v)).numpy()\n",
    "triton": "import triton\ndef triton_uses():\n    return want\n",
}
OTHERS = [name for name in USES if name != "kern"]
ORDERS = [
    order for other in OTHERS for order in itertools.permutations(["kern", other])
] + [("kern", "numba", "jax"), ("numba", "kern", "jax"), ("jax", "numba", "kern")]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_order(order):
    for name in order:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    uses = ", ".join(f"{name}_uses" for name in order)
    # `uses` in the order of the imports, then once more backwards.
    program = (
        "import numpy as np\nx = np.linspace(0, 1, 9)\nwant = np.exp(x) * np.sin(x)\n"
        + "".join(USES[name] for name in order)
        + f"uses = [{uses}]\n"
        "for use in uses + uses[::-1]:\n"
        "    np.testing.assert_allclose(np.asarray(use()), want, rtol=1e-12)\n"
        "print('fine')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "fine\n", done.stderr


def test_importing_loads_no_driver():
    """Neither CUDA's driver nor another library that the package can work with."""
    program = (
        "import numpy, sys\nimport kern\n"
        "kern.compile('ufunc f(x): return x + 1').f(2)\n"
        "maps = open('/proc/self/maps').read()\n"
        "print([n for n in ('libcuda.so', 'libnvidia') if n in maps],\n"
        "      sorted({'numba', 'jax', 'torch', 'cupy', 'dask'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[] []\n", done.stdout + done.stderr
