"""How large types are: many methods or members need a reason."""

import re
import unittest

from repository import CXX, RepositoryTest, files, place, read

MAX_METHODS = 25
MAX_MEMBERS = 10
# The reason, in the comment above the type or the one that begins its file.
REASON = re.compile(r"\bOne (class|record), since\b")

BLANK = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.S | re.M)
HEAD = re.compile(
    r"(?<!enum )\b(?:struct|class|union) (?:\[\[[^\]]*\]\] |alignas\(\w+\) )*"
    r"([\w:]+)(?: final)?\s*(?::[^:;{}][^;{}]*)?\{")
# How a function begins: a name with parameters, then a body, an initialiser
# list, or nothing more.
FUNCTION_BODY = re.compile(
    r"\)\s*(const|noexcept|override|->[^{]*|:[^{].*|\s)*\{\}$", re.S)
# Of a member: `= f(1)` or `{…}`.
VALUE = re.compile(r"\s*(=[^,()]*(\((?:[^()]|\([^()]*\))*\)[^,()]*)*|\{\})")
NO_MEMBER = re.compile(
    r"(using|typedef|friend|static_assert|enum|static constexpr)\b"
    r"|(struct|class|union) \w+$|(struct|class|union)\b[^(]*\{\}$")


def without_text(source):
    """The source with its comments, strings and directives blank."""
    return BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), source)


def declarations(body):
    """What stands in a type's body, with `{}` for all that is in braces."""
    depth, current = 0, ""
    for at, character in enumerate(body):
        if character == "{":
            current += "{" if depth == 0 else ""
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                current += "}"
                if FUNCTION_BODY.search(current) \
                        and not re.match(r"\s*[,{]", body[at + 1:]):
                    yield current
                    current = ""
        elif depth == 0:
            if character == ";":
                yield current
                current = ""
            else:
                current += character


def sizes(source):
    """(offset, name, number of methods, of members) of each type."""
    text = without_text(source)
    for match in HEAD.finditer(text):
        end, depth = match.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        methods = members = 0
        for declaration in declarations(text[match.end():end - 1]):
            declaration = re.sub(r"\b(public|private|protected):(?!:)", "", declaration)
            declaration = re.sub(r"^\s*template\s*<[^>]*>|\[\[.*?\]\]", "", declaration)
            declaration = declaration.strip()
            if not declaration or NO_MEMBER.match(declaration):
                continue
            # Without the arguments of templates, and without values.
            while (shorter := re.sub(r"<[^<>]*>", "", declaration)) != declaration:
                declaration = shorter
            if "operator" not in declaration:
                declaration = VALUE.sub("", declaration)
            declaration = re.sub(r"\(\*\w+\)\(.*\)", "", declaration, flags=re.S)
            if "(" in declaration:
                methods += 1
            else:
                members += 1 + declaration.count(",")
        yield match.start(), match[1], methods, members


def comment_above(source, offset):
    """The comment lines that end at an offset, as one line."""
    lines = source[:offset].rsplit("\n", 1)[0].split("\n")
    found = []
    while lines and re.match(r"\s*(//|/\*|\*|template\b|\S.*\*/$)", lines[-1]) \
            or found and lines and "*/" in found[-1] and "/*" not in found[-1]:
        found.append(lines.pop())
        if "/*" in found[-1]:
            break
    return " ".join(re.sub(r"^\s*/[/*]+<?\s*", "", line).strip() for line in found[::-1])


class Sizes(RepositoryTest):
    """Methods and members of types."""

    def test_they_are_counted(self):
        source = """
/// A comment; with a (parenthesis), and a { brace.
class Thing : public Base<int> {
public:
  explicit Thing(int a) : a(a), b{a} {}
  Thing(const Thing &) = delete;
  bool operator==(const Thing &) const = default;
  int get() const { return a ? 1 : 2; }
  template <typename T, typename U> T make(std::map<T, U> &from);
  static constexpr int limit = 3;
  using Word = int;
  struct Inner {
    int x = 0, y = 0; ///< (of it)
  };

private:
  int a = f(1), b;
  std::map<int, std::pair<int, int>> both = {{1, {2, 3}}};
  void (*callback)(int a, int b) = nullptr;
  Inner inner;
};
enum class Kind { A, B };
"""
        self.assertEqual([found[1:] for found in sizes(source)],
                         [("Thing", 5, 5), ("Inner", 0, 2)])
        self.assertEqual(comment_above(source, source.index("class Thing")),
                         "A comment; with a (parenthesis), and a { brace.")

    def test_many_methods_or_members_have_a_reason(self):
        count = 0
        found = []
        for folder in ("compiler", "dialects", "runtime", "tools", "python"):
            for path in files(CXX, below=folder):
                source = read(path)
                head = re.match(r"(//.*\n)*", source)[0].replace("\n//", "")
                for offset, name, methods, members in sizes(source):
                    count += 1
                    if (methods > MAX_METHODS or members > MAX_MEMBERS) and not (
                            REASON.search(comment_above(source, offset))
                            or REASON.search(" ".join(head.split()))):
                        found.append(f"{place(path, source, offset)}: {name} has {methods} "
                                     f"methods and {members} members, and no reason")
        self.assertGreater(count, 700)
        self.assertNone(found)


if __name__ == "__main__":
    unittest.main()
