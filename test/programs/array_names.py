"""Loops that bind the names of arrays again, and stores through these names: what
they mean depends on how often the loop runs."""

import re

from array_tree import Line, Turns
from array_values import ArrayValues, Source, dimension, literal
from tree import Cmp, If, Lit, Name


class ArrayNames(ArrayValues):
    def turns(self):
        """How often a loop runs: perhaps never, as only the call knows."""
        return self.pick(["i64(s) % 3", "i64(s) % 3", "0", "2",
                          self.text_of(dimension(self.pick("mn")))])

    def bound(self):
        """Names of local arrays and of parts, which may mean other arrays."""
        return [s for s in self.sources if s.name[0] in "tv" and s.shape and
                s.type and s.type != "bool" and re.fullmatch(r"\w+", s.name)]

    def share(self, a, b):
        """From now on either name may mean an array of the other."""
        roots = a.roots | b.roots
        for s in self.sources:
            if s.roots & roots:
                s.roots |= roots

    def binding(self, source, alike):
        """A line that binds the name of a source to another array of its shape."""
        other = self.pick(alike) if alike else None
        kind = self.pick(["new", "new", "copy", "name", "swap", "before"])
        if kind == "before":
            name = self.name("w")
            return [Line(f"{name} = {source.name}", []),
                    Line(f"{source.name} = {source.name} + {name}", [])]
        if other is None or kind == "new":
            return [Line(f"{source.name} = {source.name} * 2 + 1", [])]
        if kind == "copy":
            return [Line(f"{source.name} = {other.name}.copy()", [])]
        self.share(source, other)
        source.is_written = source.is_written and other.is_written
        if kind == "swap":
            other.is_written = source.is_written
            return [Line(f"{source.name}, {other.name} = "
                         f"{other.name}, {source.name}", [])]
        return [Line(f"{source.name} = {other.name}", [])]

    def touch(self, names):
        """A store through one of the names."""
        written = [s for s in names if s.is_written]
        if not written:
            return []
        source = self.pick(written)
        if any(min(sizes) == 0 for _, sizes in source.shape):
            raise LookupError("no element of an array that may be empty")
        first = ", ".join("0" for _ in source.shape)
        return [Line(source.name + self.pick([f"[{first}] = 5", f"[{first}] += 3",
                                              " += 1"]), [])]

    def leaves(self, index):
        """A break under a constant or a condition of the iteration."""
        test = self.pick([Cmp(["<"], [Lit(0), Lit(9)]), Cmp([">"], [Lit(0), Lit(9)]),
                          Cmp([">"], [Name(index), Lit(0)]), self.test()])
        return [If([test], [[Line("break", [])]])]

    def second(self, source):
        """Another name: of the same array, of its elements turned round, or of another
        array."""
        name = self.name(self.pick("tv"))
        if name[0] == "v":
            value = source.name + self.pick(["", "[::-1]"])
            made = Source(name, source.type, source.shape, source.is_written,
                          source.roots)
        else:
            value = source.name + self.pick(["", ".copy()", " * 2 + 1"])
            is_same = value == source.name
            made = Source(name, source.type, source.shape,
                          source.is_written or not is_same,
                          source.roots if is_same else None)
        self.sources.append(made)
        return made, [Line(f"{name} = {value}", [])]

    def again(self, depth):
        lines = self.local(depth)
        found = self.bound()
        if not found:
            return lines
        source = self.pick(found[-3:])
        if self.chance(0.7):
            made, line = self.second(source)
            found.append(made)
            lines += line
            source = self.pick([source, made])
        alike = [s for s in found if s is not source and s.shape == source.shape
                 and s.type == source.type and s.name[0] == source.name[0] == "t"]
        others = [s for s in self.sources if s.name[0] in "tvyg" and s.shape and
                  s.roots & source.roots and "[" not in s.name]
        index, kept = self.name("i"), dict(self.indices)
        self.indices[index] = "", ()  # that no axis has
        body = self.binding(source, alike)
        if self.chance(0.3):
            body += self.touch([source] + alike[:1])
        if self.chance(0.3):
            body += self.leaves(index)
        if self.chance(0.3):
            body += self.binding(source, alike)
        self.indices = kept
        if self.chance(0.25):
            lines.append(Turns("", index, "1, 0, 2", body))
        else:
            lines.append(Turns("range", index, self.turns(), body))
        if self.chance(0.5):
            lines += self.touch([source] + others + alike[:1])
        return lines
