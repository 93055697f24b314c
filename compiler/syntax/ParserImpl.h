//===- ParserImpl.h - the recursive-descent parser --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the parser's sources.
//
// There are two kinds of errors. `complain` reports something whose meaning is
// clear all the same (a list, a missing colon before the line's end); parsing
// continues in place. `fail` and `unexpected` give up the logical line: they
// skip its tokens, every production on the way out sees the Newline and
// returns, and nothing more is reported until the next line begins. So each
// line has at most one error of the second kind.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/Tree.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace kern::compiler::syntax {

/// One class, since its methods, one for each production, share the tokens, the
/// position, and what is known of the errors so far.
class Parser {
public:
  Parser(uint32_t file, DiagnosticEngine &diagnostics)
      : file(file), diagnostics(diagnostics), lexer(file, diagnostics),
        source(diagnostics.sourceManager().file(file).text()) {}

  File parseFile();

private:
  /// Nested brackets, operators and blocks: the depth of the parser's
  /// recursion.
  static constexpr unsigned nestingLimit = 200;
  /// Levels of one expression's tree, long chains such as `a + a + …` included:
  /// code that walks the tree may recurse.
  static constexpr unsigned heightLimit = 2000;
  /// Nested `elif`s.
  static constexpr unsigned elifLimit = 500;

  // Tokens and places (Parser.cpp)
  const Token &peek(unsigned ahead = 0);
  Token advance();
  bool at(TokenKind kind) { return peek().kind == kind; }
  bool atWord(std::string_view word);
  bool accept(TokenKind kind);
  bool atLineEnd();
  std::string_view text(const Token &token) const;
  /// The normalised name of a token.
  std::string name(const Token &token) const;
  Span span(const Token &token) const { return {file, token.begin, token.end}; }
  /// From `begin` to the end of the last consumed token.
  Span spanFrom(uint32_t begin) const {
    return {file, begin, std::max(begin, lastEnd)};
  }
  std::string describe(const Token &token) const;
  std::string asWord(std::string_view word, const Token &sign) const;

  // Errors and recovery (Parser.cpp)
  void complain(Diag id, Span span,
                std::initializer_list<std::string> arguments, Help help = {});
  void fail(Diag id, Span span, std::initializer_list<std::string> arguments,
            Help help = {});
  /// Fails at the current token, described by `arguments`. If an unmatched
  /// bracket is the cause, reports that instead.
  void unexpected(Diag id, std::initializer_list<std::string> arguments,
                  Help help = {});
  void expected(std::string what, Help help = {});
  bool explainBrackets();
  void skipLine();
  void suppressUnknownNames(uint32_t begin, uint32_t end);
  /// After a skipped line: takes its Newline and reports errors again.
  void startNewLine();
  void skipSuite();
  bool expect(TokenKind kind, std::string_view what);
  std::optional<Identifier> expectName(std::string what);

  /// Counts one level of recursion. Too many levels are reported; it is false
  /// then.
  class Nesting {
  public:
    explicit Nesting(Parser &parser) : parser(parser), ok(parser.enter()) {}
    ~Nesting() { --parser.nesting; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;
    explicit operator bool() const { return ok; }

  private:
    Parser &parser;
    bool ok;
  };
  bool enter();

  /// An open bracket of the current production.
  class Bracket {
  public:
    explicit Bracket(Parser &parser) : parser(parser) {
      parser.brackets.push_back(parser.advance());
    }
    ~Bracket() { parser.brackets.pop_back(); }
    Bracket(const Bracket &) = delete;
    Bracket &operator=(const Bracket &) = delete;

  private:
    Parser &parser;
  };
  /// Whether a list continues; takes the `,` between two elements. Any token
  /// other than `,` and `closing` fails.
  bool continueList(TokenKind closing, std::string_view spelling);

  // Expressions (ParseExpressions.cpp). `height` is that of the last one.
  template <typename T> ExprPtr make(Span span, T node, unsigned below);
  ExprPtr makeError(Span span);
  ExprPtr parseExpression();
  ExprPtr parseExpressionList();
  ExprPtr parseOr();
  ExprPtr parseAnd();
  ExprPtr parseNot();
  ExprPtr parseComparison();
  ExprPtr parseBinary(unsigned minimum);
  ExprPtr parseUnary();
  ExprPtr parsePower();
  bool atIncrement();

