; What stands out in Kern, in the names that editors agree on. Later patterns
; win over earlier ones.

(identifier) @variable

(comment) @comment
(string) @string
(docstring) @string.documentation
(integer) @number
(imaginary) @number
(float) @number.float
[(true) (false)] @boolean

[
  "ufunc"
  "gufunc"
  "def"
] @keyword.function

[
  "inout"
  "where"
  "const"
] @keyword.modifier

["import" "from" "as"] @keyword.import
["if" "elif" "else"] @keyword.conditional
["for" "while"] @keyword.repeat
[(break) (continue)] @keyword.repeat
"in" @keyword
"return" @keyword.return
["assert"] @keyword
[(pass) (ellipsis)] @keyword
["and" "or" "not"] @keyword.operator

[
  "+" "-" "*" "/" "//" "%" "**" "@" "&" "|" "^" "~" "<<" ">>"
  "<" "<=" ">" ">=" "==" "!=" "->" "=" "?"
  "+=" "-=" "*=" "/=" "//=" "%=" "**=" "&=" "|=" "^=" "<<=" ">>="
] @operator

["(" ")" "[" "]"] @punctuation.bracket
["," ":" ";" "."] @punctuation.delimiter

(function name: (identifier) @function)
(decorator "@" @attribute)
(decorator name: (identifier) @attribute)
(parameter name: (identifier) @variable.parameter)
(keyword_argument name: (identifier) @variable.parameter)
(constant name: (identifier) @constant)
(module name: (identifier) @module)
(import_from module: (identifier) @module)

(type_name (identifier) @type)
((type_name (identifier) @type.builtin)
  (#match? @type.builtin "^(bool|[iu](8|16|32|64)|b?f16|f32|f64|c64|c128|dim|integers|signed|unsigned|floats|complexes|reals|numbers)$"))

(call function: (identifier) @function.call)
(call function: (attribute name: (identifier) @function.call))
((call function: (identifier) @function.builtin)
  (#match? @function.builtin "^(range|prange|zip|enumerate|reversed|len|sum|prod|min|max|any|all|argmin|argmax|mean|fold|cumsum|cumprod|cummax|cummin|accumulate|zeros|empty|ones|full|zeros_like|empty_like|ones_like|full_like|array|arange|transpose|dot|matmul|outer|cross)$"))
((call function: (identifier) @type.builtin)
  (#match? @type.builtin "^(bool|int|float|complex|[iu](8|16|32|64)|b?f16|f32|f64|c64|c128)$"))
(attribute name: (identifier) @variable.member)
((identifier) @constant.builtin
  (#match? @constant.builtin "^(pi|tau|inf|nan|infj|nanj|eulergamma)$"))
