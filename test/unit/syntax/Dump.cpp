//===- Dump.cpp - syntax trees as text ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <charconv>

namespace kern::compiler::syntax::test {
namespace {

std::string number(double value) {
  char buffer[40];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

/// The digits of an integer, whose words it divides by 10 again and again.
std::string number(std::vector<uint64_t> words) {
  std::string digits;
  while (!words.empty()) {
    unsigned rest = 0;
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
      const unsigned __int128 part =
          static_cast<unsigned __int128>(rest) << 64 | *word;
      *word = uint64_t(part / 10);
      rest = unsigned(part % 10);
    }
    digits.insert(digits.begin(), char('0' + rest));
    while (!words.empty() && words.back() == 0)
      words.pop_back();
  }
  return digits;
}

constexpr const char *unarySpelling[] = {"pos", "neg", "~", "not"};
constexpr const char *binarySpelling[] = {"+",  "-", "*", "/", "//", "%",
                                          "**", "&", "|", "^", "<<", ">>"};
constexpr const char *compareSpelling[] = {
    "<", "<=", ">", ">=", "==", "!=", "in", "not in"};

std::string orNone(const ExprPtr &expr) { return expr ? dump(*expr) : "_"; }

struct ExprDump {
  std::string operator()(const ErrorExpr &) { return "<error>"; }
  std::string operator()(const IntegerLiteral &e) { return number(e.words); }
  std::string operator()(const FloatLiteral &e) { return number(e.value); }
  std::string operator()(const ImaginaryLiteral &e) {
    return number(e.value) + "j";
  }
  std::string operator()(const BoolLiteral &e) {
    return e.value ? "True" : "False";
  }
  std::string operator()(const Name &e) { return e.name; }
  std::string operator()(const Unary &e) {
    return "(" + std::string(unarySpelling[int(e.op)]) + " " +
           dump(*e.operand) + ")";
  }
  std::string operator()(const Binary &e) {
    return "(" + std::string(binarySpelling[int(e.op)]) + " " + dump(*e.left) +
           " " + dump(*e.right) + ")";
  }
  std::string operator()(const Compare &e) {
    std::string out = "(cmp " + dump(*e.first);
    for (auto &[op, operand] : e.rest)
      out += " " + std::string(compareSpelling[int(op)]) + " " + dump(*operand);
    return out + ")";
  }
  std::string operator()(const Logical &e) {
    std::string out = e.op == BoolOp::And ? "(and" : "(or";
    for (const ExprPtr &operand : e.operands)
      out += " " + dump(*operand);
    return out + ")";
  }
  std::string operator()(const Conditional &e) {
    return "(if " + dump(*e.condition) + " " + dump(*e.value) + " " +
           dump(*e.otherwise) + ")";
  }
  std::string operator()(const Call &e) {
    std::string out = "(call " + dump(*e.function);
    for (const ExprPtr &argument : e.arguments)
      out += " " + dump(*argument);
    for (auto &[name, value] : e.keywords)
      out += " " + name.name + "=" + dump(*value);
    return out + ")";
  }
  std::string operator()(const Attribute &e) {
    return "(. " + dump(*e.value) + " " + e.name.name + ")";
  }
  std::string operator()(const Subscript &e) {
    std::string out = "([] " + dump(*e.value);
    for (const Index &index : e.indices)
      out += " " + (index.isSlice
                        ? orNone(index.lower) + ":" + orNone(index.upper) +
                              ":" + orNone(index.step)
                        : dump(*index.value));
    return out + ")";
  }
  std::string operator()(const Tuple &e) {
    std::string out = "(tuple";
    for (const ExprPtr &element : e.elements)
      out += " " + dump(*element);
    return out + ")";
  }
  std::string operator()(const List &e) {
    std::string out = "(list";
    for (const ExprPtr &element : e.elements)
      out += " " + dump(*element);
    return out + ")";
  }
  std::string operator()(const Generator &e) {
    std::string out = "(gen " + dump(*e.element);
    for (const GeneratorClause &clause : e.clauses) {
      out += " (for " + dump(*clause.target) + " " + dump(*clause.iterable);
      for (const ExprPtr &condition : clause.conditions)
        out += " if " + dump(*condition);
      out += ")";
    }
    return out + ")";
  }
};

static std::string otherwise(const Block &block) {
  return block.empty() ? "" : " {" + dump(block) + "}";
}

struct StmtDump {
  std::string operator()(const Assign &s) {
    std::string out = "(=";
    for (const ExprPtr &target : s.targets)
      out += " " + dump(*target);
    return out + " " + dump(*s.value) + ")";
  }
  std::string operator()(const AnnotatedAssign &s) {
    return "(: " + s.name.name + " " + dump(s.type) + " " + dump(*s.value) +
           ")";
  }
  std::string operator()(const AugmentedAssign &s) {
    return "(" + std::string(binarySpelling[int(s.op)]) + "= " +
           dump(*s.target) + " " + dump(*s.value) + ")";
  }
  std::string operator()(const ExprStmt &s) {
    return "(expr " + dump(*s.value) + ")";
  }
  std::string operator()(const If &s) {
    std::string out = "(if " + dump(*s.condition) + " {" + dump(s.then) + "}";
    if (!s.otherwise.empty())
      out += " {" + dump(s.otherwise) + "}";
    return out + ")";
  }
  std::string operator()(const While &s) {
    return "(while " + dump(*s.condition) + " {" + dump(s.body) + "}" +
           otherwise(s.otherwise) + ")";
  }
  std::string operator()(const For &s) {
    return "(for " + dump(*s.target) + " " + dump(*s.iterable) + " {" +
           dump(s.body) + "}" + otherwise(s.otherwise) + ")";
  }
  std::string operator()(const Break &) { return "(break)"; }
  std::string operator()(const Continue &) { return "(continue)"; }
  std::string operator()(const Pass &) { return "(pass)"; }
  std::string operator()(const Return &s) {
    return s.value ? "(return " + dump(*s.value) + ")" : "(return)";
  }
  std::string operator()(const Assert &s) {
    return "(assert " + dump(*s.condition) +
           (s.message ? " '" + *s.message + "'" : "") + ")";
  }
};

struct ItemDump {
  std::string operator()(const Function &f) {
    std::string out = f.kind == ItemKind::Def     ? "(def "
                      : f.kind == ItemKind::Ufunc ? "(ufunc "
                                                  : "(gufunc ";
    out += f.name.name + " (";
    for (size_t i = 0; i < f.parameters.size(); ++i) {
      const Parameter &parameter = f.parameters[i];
      out += i ? " " : "";
      out += parameter.isInout ? "inout " : "";
      out += parameter.name.name;
      if (parameter.type)
        out += ":" + dump(*parameter.type);
      if (parameter.defaultValue)
        out += "=" + dump(*parameter.defaultValue);
    }
    out += ")";
    if (f.hasArrow) {
      out += " -> (";
      for (size_t i = 0; i < f.results.size(); ++i) {
        const Result &result = f.results[i];
        out += i ? " " : "";
        out += result.name ? result.name->name + ":" : "";
        out += dump(result.type);
      }
      out += ")";
    }
    for (const WhereClause &clause : f.where) {
      out += " where";
      for (const Identifier &variable : clause.variables)
        out += " " + variable.name;
      out += " in";
      for (const std::vector<Identifier> &row : clause.rows) {
        out += " (";
        for (size_t i = 0; i < row.size(); ++i)
          out += (i ? " " : "") + row[i].name;
        out += ")";
      }
    }
    for (const Decorator &decorator : f.decorators) {
      out += " @" + decorator.name.name;
      for (auto &[name, value] : decorator.keywords)
        out += " " + name.name + "=" + dump(*value);
    }
    if (f.docstring)
      out += " '" + f.docstring->text + "'";
    return out + (f.ellipsis ? " ... {" : " {") + dump(f.body) + "})";
  }
  std::string operator()(const Const &c) {
    return "(const " + c.name.name + (c.type ? ":" + dump(*c.type) : "") + " " +
           dump(*c.value) + ")";
  }
  std::string operator()(const Import &i) {
    std::string out = "(import " + i.module.name;
    if (i.alias)
      out += " as " + i.alias->name;
    for (auto &[name, alias] : i.names)
      out += " " + name.name + (alias ? " as " + alias->name : "");
    return out + ")";
  }
};

void addSpans(const Expr &expr, uint32_t origin, std::string &out) {
  out += (out.empty() ? "" : " ") + std::to_string(expr.span.begin - origin) +
         "-" + std::to_string(expr.span.end - origin);
  auto add = [&](const ExprPtr &child) {
    if (child)
      addSpans(*child, origin, out);
  };
  if (auto *unary = expr.as<Unary>()) {
    add(unary->operand);
  } else if (auto *binary = expr.as<Binary>()) {
    add(binary->left);
    add(binary->right);
  } else if (auto *compare = expr.as<Compare>()) {
    add(compare->first);
    for (auto &[op, operand] : compare->rest)
      add(operand);
  } else if (auto *logical = expr.as<Logical>()) {
    for (auto &operand : logical->operands)
      add(operand);
  } else if (auto *conditional = expr.as<Conditional>()) {
    add(conditional->condition);
    add(conditional->value);
    add(conditional->otherwise);
  } else if (auto *call = expr.as<Call>()) {
    add(call->function);
    for (auto &argument : call->arguments)
      add(argument);
  } else if (auto *attribute = expr.as<Attribute>()) {
    add(attribute->value);
  } else if (auto *subscript = expr.as<Subscript>()) {
    add(subscript->value);
    for (auto &index : subscript->indices) {
      add(index.value);
      add(index.lower);
      add(index.upper);
      add(index.step);
    }
  } else if (auto *list = expr.as<List>()) {
    for (auto &element : list->elements)
      add(element);
  } else if (auto *tuple = expr.as<Tuple>()) {
    for (auto &element : tuple->elements)
      add(element);
  } else if (auto *generator = expr.as<Generator>()) {
    add(generator->element);
    for (auto &clause : generator->clauses) {
      add(clause.target);
      add(clause.iterable);
      for (auto &condition : clause.conditions)
        add(condition);
    }
  }
}

} // namespace

std::string dump(const Expr &expr) { return std::visit(ExprDump{}, expr.node); }
std::string dump(const Stmt &stmt) { return std::visit(StmtDump{}, stmt.node); }
std::string dump(const Item &item) { return std::visit(ItemDump{}, item.node); }

std::string dump(const Block &block) {
  std::string out;
  for (const StmtPtr &stmt : block)
    out += (out.empty() ? "" : " ") + dump(*stmt);
  return out;
}

std::string dump(const TypeSyntax &type) {
  std::string out = type.element ? type.element->name : "";
  if (!type.isArray)
    return out;
  out += "[";
  for (size_t i = 0; i < type.dims.size(); ++i)
    out += (i ? "," : "") + dump(*type.dims[i].expr) +
           (type.dims[i].optional ? "?" : "");
  return out + "]";
}

std::string dump(const File &file) {
  std::string out = file.docstring ? "'" + file.docstring->text + "'" : "";
  for (const Item &item : file.items)
    out += (out.empty() ? "" : " ") + dump(item);
  return out;
}

std::string dumpSpans(const Expr &expr, uint32_t origin) {
  std::string out;
  addSpans(expr, origin, out);
  return out;
}

std::string Parsed::errors() const {
  std::string out;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    LineColumn place = sources.file(file).position(diagnostic.span.begin);
    out += (out.empty() ? "" : ", ") + std::to_string(place.line) + ":" +
           std::to_string(place.column) + " " +
           std::string(info(diagnostic.id).code);
  }
  return out;
}

std::string parseExpression(std::string_view text) {
  Parsed parsed("const X = " + std::string(text));
  if (parsed.diagnostics.hasErrors())
    return parsed.errors();
  return dump(*std::get<Const>(parsed.tree.items.at(0).node).value);
}

std::string parseBody(std::string_view text) {
  std::string source = "def f():\n    ";
  for (char c : text) {
    source += c;
    if (c == '\n')
      source += "    ";
  }
  Parsed parsed(source + "\n");
  if (parsed.diagnostics.hasErrors())
    return parsed.errors();
  return dump(std::get<Function>(parsed.tree.items.at(0).node).body);
}

std::string parseFile(std::string_view text) {
  Parsed parsed{std::string(text)};
  return parsed.diagnostics.hasErrors() ? parsed.errors() : dump(parsed.tree);
}

} // namespace kern::compiler::syntax::test
