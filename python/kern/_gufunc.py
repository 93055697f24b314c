"""A Python function that writes its results into parameters as a Kern gufunc."""

import ast

from kern._errors import ArgumentError
from kern._expressions import is_integral
from kern._names import kern_name
from kern._signatures import ArrayType
from kern._ufunc import Header, begin, defaults, write_variants


def gufunc_text(translation, python, signatures, layout, options):
    """Writes the module for a gufunc into the translation. Returns its name."""
    name = translation.names_main(python)
    form = _Form(python, layout, options)
    for one in signatures:
        form.check(one)
    if signatures:
        _typed(translation, python, name, form, signatures, options)
    else:
        _generic(translation, python, name, form, options)
    translation.finish()
    return name


class _Form:
    """The operands of a gufunc: names, core dimensions, which are written."""

    def __init__(self, python, layout, options):
        self.python = python
        self.names = python.parameters
        self.inputs = len(layout.inputs)
        self.groups = [*layout.inputs, *layout.outputs]
        if len(self.names) != len(self.groups):
            raise ArgumentError(
                f"the layout has {len(self.groups)} operands, but `{python.name}` "
                f"takes {len(self.names)} arguments"
            )
        self.inouts = set()
        for one in options.writable:
            index = self.names.index(one) if one in self.names else one
            if not isinstance(index, int) or not 0 <= index < self.inputs:
                raise ArgumentError(f"writable_args: {one!r} is not an input")
            self.inouts.add(self.names[index])
        if not layout.outputs:  # what it writes to is among its inputs
            self.inouts |= written_names(python) & {*self.names}
        # As in NumPy: without core dimensions it is a ufunc.
        self.is_ufunc = not (any(self.groups) or self.inouts)
        taken = {*python.local_names, *python.code.co_names}
        self.dims = {}
        for group in self.groups:
            for dim in group:
                bare = dim.rstrip("?")
                new = kern_name(bare)
                while new in taken:
                    new += "_"
                self.dims[dim] = bare if bare.isdigit() else new + dim[len(bare) :]

    def brackets(self, i):
        """`[m, n]`, or nothing for a scalar."""
        dims = [self.dims[one] for one in self.groups[i]]
        return f"[{', '.join(dims)}]" if dims else ""

    def check(self, signature):
        """Raises Numba's error if a signature does not fit the layout."""
        if len(signature.args) != len(self.names):
            raise ArgumentError(
                f"signature {signature!r} has {len(signature.args)} types, but "
                f"`{self.python.name}` takes {len(self.names)} arguments"
            )
        if signature.result is not None and signature.result.kind != "V":
            raise ArgumentError(
                f"signature {signature!r}: the function writes its results, and "
                "returns void"
            )
        for i, of in enumerate(signature.args):
            group = self.groups[i]
            if group and not isinstance(of, ArrayType):
                raise ArgumentError(
                    f"scalar type {of!r} given for non scalar argument #{i + 1}"
                )
            if isinstance(of, ArrayType) and of.ndim != max(len(group), 1):
                raise ArgumentError(
                    f"type and shape signature mismatch for arg #{i + 1}"
                )

    def defaults(self, signatures):
        """" = 2.0" for each operand, or ""."""
        columns = [
            set() if group else {getattr(of, "element", of).kind for of in column}
            for group, column in zip(self.groups, zip(*(one.args for one in signatures)))
        ]
        if not signatures:  # calls decide the types of those that are numbers
            columns = [set() if group else set("buifc") for group in self.groups]
        texts = defaults(self.python, columns, self.inputs)
        return texts + [""] * (len(self.names) - self.inputs)

    def header(self, name, types, where, signatures=()):
        """The text of the header; `types` are texts, "" of generic operands."""
        parts = []
        values = self.defaults(signatures)
        for i, one in enumerate(self.names):
            of = f"{types[i]}{self.brackets(i)}"
            inout = "inout " if one in self.inouts else ""
            text = f"{inout}{kern_name(one)}" + (f": {of}" if of else "")
            parts.append(text + values[i])
        kind = "ufunc" if self.is_ufunc else "gufunc"
        text = f"{kind} {name}({', '.join(parts[: self.inputs])})"
        results = [
            one for i, one in enumerate(parts) if i >= self.inputs and ":" in one
        ]
        if results:
            text += f" -> ({', '.join(results)})"
        return f"{text}{where}:\n"


def written_names(python):
    """The names whose elements a function assigns to."""
    return {
        node.value.id
        for node in ast.walk(python.node)
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
    }


