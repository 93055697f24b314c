"""Highlights Kern for Pygments: Sphinx, Jupyter, LaTeX, `pygmentize`.

The words are those of the TextMate grammar beside this folder. Text that is not
Kern becomes an Error token.
"""

from pygments.lexer import RegexLexer, bygroups, include, words
from pygments.token import (Comment, Error, Keyword, Name, Number, Operator,
                            Punctuation, String, Text, Whitespace)

NAME = r"[^\W\d]\w*"
TYPES = ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16",
         "bf16", "f32", "f64", "c64", "c128", "int8", "int16", "int32",
         "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
         "float32", "float64", "complex64", "complex128", "dim")
SETS = ("integers", "signed", "unsigned", "floats", "complexes", "reals",
        "numbers")
CONSTANTS = ("pi", "tau", "inf", "nan", "eulergamma")
# Python keywords that Kern rejects.
REFUSED = ("async", "await", "class", "del", "except", "finally", "global",
           "is", "lambda", "nonlocal", "raise", "try", "with", "yield")


def quoted(quote):
    """A docstring; its tests are highlighted differently."""
    return [
        (quote, String.Doc, "#pop"),
        (r"(?m)^[ \t]*(?:>>>|\.\.\.).*?(?=" + quote + r"|$)", Comment.Preproc),
        (r"\\.", String.Escape),
        (r"[^\\\n]+?(?=" + quote + r"|\\|\n)", String.Doc),
        (r"\n", String.Doc),
        (r"[^\n]", String.Doc),
    ]


class KernLexer(RegexLexer):
    """Of `.kern` files."""

    name = "Kern"
    aliases = ["kern"]
    filenames = ["*.kern"]
    mimetypes = ["text/x-kern"]

    tokens = {
        "root": [
            (r"\n", Whitespace),
            (r"[ \t\f\r]+", Whitespace),
            (r"\\\n", Text),
            (r"#.*$", Comment.Single),
            (r'"""', String.Doc, "double-docstring"),
            (r"'''", String.Doc, "single-docstring"),
            (r'"', String.Double, "double-string"),
            (r"'", String.Single, "single-string"),
            (r"\b(ufunc|gufunc|def)(\s+)(" + NAME + ")",
             bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (r"\b(const)(\s+)(" + NAME + ")",
             bygroups(Keyword.Declaration, Whitespace, Name.Constant)),
            (r"(?m)^([ \t]*)(@)(\s*)(" + NAME + ")",
             bygroups(Whitespace, Operator, Whitespace, Name.Decorator)),
            include("numbers"),
            (words(("import", "from", "as"), r"\b", r"\b"), Keyword.Namespace),
            (words(("and", "or", "not"), r"\b", r"\b"), Operator.Word),
            (words(("if", "elif", "else", "while", "for", "in", "break",
                    "continue", "pass", "return", "assert"), r"\b", r"\b"),
             Keyword),
            (words(("ufunc", "gufunc", "def", "const"), r"\b", r"\b"),
             Keyword.Declaration),
            (r"\binout(?=\s+[^\W\d])", Keyword.Declaration),
            # The `where` of a header. The function `where` has an argument list.
            (r"(?<=[\])\w] )where(?=\s+[^\W\d(]|\s*\()(?=.*\bin\b.*:)",
             Keyword.Declaration),
            (words(REFUSED, r"\b", r"\b"), Error),
            (words(("True", "False", "None"), r"\b", r"\b"), Keyword.Constant),
            (words(CONSTANTS, r"(?<!\.)\b", r"\b(?!\s*\()"), Name.Constant),
            (words(TYPES, r"\b", r"\b"), Keyword.Type),
            (words(SETS, r"(?<=\bin )", r"\b"), Keyword.Type),
            (r"(?<=\.)" + NAME, Name.Attribute),
            (NAME + r"(?=\s*\()", Name.Function),
            (NAME, Name),
            (r"->|\*\*=?|//=?|<<=?|>>=?|[-+*/%&|^=!<>]=|[-+*/%&|^~@?=<>]",
             Operator),
            (r"[()\[\]{},:;.]", Punctuation),
        ],
        "numbers": [
            (r"0[xX](?:_?[0-9a-fA-F])+", Number.Hex),
            (r"0[oO](?:_?[0-7])+", Number.Oct),
            (r"0[bB](?:_?[01])+", Number.Bin),
            (r"(?:\d(?:_?\d)*\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)"
             r"(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?", Number.Float),
            (r"\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*[jJ]?|[jJ])", Number.Float),
            (r"\d(?:_?\d)*", Number.Integer),
        ],
        "double-docstring": quoted('"""'),
        "single-docstring": quoted("'''"),
        "double-string": [
            (r'"', String.Double, "#pop"),
            (r"\\.", String.Escape),
            (r'[^"\\\n]+', String.Double),
            (r"\n", Whitespace, "#pop"),
        ],
        "single-string": [
            (r"'", String.Single, "#pop"),
            (r"\\.", String.Escape),
            (r"[^'\\\n]+", String.Single),
            (r"\n", Whitespace, "#pop"),
        ],
    }
