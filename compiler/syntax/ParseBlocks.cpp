//===- ParseBlocks.cpp - blocks and compound statements -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/ParserImpl.h"

namespace kern::compiler::syntax {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The `:` at the end of a header. If only the colon is missing, the block is
/// parsed as if it were there.
bool Parser::expectColon(std::string_view what) {
  if (panicking)
    return false;
  if (at(TokenKind::Equal)) {
    const bool isReversed =
        peek(1).kind == TokenKind::Greater && peek(1).begin == peek().begin + 1;
    if (isReversed) {
      complain(Diag::c_operator, {file, peek().begin, peek(1).end}, {"=>"},
               {"write `>=`", ">="});
      advance();
    } else {
      complain(Diag::assignment_in_condition, span(peek()), {},
               {"compare with `==`", "=="});
    }
    advance();
    parseExpression();
    if (panicking)
      return false;
  }
  if (accept(TokenKind::Colon))
    return true;
  if (at(TokenKind::Newline) && brackets.empty()) {
    complain(Diag::missing_colon, {file, lastEnd, lastEnd},
             {std::string(what), describe(peek())}, {"add the `:`", ":"});
    return true;
  }
  bracesReported |= at(TokenKind::LBrace);
  unexpected(Diag::missing_colon, {std::string(what), describe(peek())},
             at(TokenKind::LBrace)
                 ? "write blocks with `:` and indentation, not braces"
                 : "");
  return false;
}

/// The `:` and its block: indented, or statements on the same line. The block
/// is parsed even after an error in the header.
Block Parser::parseSuite(std::string_view what) {
  Block block;
  Nesting level(*this);
  bool colon = level && expectColon(what);
  if (colon && !at(TokenKind::Newline) && !at(TokenKind::EndOfFile)) {
    parseSimpleLine(block);
    return block;
  }
  startNewLine();
  if (!level) {
    skipSuite();
  } else if (accept(TokenKind::Indent)) {
    parseStatements(block);
    accept(TokenKind::Dedent);
  } else if (colon) {
    expectedBlock(what);
  }
  return block;
}

/// Reports a header without a block.
void Parser::expectedBlock(std::string_view what) {
  uint32_t begin = lastEnd - (source[lastEnd - 1] == ':');
  complain(Diag::expected_block, {file, begin, lastEnd}, {std::string(what)},
           "indent the lines that belong to it by four spaces; a block that "
           "does nothing says `pass`");
}

/// Parses statements up to the Dedent that ends their block and leaves the
/// Dedent.
void Parser::parseStatements(Block &block) {
  unsigned extraIndents = 0;
  while (!at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Indent)) {
      advance();
      complain(Diag::unexpected_indent, span(peek()), {},
               "lines of one block begin in the same column");
      ++extraIndents;
    } else if (at(TokenKind::Dedent)) {
      if (extraIndents == 0)
        return;
      --extraIndents;
      advance();
    } else if (!accept(TokenKind::Newline)) {
      parseStatement(block);
    }
  }
}

/// Consumes at least one token.
void Parser::parseStatement(Block &block) {
  if (parseUnsupportedStatement(&block))
    return;
  switch (peek().kind) {
  case TokenKind::If:
    block.push_back(parseIf());
    return;
  case TokenKind::While:
    block.push_back(parseWhile());
    return;
  case TokenKind::For:
    block.push_back(parseFor());
    return;
  case TokenKind::Elif:
  case TokenKind::Else:
    return rejectStrayElse();
  case TokenKind::Def:
  case TokenKind::Ufunc:
  case TokenKind::Gufunc:
  case TokenKind::At:
    fail(Diag::nested_item, span(peek()),
         {at(TokenKind::At) ? "a decorator" : "a function"},
         "move it out, to the top of the file, and pass what it needs as "
         "parameters");
    startNewLine();
    return skipSuite();
  case TokenKind::Const:
  case TokenKind::Import:
  case TokenKind::From:
    fail(Diag::nested_item, span(peek()), {describe(peek())},
         at(TokenKind::Const)
             ? "move it to the top of the file, or write it without `const`"
             : "move it to the top of the file");
    return startNewLine();
  default:
    return parseSimpleLine(block);
  }
}

//===----------------------------------------------------------------------===//
// Compound statements
//===----------------------------------------------------------------------===//

/// Parses a whole chain of `if`, `elif` and `else` in a loop, then nests it
/// from its end.
StmtPtr Parser::parseIf() {
  struct Branch {
    uint32_t begin;
    If node;
  };
  std::vector<Branch> branches;
  Block otherwise;
  unsigned outerElifs = elifs;
  bool tooMany = false;
  std::string_view what = "`if`";
  for (;;) {
    if (tooMany) {
      skipLine();
      startNewLine();
      skipSuite();
    } else {
      Branch branch{advance().begin, {}};
      branch.node.condition = parseExpression();
      branch.node.then = parseSuite(what);
      branches.push_back(std::move(branch));
    }
    if (at(TokenKind::Else) && peek(1).kind == TokenKind::If) {
      uint32_t begin = advance().begin;
      complain(Diag::else_if, {file, begin, peek().end}, {},
               {"write `elif`", "elif"});
    } else if (!at(TokenKind::Elif)) {
      break;
    }
    what = "`elif`";
    if (++elifs > elifLimit && !std::exchange(tooMany, true))
      complain(Diag::too_deep, span(peek()), {std::to_string(elifLimit)},
               "split the function into several");
  }
  if (accept(TokenKind::Else))
    otherwise = parseSuite("`else`");
  elifs = outerElifs;
  branches.back().node.otherwise = std::move(otherwise);
  for (size_t i = branches.size(); i-- > 1;)
    branches[i - 1].node.otherwise.push_back(
        makeStmt(spanFrom(branches[i].begin), std::move(branches[i].node)));
  return makeStmt(spanFrom(branches[0].begin), std::move(branches[0].node));
}

StmtPtr Parser::parseWhile() {
  uint32_t begin = advance().begin;
  ExprPtr condition = parseExpression();
  Block body = parseSuite("`while`");
  Span whole = spanFrom(begin);
  Block otherwise = parseLoopElse();
  return makeStmt(whole, While{std::move(condition), std::move(body),
                               std::move(otherwise)});
}

StmtPtr Parser::parseFor() {
  uint32_t begin = advance().begin;
  ExprPtr target = parseTargetList();
  ExprPtr iterable;
  if (!panicking && !at(TokenKind::In))
    expected("`in`", "a loop is written `for i in range(n):`");
  if (!panicking) {
    checkTarget(*target, /*namesOnly=*/true);
    advance();
    iterable = parseExpressionList();
  } else {
    iterable = makeError(spanFrom(begin));
  }
  Block body = parseSuite("`for`");
  Span whole = spanFrom(begin);
  Block otherwise = parseLoopElse();
  return makeStmt(whole, For{std::move(target), std::move(iterable),
                             std::move(body), std::move(otherwise)});
}

Block Parser::parseLoopElse() {
  return accept(TokenKind::Else) ? parseSuite("`else`") : Block();
}

void Parser::rejectStrayElse() {
  complain(Diag::else_without_if, span(peek()), {std::string(text(peek()))},
           "indent it like its `if`, right after that block");
  bool hasCondition = advance().kind == TokenKind::Elif;
  if (hasCondition || accept(TokenKind::If))
    parseExpression();
  parseSuite(hasCondition ? "`elif`" : "`else`");
}

} // namespace kern::compiler::syntax
