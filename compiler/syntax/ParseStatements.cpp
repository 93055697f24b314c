//===- ParseStatements.cpp - simple statements ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/Literals.h"
#include "compiler/syntax/ParserImpl.h"
#include "runtime/error/NearestName.h"

namespace kern::compiler::syntax {

void Parser::parseSimpleLine(Block &block) {
  do
    parseSimple(block);
  while (!panicking && accept(TokenKind::Semicolon) && !atLineEnd());
  // `Return x`, `sqrt x`: what was read so far is not a statement.
  const Stmt *last = block.empty() ? nullptr : block.back().get();
  const ExprStmt *value = last ? last->as<ExprStmt>() : nullptr;
  const Name *name = value ? value->value->as<Name>() : nullptr;
  if (!endLine(name && !panicking ? helpAfterName(name->name) : Help()) &&
      last && (value || last->as<Return>() || last->as<Assign>()))
    block.pop_back();
}

/// What was probably meant by a line of this name and something after it:
/// `Return x`, `retrun x`, `let y = x`.
Help Parser::helpAfterName(const std::string &name) {
  std::string word = name;
  for (char &c : word)
    c = char(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  if (keywordKind(word) != TokenKind::Name)
    return "did you mean `" + word + "`?";
  if (at(TokenKind::Name) && peek(1).kind == TokenKind::Equal)
    return "a name is bound without a word before it: `" +
           std::string(text(peek()).substr(0, 40)) + " = …`";
  if (std::string_view near =
          runtime::nearestName(word, {"return", "assert", "while"});
      !near.empty())
    return "did you mean `" + std::string(near) + "`?";
  return {};
}

/// The Newline after a statement. False if something else is there, which is
/// reported.
bool Parser::endLine(Help help) {
  const bool good = panicking || atLineEnd();
  if (!good && help.text.empty() &&
      (at(TokenKind::Name) || at(TokenKind::Integer) || at(TokenKind::Float)))
    help = "bind a name with `name = value`; put arguments in parentheses";
  if (!good)
    expected("the end of the line", std::move(help));
  startNewLine();
  return good;
}

void Parser::parseSimple(Block &block) {
  uint32_t begin = peek().begin;
  switch (peek().kind) {
  case TokenKind::Pass:
    advance();
    block.push_back(makeStmt(spanFrom(begin), Pass{}));
    return;
  case TokenKind::Break:
    advance();
    block.push_back(makeStmt(spanFrom(begin), Break{}));
    return;
  case TokenKind::Continue:
    advance();
    block.push_back(makeStmt(spanFrom(begin), Continue{}));
    return;
  case TokenKind::Return: {
    advance();
    ExprPtr value;
    if (!atLineEnd() && !at(TokenKind::Semicolon))
      value = parseExpressionList();
    block.push_back(makeStmt(spanFrom(begin), Return{std::move(value)}));
    return;
  }
  case TokenKind::Assert:
    return parseAssert(block);
  case TokenKind::If:
  case TokenKind::While:
  case TokenKind::For:
    return expected("a simple statement", "begin it on a line of its own");
  default:
    return parseExpressionStatement(block);
  }
}

void Parser::parseAssert(Block &block) {
  uint32_t begin = advance().begin;
  Assert assertion;
  assertion.condition = parseExpression();
  if (accept(TokenKind::Comma)) {
    if (at(TokenKind::FormatString)) {
      parseStringValue();
    } else if (at(TokenKind::String)) {
      assertion.message.emplace();
      while (at(TokenKind::String))
        *assertion.message += stringValue(text(advance()));
    } else {
      expected("a string, the message");
    }
  }
  block.push_back(makeStmt(spanFrom(begin), std::move(assertion)));
}

static std::optional<BinaryOp> augmentedOp(TokenKind kind) {
  switch (kind) {
  case TokenKind::PlusEqual:
    return BinaryOp::Add;
  case TokenKind::MinusEqual:
    return BinaryOp::Sub;
  case TokenKind::StarEqual:
    return BinaryOp::Mul;
  case TokenKind::SlashEqual:
    return BinaryOp::TrueDiv;
  case TokenKind::SlashSlashEqual:
    return BinaryOp::FloorDiv;
  case TokenKind::PercentEqual:
    return BinaryOp::Mod;
  case TokenKind::StarStarEqual:
    return BinaryOp::Pow;
  case TokenKind::AmpEqual:
    return BinaryOp::BitAnd;
  case TokenKind::PipeEqual:
    return BinaryOp::BitOr;
  case TokenKind::CaretEqual:
    return BinaryOp::BitXor;
  case TokenKind::LessLessEqual:
    return BinaryOp::ShiftLeft;
  case TokenKind::GreaterGreaterEqual:
    return BinaryOp::ShiftRight;
  default:
    return std::nullopt;
  }
}

/// An expression, or an assignment in one of its forms.
void Parser::parseExpressionStatement(Block &block) {
  uint32_t begin = peek().begin;
  ExprPtr first = parseExpressionList();
  if (panicking)
    return;
  if (at(TokenKind::Colon) && first->as<Name>()) {
    advance();
    Identifier name{first->as<Name>()->name, first->span};
    std::optional<TypeSyntax> type = parseType();
    if (!type || !expect(TokenKind::Equal, "`=` and a value"))
      return;
    ExprPtr value = parseExpressionList();
    block.push_back(makeStmt(
        spanFrom(begin),
        AnnotatedAssign{std::move(name), std::move(*type), std::move(value)}));
    return;
  }
  if (std::optional<BinaryOp> op = augmentedOp(peek().kind)) {
    advance();
    if (first->as<Tuple>())
      complain(Diag::invalid_target, first->span, {"a tuple"},
               "write one assignment for each of its names");
    else
      checkTarget(*first, /*namesOnly=*/false);
    ExprPtr value = parseExpressionList();
    block.push_back(
        makeStmt(spanFrom(begin),
                 AugmentedAssign{*op, std::move(first), std::move(value)}));
    return;
  }
  if (at(TokenKind::AtEqual))
    return fail(Diag::matmul_operator, span(peek()), {"@="},
                "write it out: `a[:] = a @ b`");
  if (at(TokenKind::ColonEqual))
    return fail(Diag::walrus_operator, span(peek()), {}, "write `=`");
  Assign assign;
  while (at(TokenKind::Equal)) {
    warnOfReversedOperator(advance());
    checkTarget(*first, /*namesOnly=*/false);
    assign.targets.push_back(std::move(first));
    first = parseExpressionList();
  }
  if (assign.targets.empty()) {
    block.push_back(makeStmt(spanFrom(begin), ExprStmt{std::move(first)}));
    return;
  }
  assign.value = std::move(first);
  block.push_back(makeStmt(spanFrom(begin), std::move(assign)));
}

/// `s =+ x`: a sign next to the `=` but apart from its operand.
void Parser::warnOfReversedOperator(const Token &equal) {
  const Token sign = peek();
  if (panicking)
    return;
  const bool isSign =
      sign.kind == TokenKind::Plus || sign.kind == TokenKind::Minus;
  if (!isSign || sign.begin != equal.end || peek(1).begin == sign.end)
    return;
  const std::string op(text(sign));
  const std::string what = op == "+" ? "add" : "subtract";
  diagnostics
      .report(Diag::reversed_operator, {file, equal.begin, sign.end},
              {"=" + op, what})
      .help = "to " + what + ", write `" + op +
              "=`; for the value with a sign, `= " + op + "x`";
}

/// Names, elements and tuples of these can be assigned; `for` binds only names.
void Parser::checkTarget(Expr &target, bool namesOnly) {
  if (target.as<Name>() || target.as<ErrorExpr>())
    return;
  const auto *part = target.as<Subscript>();
  const auto *attribute =
      (part ? *part->value : target).as<syntax::Attribute>();
  const bool isHalf = attribute && (attribute->name.name == "real" ||
                                    attribute->name.name == "imag");
  if (part && !namesOnly && !isHalf)
    return;
  if (const Tuple *tuple = target.as<Tuple>()) {
    for (const ExprPtr &element : tuple->elements)
      checkTarget(*element, namesOnly);
    return;
  }
  std::string help;
  if (target.as<Compare>())
    help = "`==` compares; an assignment is written with `=`";
  else if (target.as<List>())
    help = "write the names without brackets: `a, b = …`";
  else if (isHalf)
    help = attribute->name.name == "real"
               ? "store both parts: `z[:] = complex(v, z.imag)`, or "
                 "`z[i] = complex(x, z[i].imag)`"
               : "store both parts: `z[:] = complex(z.real, v)`, or "
                 "`z[i] = complex(z[i].real, x)`";
  else if (target.as<Call>())
    help = "an element of an array is written with brackets: `a[i]`";
  complain(Diag::invalid_target, target.span,
           {isHalf ? "a part of complex numbers"
                   : kern::compiler::syntax::describe(target)},
           std::move(help));
  if (isHalf)
    target.node = ErrorExpr{};
}

std::optional<Docstring> Parser::parseDocstring() {
  if (!at(TokenKind::String))
    return std::nullopt;
  uint32_t begin = peek().begin;
  Docstring docstring;
  while (at(TokenKind::String))
    docstring.text += stringValue(text(advance()));
  docstring.span = spanFrom(begin);
  return docstring;
}

} // namespace kern::compiler::syntax
