"""Cells of Kern in notebooks: `%load_ext kern`, then

    %%kern
    ufunc twice(x): return 2 * x

The functions become names of the notebook. Options follow `%%kern`: `--name M`
binds the module to a name instead; `--checks`, `--precise` and `--remarks` are
those of kern.compile.
"""

import argparse
import shlex

from kern._errors import CompileError
from kern._module import compile


def _parser():
    parser = argparse.ArgumentParser(prog="%%kern", add_help=False)
    parser.add_argument("--name", help="keep the module under this name")
    parser.add_argument("--checks", action="store_true", help="check calls")
    parser.add_argument("--precise", action="store_true", help="fp_mode='precise'")
    parser.add_argument("--remarks", action="store_true", help="say what is slow")
    return parser


def _number(shell):
    """The cell's number. `execution_count` is that of the next one from IPython 9
    on, while a cell runs."""
    history = getattr(shell, "history_manager", None)
    if history is None:
        return getattr(shell, "execution_count", 0)
    return len(history.input_hist_parsed) - 1


def kern_cell(shell, line, cell):
    """Compiles a cell; shows warnings; binds names."""
    try:
        options = _parser().parse_args(shlex.split(line))
    except SystemExit:
        return
    try:
        # The line of the magic counts, so that numbers agree with the cell's.
        module = compile(
            "\n" + cell,
            f"<kern cell {_number(shell)}>",
            fp_mode="precise" if options.precise else "default",
            checks=options.checks,
            remarks=options.remarks,
        )
    except CompileError as error:
        print(error.rendered)
        return
    for one in module.diagnostics:
        print(f"{one.severity}: line {one.place.line}: {one.text} [{one.code}]")
    if options.name:
        shell.push({options.name: module})
    else:
        shell.push({function.__name__: function for function in module})


def load_ipython_extension(shell):
    """Called by `%load_ext kern`."""

    def kern(line, cell):
        return kern_cell(shell, line, cell)

    shell.register_magic_function(kern, magic_kind="cell", magic_name="kern")
