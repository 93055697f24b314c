"""A TextMate tokenizer: the part of the format that our grammar uses.

`tokenize(grammar, text)` yields (line, begin, end, scope) for every part of the
text, with the innermost scope; lines count from 0, columns in code points.
"""

import json
import pathlib

import onigurumacffi


class Grammar:
    def __init__(self, path):
        self.source = json.loads(pathlib.Path(path).read_text())
        self.repository = self.source["repository"]
        self.compiled = {}

    def regex(self, pattern):
        if pattern not in self.compiled:
            self.compiled[pattern] = onigurumacffi.compile(pattern)
        return self.compiled[pattern]

    def rules(self, patterns):
        """The rules of a list of patterns, includes followed, in order."""
        for pattern in patterns:
            if "include" in pattern:
                name = pattern["include"].removeprefix("#")
                pattern = self.repository[name]
            if "match" in pattern or "begin" in pattern:
                yield pattern
            else:
                yield from self.rules(pattern["patterns"])


def unescaped(match, end):
    """An end pattern with the text that the begin captured."""
    import re

    return re.sub(r"\\(\d)", lambda m: re.escape(match.group(int(m[1]))), end)


def tokenize(grammar, text):
    stack = []  # (scope, end pattern, patterns)
    for number, line in enumerate(text.split("\n")):
        at = 0
        while at <= len(line):
            scope, end, patterns = (
                stack[-1] if stack else ("", None, grammar.source["patterns"])
            )
            found = None
            candidates = [({"end": end}, end)] if end else []
            candidates += [
                (rule, rule.get("match") or rule["begin"])
                for rule in grammar.rules(patterns)
            ]
            for rule, pattern in candidates:
                match = grammar.regex(pattern).search(line, at)
                if match and (found is None or match.start() < found[1].start()):
                    found = rule, match
            if not found:
                if at < len(line):
                    yield number, at, len(line), scope
                break
            rule, match = found
            if match.start() > at:
                yield number, at, match.start(), scope
            if "end" in rule and "begin" not in rule:
                if match.end() > match.start():
                    yield number, match.start(), match.end(), scope
                stack.pop()
                at = match.end()
                if match.end() == match.start() and at == len(line):
                    break
                continue
            if "begin" in rule:
                stack.append(
                    (rule["name"], unescaped(match, rule["end"]),
                     rule.get("patterns", []))
                )
                yield number, match.start(), match.end(), rule["name"]
            elif "captures" in rule:
                begin = match.start()
                for group, capture in sorted(rule["captures"].items()):
                    first, last = match.span(int(group))
                    if first > begin:
                        yield number, begin, first, scope
                    yield number, first, last, capture["name"]
                    begin = last
            elif match.end() > match.start():
                yield number, match.start(), match.end(), rule["name"]
            if match.end() == at and "begin" not in rule:
                raise ValueError(f"a rule matches nothing at {number}:{at}: {rule}")
            at = match.end()
