//===- ParseItems.cpp - files, functions, constants, imports --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/ParserImpl.h"
#include "runtime/error/NearestName.h"

namespace kern::compiler::syntax {

File Parser::parseFile() {
  File result;
  result.file = file;
  unsigned extraIndents = 0;
  auto skipStructure = [&] {
    while (at(TokenKind::Newline) || at(TokenKind::Indent) ||
           at(TokenKind::Dedent)) {
      if (advance().kind == TokenKind::Indent) {
        ++extraIndents;
        complain(Diag::unexpected_indent, span(peek()), {},
                 "items of a file begin in the first column");
      }
    }
  };
  skipStructure();
  result.docstring = parseDocstring();
  if (result.docstring && !accept(TokenKind::Semicolon))
    endLine();
  for (skipStructure(); !at(TokenKind::EndOfFile); skipStructure())
    parseItem(result);
  return result;
}

/// Consumes at least one token.
void Parser::parseItem(File &result) {
  switch (peek().kind) {
  case TokenKind::Def:
  case TokenKind::Ufunc:
  case TokenKind::Gufunc:
  case TokenKind::At:
    return parseFunction(result);
  case TokenKind::Const:
    return parseConst(result);
  case TokenKind::Import:
    return parseImport(result);
  case TokenKind::From:
    return parseFromImport(result);
  default:
    if (!parseUnsupportedStatement(nullptr))
      rejectTopLevelStatement();
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Parser::parseFunction(File &result) {
  uint32_t begin = peek().begin;
  const unsigned errorsBefore = diagnostics.errors();
  Function function;
  function.decorators = parseDecorators();
  switch (peek().kind) {
  case TokenKind::Def:
    function.kind = ItemKind::Def;
    break;
  case TokenKind::Ufunc:
    function.kind = ItemKind::Ufunc;
    break;
  case TokenKind::Gufunc:
    function.kind = ItemKind::Gufunc;
    break;
  default:
    // The item that follows is still parsed.
    complain(Diag::misplaced_decorator, spanFrom(begin), {describe(peek())});
    return;
  }
  if (function.kind == ItemKind::Def && !function.decorators.empty()) {
    const Decorator &decorator = function.decorators.front();
    complain(Diag::misplaced_decorator, decorator.span, {"a `def`"},
             "a `def` is inlined, and takes over the decorators of the "
             "function that calls it");
  }
  Token keyword = advance();
  std::string what = "`" + std::string(text(keyword)) + "`";
  std::optional<Identifier> name =
      expectName("the function's name after " + what);
  if (name)
    function.name = std::move(*name);
  if (!panicking)
    parseHeader(function);

  // Like parseSuite, but with a docstring at the beginning of the block.
  bool colon = expectColon(what);
  function.header = spanFrom(keyword.begin);
  if (colon && !atLineEnd()) {
    function.docstring = parseDocstring();
    if (!function.docstring || accept(TokenKind::Semicolon)) {
      parseEllipsis(function);
      if (!function.ellipsis)
        parseSimpleLine(function.body);
    } else {
      endLine();
    }
  } else {
    startNewLine();
    if (accept(TokenKind::Indent)) {
      function.docstring = parseDocstring();
      if (function.docstring && !accept(TokenKind::Semicolon))
        endLine();
      parseEllipsis(function);
      parseStatements(function.body);
      accept(TokenKind::Dedent);
    } else if (colon) {
      expectedBlock(what);
    }
  }
  if (diagnostics.errors() != errorsBefore)
    diagnostics.markBroken(spanFrom(begin));
  if (!function.name.name.empty())
    result.items.push_back({spanFrom(begin), std::move(function)});
}

/// A ufunc's `...`, alone on its line in place of the body.
void Parser::parseEllipsis(Function &function) {
  if (function.kind != ItemKind::Ufunc || !at(TokenKind::Ellipsis) ||
      peek(1).kind != TokenKind::Newline)
    return;
  function.ellipsis = span(advance());
  endLine();
}

std::vector<Decorator> Parser::parseDecorators() {
  std::vector<Decorator> decorators;
  while (at(TokenKind::At)) {
    std::optional<Decorator> decorator = parseDecorator();
    endLine();
    if (decorator)
      decorators.push_back(std::move(*decorator));
  }
  return decorators;
}

/// `@name` or `@name(key=value, …)`. Unknown ones are reported and left out.
std::optional<Decorator> Parser::parseDecorator() {
  uint32_t begin = advance().begin;
  std::optional<Identifier> name = expectName("a decorator's name after `@`");
  if (!name)
    return std::nullopt;
  while (accept(TokenKind::Dot)) {
    std::optional<Identifier> part = expectName("a name after `.`");
    if (!part)
      return std::nullopt;
    name->name += "." + part->name;
    name->span = name->span.to(part->span);
  }
  bool known = name->name == "fastmath" || name->name == "associative";
  if (!known) {
    static const std::vector<std::string_view> candidates = {"fastmath",
                                                             "associative"};
    std::string_view likely = runtime::nearestName(name->name, candidates);
    fail(Diag::unknown_decorator, name->span, {name->name},
         !likely.empty() ? Help("did you mean `@" + std::string(likely) + "`?",
                                std::string(likely))
                         : "`ufunc` and `gufunc` are compiled without one; "
                           "there are `@fastmath` and "
                           "`@associative(identity=0)`");
    return std::nullopt;
  }
  Decorator decorator;
  decorator.kind =
      name->name == "fastmath" ? Decorator::Fastmath : Decorator::Associative;
  decorator.name = std::move(*name);
  bool positional = false;
  if (at(TokenKind::LParen)) {
    Bracket bracket(*this);
    Call call;
    unsigned below = 0;
    if (!at(TokenKind::RParen)) {
      do {
        if (!parseArgument(call, below))
          return std::nullopt;
      } while (continueList(TokenKind::RParen, ")"));
    }
    if (!expect(TokenKind::RParen, "`)`"))
      return std::nullopt;
    positional = !call.arguments.empty();
    decorator.keywords = std::move(call.keywords);
  }
  decorator.span = spanFrom(begin);
  bool fastmath = decorator.kind == Decorator::Fastmath;
  bool good = !positional &&
              (fastmath ? decorator.keywords.empty()
                        : decorator.keywords.size() == 1 &&
                              decorator.keywords[0].first.name == "identity");
  if (good)
    return decorator;
  complain(Diag::decorator_arguments, decorator.span,
           {decorator.name.name,
            fastmath ? "no arguments" : "exactly one argument, `identity=V`"},
           fastmath ? "write `@fastmath`"
                    : "write the value that changes nothing: "
                      "`@associative(identity=0)` for a sum");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Constants and imports
//===----------------------------------------------------------------------===//

void Parser::parseConst(File &result) {
  uint32_t begin = advance().begin;
  Const constant;
  if (std::optional<Identifier> name =
          expectName("the constant's name after `const`")) {
    constant.name = std::move(*name);
    if (accept(TokenKind::Colon))
      constant.type = parseType();
    if (!panicking && expect(TokenKind::Equal, "`=` and the constant's value"))
      constant.value = parseExpressionList();
  }
  Span whole = spanFrom(begin);
  endLine();
  if (constant.value)
    result.items.push_back({whole, std::move(constant)});
}

/// `m` or `m.n`; the name keeps its dots.
std::optional<Identifier> Parser::parseModuleName() {
  std::optional<Identifier> name = expectName("a module's name");
  while (name && accept(TokenKind::Dot)) {
    std::optional<Identifier> part = expectName("a name after `.`");
    if (!part)
      return std::nullopt;
    name->name += "." + part->name;
    name->span = name->span.to(part->span);
  }
  return name;
}

/// `import a, b as c`: one item per module.
void Parser::parseImport(File &result) {
  uint32_t begin = advance().begin;
  do {
    Import import;
    std::optional<Identifier> module = parseModuleName();
    if (!module)
      break;
    import.module = std::move(*module);
    if (accept(TokenKind::As)) {
      import.alias = expectName("a name after `as`");
      if (!import.alias)
        break;
    }
    result.items.push_back({spanFrom(begin), std::move(import)});
    begin = peek(1).begin;
  } while (accept(TokenKind::Comma));
  endLine();
}

void Parser::parseFromImport(File &result) {
  uint32_t begin = advance().begin;
  Import import;
  std::optional<Identifier> module = parseModuleName();
  if (module && expect(TokenKind::Import, "`import`")) {
    import.module = std::move(*module);
    auto parseNames = [&](bool bracketed) {
      do {
        std::optional<Identifier> name = expectName("a name to import");
        if (!name)
          return;
        std::optional<Identifier> alias;
        if (accept(TokenKind::As)) {
          alias = expectName("a name after `as`");
          if (!alias)
            return;
        }
        import.names.emplace_back(std::move(*name), std::move(alias));
      } while (bracketed ? continueList(TokenKind::RParen, ")")
                         : accept(TokenKind::Comma));
    };
    if (at(TokenKind::Star)) {
      fail(Diag::star_import, span(peek()), {},
           "name what you need: `from " + import.module.name + " import f, g`");
    } else if (at(TokenKind::LParen)) {
      Bracket bracket(*this);
      parseNames(true);
      expect(TokenKind::RParen, "`)`");
    } else {
      parseNames(false);
    }
  }
  Span whole = spanFrom(begin);
  endLine();
  if (!import.names.empty())
    result.items.push_back({whole, std::move(import)});
}

} // namespace kern::compiler::syntax