def _typed(translation, python, name, form, signatures, options):
    rows = [
        [(of.element if isinstance(of, ArrayType) else of).kern for of in one.args]
        for one in signatures
    ]
    signatures = [one for i, one in enumerate(signatures) if rows[i] not in rows[:i]]
    rows = [row for i, row in enumerate(rows) if row not in rows[:i]]
    header = Header(translation, python, rows)
    stores = dict(zip(form.names, header.operands))
    variants = []
    for one in signatures:
        types = dict(zip(form.names, one.args))
        for i, given in enumerate(form.names):
            if i >= form.inputs and not isinstance(types[given], ArrayType):
                types[given] = ArrayType(types[given], 1)
        edits, inference = translation.translate(python, types, stores)
        scalars = {
            given
            for i, given in enumerate(form.names)
            if i < form.inputs
            and not form.groups[i]
            and isinstance(types[given], ArrayType)
        }
        if form.is_ufunc:
            scalars |= {*form.names[form.inputs :]}
        _Elements(python, edits, form, scalars, inference).all()
        variants.append(edits)
    lines = options.decorators(False) + form.header(
        name, header.operands, header.where, signatures
    )
    write_variants(translation, python, lines, header, variants)


def _generic(translation, python, name, form, options):
    ranks = zip(form.names[: form.inputs], map(len, form.groups))
    edits, _ = translation.translate(python, ranks=ranks)
    scalars = [
        one
        for i, one in enumerate(form.names)
        if i >= form.inputs and not form.groups[i]
    ]
    if scalars and len(scalars) < len(form.names) - form.inputs:
        raise ArgumentError(
            f"`{python.name}` has results with core dimensions and others without; "
            "give it signatures"
        )
    visitor = _Elements(python, edits, form, set(), None, set(scalars))
    visitor.all()
    lines = options.decorators(False) + form.header(name, [""] * len(form.names), "")
    begin(translation, python, lines)
    translation.writer.body(python, edits, 4)
    if scalars:
        # Scalar results of no declared type are returned.
        translation.writer.write(f"    return {', '.join(map(kern_name, scalars))}\n")


class _Elements(ast.NodeVisitor):
    """Spells accesses to operands without core dimensions, and whole arrays
    that are filled.

    scalars: inputs that Numba has as arrays of one element: `x[0]` is `x`.
    returned: results that become variables.
    """

    def __init__(self, python, edits, form, scalars, inference, returned=frozenset()):
        self.python = python
        self.edits = edits
        self.scalars = scalars | returned
        self.returned = returned
        self.inference = inference
        self.outputs = {
            one: len(form.groups[i])
            for i, one in enumerate(form.names)
            if i >= form.inputs or one in form.inouts
        }

    def all(self):
        for one in self.python.statements:
            self.visit(one)

    def visit_Return(self, node):
        if self.returned and node.value is None:
            names = ", ".join(map(kern_name, sorted(self.returned)))
            self.edits.replace(self.python.span(node), f"return {names}")
        self.generic_visit(node)

    def visit_Assign(self, node):
        target = node.targets[0]
        if (
            len(node.targets) == 1
            and isinstance(target, ast.Subscript)
            and isinstance(target.value, ast.Name)
            and self.outputs.get(target.value.id, 0) > 0
            and self.is_whole(target.slice)
            and self.is_number(node.value)
        ):
            self.fill(node, target)
        self.generic_visit(node)

    def is_whole(self, index):
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        return all(
            (isinstance(one, ast.Slice) and not (one.lower or one.upper or one.step))
            or (isinstance(one, ast.Constant) and one.value is Ellipsis)
            for one in parts
        )

    def is_number(self, node):
        if isinstance(node, (ast.Constant, ast.UnaryOp)):
            return True
        of = self.inference.types.get(node) if self.inference else None
        return is_integral(of) or getattr(of, "kind", "") in ("f", "c")

    def fill(self, node, target):
        """`y[:] = 0` as a loop in the same line."""
        name = kern_name(target.value.id)
        begin, end = self.python.span(node)
        text = self.python.file.text
        line = text[text.rfind("\n", 0, begin) + 1 : begin]
        if line.strip() or text[end : end + 1] == ";":
            raise self.python.error(node, "write this on a line of its own")
        ndim = self.outputs[target.value.id]
        indices = [f"kern_i{k}" for k in range(ndim)]
        sizes = ", ".join(f"{name}.shape[{k}]" for k in range(ndim))
        over = "range" if ndim == 1 else "prange"
        loop = f"for {', '.join(indices)} in {over}({sizes}): "
        self.edits.replace(self.python.span(target), f"{loop}{name}[{', '.join(indices)}]")

    def visit_Subscript(self, node):
        base = node.value
        if not isinstance(base, ast.Name):
            self.generic_visit(node)
            return
        if base.id in self.scalars:
            self.only_element(node)
            begin = self.python.span(base)[1]
            self.edits.replace((begin, self.python.span(node)[1]), "")
        elif self.outputs.get(base.id) == 0:
            self.only_element(node)
            self.edits.replace(self.python.span(node.slice), "0")
        else:
            self.generic_visit(node)

    def only_element(self, node):
        index = node.slice
        fine = (
            (isinstance(index, ast.Constant) and index.value in (0, Ellipsis))
            or (isinstance(index, ast.Tuple) and not index.elts)
            or (isinstance(index, ast.Slice) and self.is_whole(index))
        )
        if not fine:
            raise self.python.error(
                node, f"`{node.value.id}` has one element", "write index 0"
            )