  // Primaries, calls, subscripts, generators (ParsePrimaries.cpp)
  ExprPtr parsePostfix();
  ExprPtr parsePrimary();
  ExprPtr parseParenthesized();
  ExprPtr parseCall(ExprPtr function, uint32_t begin);
  bool parseArgument(Call &call, unsigned &below);
  ExprPtr parseSubscript(ExprPtr value, uint32_t begin);
  Index parseIndex(unsigned &below);
  ExprPtr parseGenerator(ExprPtr element, uint32_t begin);
  ExprPtr parseTargetList();
  ExprPtr parseTarget();

  // Habits from Python and C (Unsupported.cpp). Each function consumes the
  // construct, reports it and returns a replacement.
  ExprPtr parseListLiteral();
  ExprPtr parseBraceLiteral();
  ExprPtr parseLambda();
  ExprPtr parseStringValue();
  ExprPtr parseUnsupportedWord();
  bool parseUnsupportedStatement(Block *block);
  void parseCases(Block *block);
  void parseExceptionClauses(Block *block);
  void parseDiscardedSuite(Block *block);
  void rejectTopLevelStatement();

  // Blocks and compound statements (ParseBlocks.cpp)
  Block parseSuite(std::string_view what);
  bool expectColon(std::string_view what);
  void expectedBlock(std::string_view what);
  void parseStatements(Block &block);
  void parseStatement(Block &block);
  StmtPtr parseIf();
  StmtPtr parseWhile();
  StmtPtr parseFor();
  Block parseLoopElse();
  void rejectStrayElse();

  // Simple statements (ParseStatements.cpp)
  void parseSimpleLine(Block &block);
  void parseSimple(Block &block);
  void parseExpressionStatement(Block &block);
  void parseAssert(Block &block);
  bool endLine(Help help = {});
  Help helpAfterName(const std::string &name);
  void warnOfReversedOperator(const Token &equal);
  void checkTarget(Expr &target, bool namesOnly);
  std::optional<Docstring> parseDocstring();

  // Items (ParseItems.cpp)
  void parseItem(File &file);
  void parseFunction(File &file);
  void parseEllipsis(Function &function);
  std::vector<Decorator> parseDecorators();
  std::optional<Decorator> parseDecorator();
  void checkDecorator(const Decorator &decorator);
  void parseConst(File &file);
  void parseImport(File &file);
  void parseFromImport(File &file);
  std::optional<Identifier> parseModuleName();

  // Headers (ParseHeaders.cpp)
  void parseHeader(Function &function);
  bool parseParameter(Function &function);
  void parseParameterWithoutColon(Parameter &parameter);
  void parseDefault(const Function &function, Parameter &parameter);
  bool parseResults(Function &function);
  bool parseWhere(Function &function);
  bool parseWhereClause(WhereClause &clause);
  bool parseTypeNames(std::vector<Identifier> &names);

  // Types and dimensions (ParseTypes.cpp)
  std::optional<TypeSyntax> parseType();
  bool parseDimensions(TypeSyntax &type);
  void addUnnamed(TypeSyntax &type, Span place);
  void checkDimension(const Expr &expr);
  std::optional<Identifier> parseTypeName();

  uint32_t file;
  DiagnosticEngine &diagnostics;
  Lexer lexer;
  std::string_view source;

  std::array<Token, 4> ahead;
  unsigned aheadCount = 0;
  uint32_t lastEnd = 0;
  Token lineToken; ///< the last token that began a line inside brackets
  uint32_t endBeforeLine = 0;

  bool panicking = false;
  bool bracesReported = false; ///< a `{` block whose `}` is still to come
  std::vector<Token> brackets;
  unsigned nesting = 0;
  unsigned elifs = 0;
  unsigned height = 0;
  /// The start of a call's argument that may be a parenthesised generator.
  uint32_t argumentBegin = UINT32_MAX;
};

template <typename T> ExprPtr Parser::make(Span span, T node, unsigned below) {
  height = below + 1;
  auto expr = std::make_unique<Expr>();
  expr->span = span;
  if (height > heightLimit) {
    fail(Diag::too_deep, span, {std::to_string(heightLimit)},
         "give parts of this expression names of their own");
    height = 1;
    return expr;
  }
  expr->node = std::move(node);
  return expr;
}

template <typename T> StmtPtr makeStmt(Span span, T node) {
  auto stmt = std::make_unique<Stmt>();
  stmt->span = span;
  stmt->node = std::move(node);
  return stmt;
}

/// Describes an expression for an error message.
std::string describe(const Expr &expr);

} // namespace kern::compiler::syntax
