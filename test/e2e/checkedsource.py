"""A source compiled with checks, for the groups that look at its failures."""


class CheckedSource:
    """`name` is the file's name in messages."""

    def __init__(self, name, text):
        self.name = name
        self.text = text

    def compiled(self, ctx, checks):
        """Calls functions by name, on the suite's device."""
        module = ctx.lib.compile(self.text, name=self.name, checks=checks)
        return lambda function, *arguments: module[function](
            *arguments, place=ctx.place, device=ctx.dl_device)

    def place_of(self, part):
        """The place of the first line with `part`, as messages show it."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if part in line:
                return f"{self.name}:{number}:{line.index(part) + 1}"
        raise ValueError(part)
