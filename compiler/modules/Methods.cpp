//===- Methods.cpp - methods and options of NumPy's functions -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that is pasted in says `x.sum(axis=0)`, `x.astype(np.float64)` and
// `z.real`. These are `np.sum(x, axis=0)`, `np.float64(x)` and `np.real(z)`,
// and the tree says so before anything looks at it. `np.`, since a second
// argument is then the axis, and a variable `mean` does not hide the function.
// So it is with arguments that say what another call says: `clip(x, 0, None)`
// is `maximum(x, 0)`, and `sum(x, dtype=f64)` is `f64(sum(f64(x)))`.
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Modules.h"

#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace kern::compiler::syntax;

namespace kern::compiler {

/// The methods that NumPy has as functions of the array, with the same
/// arguments behind it.
static bool isFunctionToo(llvm::StringRef method) {
  static const llvm::StringSet<> names = {
      "sum",  "prod",   "max",    "min",    "any",       "all",
      "mean", "argmax", "argmin", "cumsum", "cumprod",   "argsort",
      "dot",  "clip",   "round",  "conj",   "transpose", "conjugate"};
  return names.contains(method);
}

static ExprPtr make(Span span, Expr::Node node) {
  return std::make_unique<Expr>(Expr{span, std::move(node)});
}

/// The argument of a name, taken out of a call; null without it.
static ExprPtr takeKeyword(syntax::Call &call, llvm::StringRef name) {
  auto found = llvm::find_if(call.keywords, [&](const auto &keyword) {
    return keyword.first.name == name;
  });
  if (found == call.keywords.end())
    return nullptr;
  ExprPtr value = std::move(found->second);
  call.keywords.erase(found);
  return value;
}

static bool hasKeywordsAmong(const syntax::Call &call,
                             std::initializer_list<llvm::StringRef> names) {
  return llvm::all_of(call.keywords, [&](const auto &keyword) {
    return llvm::is_contained(names, keyword.first.name);
  });
}

static bool isNone(const Expr &expr) {
  const auto *name = expr.as<Name>();
  return name && name->name == "None";
}

/// The name of a type once more; null for another expression.
static ExprPtr typeAgain(const Expr &expr) {
  if (const auto *name = expr.as<Name>())
    return make(expr.span, Name{name->name});
  const auto *attribute = expr.as<syntax::Attribute>();
  ExprPtr value = attribute ? typeAgain(*attribute->value) : nullptr;
  return value ? make(expr.span,
                      syntax::Attribute{std::move(value), attribute->name})
               : nullptr;
}

static ExprPtr converted(ExprPtr type, ExprPtr value) {
  const Span span = value->span;
  syntax::Call call;
  call.function = std::move(type);
  call.arguments.push_back(std::move(value));
  return make(span, std::move(call));
}

/// Makes lists of the tuples in a table, and converts its elements to a type,
/// if there is one.
static void makeTable(Expr &expr, const Expr *type) {
  if (auto *tuple = expr.as<Tuple>()) {
    List list{std::move(tuple->elements)};
    expr.node = std::move(list);
  }
  if (auto *list = expr.as<List>()) {
    for (ExprPtr &element : list->elements)
      makeTable(*element, type);
  } else if (ExprPtr again = type ? typeAgain(*type) : nullptr) {
    ExprPtr value = make(expr.span, std::move(expr.node));
    expr.node = std::move(converted(std::move(again), std::move(value))->node);
  }
}

namespace {
/// Rewrites the expressions of one function, or of a constant.
class Rewriting {
public:
  /// `numpy` is a name of NumPy here, `prefixes` are those of all modules, and
  /// `bound` names that mean none of the library's functions.
  Rewriting(std::string numpy, const llvm::StringSet<> &prefixes,
            const std::set<std::string> &numpyNames,
            std::set<std::string> bound,
            std::map<std::string, std::string> elementTypes)
      : numpy(std::move(numpy)), prefixes(prefixes), numpyNames(numpyNames),
        bound(std::move(bound)), elementTypes(std::move(elementTypes)) {}

  /// Does so from the innermost ones outwards.
  void rewrite(Expr &expr);
  /// Makes a table of `np.array([…], T)`, the value of a constant.
  void rewriteArray(Expr &expr) const;

private:
  bool isValue(const Expr &expr) const {
    const auto *prefix = expr.as<Name>();
    return !prefix || !prefixes.contains(prefix->name);
  }
  ExprPtr named(Span span, llvm::StringRef function) const {
    return make(span, syntax::Attribute{make(span, Name{numpy}),
                                        {function.str(), span}});
  }
  std::string libraryFunction(const Expr &called) const;
  void rewriteMethod(syntax::Call &call);
  bool rewriteElementType(Expr &expr) const;
  void dropNones(syntax::Call &call) const;
  void rewriteClip(syntax::Call &call);
  void rewriteType(Expr &expr);

  std::string numpy;
  const llvm::StringSet<> &prefixes;
  const std::set<std::string> &numpyNames;
  std::set<std::string> bound;
  /// The types that the header gives the parameters that stay what they are.
  std::map<std::string, std::string> elementTypes;
};
} // namespace

/// The function of NumPy or of the library that a call has; empty for others.
std::string Rewriting::libraryFunction(const Expr &called) const {
  if (const auto *name = called.as<Name>())
    return bound.contains(name->name) ? "" : name->name;
  const auto *attribute = called.as<syntax::Attribute>();
  const auto *prefix = attribute ? attribute->value->as<Name>() : nullptr;
  return prefix && numpyNames.contains(prefix->name) ? attribute->name.name
                                                     : "";
}

/// Makes a method call a function call, if there is such a function.
void Rewriting::rewriteMethod(syntax::Call &call) {
  auto *method = call.function->as<syntax::Attribute>();
  const Span span = call.function->span;
  if (isFunctionToo(method->name.name)) {
    ExprPtr array = std::move(method->value);
    method->value = make(span, Name{numpy});
    call.arguments.insert(call.arguments.begin(), std::move(array));
    call.isMethod = true;
    return;
  }
  if (method->name.name != "astype" ||
      !hasKeywordsAmong(call, {"dtype", "copy", "order", "subok"}))
    return;
  const bool isNamed = call.arguments.empty();
  ExprPtr type = isNamed ? takeKeyword(call, "dtype") : nullptr;
  if (isNamed ? !type
              : call.arguments.size() > 1 ||
                    !hasKeywordsAmong(call, {"copy", "order", "subok"}))
    return;
  ExprPtr array = std::move(method->value);
  call.function = isNamed ? std::move(type) : std::move(call.arguments.front());
  call.arguments.clear();
  call.arguments.push_back(std::move(array));
  call.keywords.clear(); // a conversion is a new array, or none, as it pays
}

/// `x.dtype` and `x.dtype.type` of a parameter `x: T[n]` are `T`.
bool Rewriting::rewriteElementType(Expr &expr) const {
  const auto *part = expr.as<syntax::Attribute>();
  if (part && part->name.name == "type")
    part = part->value->as<syntax::Attribute>();
  const auto *value = part ? part->value->as<Name>() : nullptr;
  if (!value || part->name.name != "dtype")
    return false;
  auto found = elementTypes.find(value->name);
  if (found != elementTypes.end())
    expr.node = Name{std::string(found->second)};
  return found != elementTypes.end();
}

/// Drops arguments that are `None` and say no more than their absence.
void Rewriting::dropNones(syntax::Call &call) const {
  const std::string name = libraryFunction(*call.function);
  if (name.empty())
    return;
  const bool isReduction =
      isFunctionToo(name) &&
      !llvm::is_contained(
          {"argsort", "dot", "clip", "round", "conj", "transpose", "conjugate"},
          name);
  llvm::erase_if(call.keywords, [&](const auto &keyword) {
    const std::string &option = keyword.first.name;
    return isNone(*keyword.second) && (option == "dtype" || option == "out" ||
                                       (option == "axis" && isReduction));
  });
  const bool isNumpy = call.function->as<syntax::Attribute>();
  if (isReduction && isNumpy && call.arguments.size() == 2 &&
      isNone(*call.arguments.back()))
    call.arguments.pop_back(); // the axis
}

/// `clip` with one bound is `maximum` or `minimum`, without any the value.
void Rewriting::rewriteClip(syntax::Call &call) {
  const size_t count = call.arguments.size();
  if (libraryFunction(*call.function) != "clip" || count < 1 || count > 3 ||
      !hasKeywordsAmong(call, {"min", "max", "a_min", "a_max"}))
    return;
  ExprPtr bounds[2];
  for (size_t i = 1; i < count; ++i)
    bounds[i - 1] = std::move(call.arguments[i]);
  auto given = std::move(call.keywords);
  call.keywords.clear();
  for (auto &[keyword, value] : given) {
    ExprPtr &bound = bounds[llvm::StringRef(keyword.name).ends_with("max")];
    if (bound) // twice: an error of the call as it stands
      call.keywords.emplace_back(keyword, std::move(value));
    else
      bound = std::move(value);
  }
  call.arguments.resize(1);
  const bool isLower = bounds[0] && !isNone(*bounds[0]);
  for (ExprPtr &bound : bounds)
    if (bound && !isNone(*bound))
      call.arguments.push_back(std::move(bound));
  const size_t left = call.arguments.size();
  if (left == 3 || !call.keywords.empty())
    return;
  call.isMethod = false;
  call.function = named(call.function->span, left == 1 ? "positive"
                                             : isLower ? "maximum"
                                                       : "minimum");
}

/// `sum(x, dtype=T)` adds values of T, and gives one.
void Rewriting::rewriteType(Expr &expr) {
  auto &call = *expr.as<syntax::Call>();
  const std::string name = libraryFunction(*call.function);
  const bool isRange = name == "arange";
  if (!isRange &&
      !llvm::is_contained({"sum", "prod", "mean", "cumsum", "cumprod"}, name))
    return;
  if (call.arguments.empty() || call.arguments.front()->as<Generator>())
    return;
  auto type = llvm::find_if(call.keywords, [](const auto &keyword) {
    return keyword.first.name == "dtype";
  });
  ExprPtr again =
      type == call.keywords.end() ? nullptr : typeAgain(*type->second);
  if (!again)
    return;
  ExprPtr outer = takeKeyword(call, "dtype");
  if (!isRange)
    call.arguments.front() =
        converted(std::move(again), std::move(call.arguments.front()));
  ExprPtr whole = make(expr.span, std::move(expr.node));
  expr.node = std::move(converted(std::move(outer), std::move(whole))->node);
}

void Rewriting::rewriteArray(Expr &expr) const {
  auto *call = expr.as<syntax::Call>();
  if (!call || libraryFunction(*call->function) != "array" ||
      call->arguments.empty() || !hasKeywordsAmong(*call, {"dtype"}) ||
      call->arguments.size() + call->keywords.size() > 2)
    return;
  ExprPtr type = takeKeyword(*call, "dtype");
  if (call->arguments.size() == 2)
    type = std::move(call->arguments[1]);
  ExprPtr table = std::move(call->arguments.front());
  makeTable(*table, type.get());
  expr.node = std::move(table->node);
}

void Rewriting::rewrite(Expr &expr) {
  // The file is the caller's to change.
  if (rewriteElementType(expr))
    return;
  visitParts(expr,
             [&](const Expr &part) { rewrite(const_cast<Expr &>(part)); });
  if (auto *call = expr.as<syntax::Call>()) {
    const auto *method = call->function->as<syntax::Attribute>();
    if (method && isValue(*method->value))
      rewriteMethod(*call);
    dropNones(*call);
    rewriteClip(*call);
    rewriteType(expr);
  } else if (auto *part = expr.as<syntax::Attribute>();
             part && (part->name.name == "real" || part->name.name == "imag") &&
             isValue(*part->value)) {
    syntax::Call taken;
    taken.arguments.push_back(std::move(part->value));
    taken.function = named(expr.span, part->name.name);
    expr.node = std::move(taken);
  }
}

/// The names before a dot that mean modules in a file, and those of them that
/// mean NumPy.
static void findPrefixes(const File &file, llvm::StringSet<> &prefixes,
                         std::set<std::string> &numpyNames) {
  for (const char *library : {"math", "cmath", "np", "numpy"})
    prefixes.insert(library);
  numpyNames = {"np", "numpy"};
  for (const Item &item : file.items)
    if (const auto *import = std::get_if<Import>(&item.node);
        import && import->names.empty()) {
      const std::string &name =
          import->alias ? import->alias->name : import->module.name;
      prefixes.insert(name);
      if (import->module.name == "numpy" || import->module.name == "np")
        numpyNames.insert(name);
      else
        numpyNames.erase(name);
    }
}

/// The names that a file gives functions and constants, or imports.
static std::set<std::string> itemNames(const File &file) {
  std::set<std::string> names;
  for (const Item &item : file.items)
    if (const auto *function = std::get_if<Function>(&item.node))
      names.insert(function->name.name);
    else if (const auto *constant = std::get_if<Const>(&item.node))
      names.insert(constant->name.name);
    else
      for (const auto &[name, alias] : std::get<Import>(item.node).names)
        names.insert(alias ? alias->name : name.name);
  return names;
}

/// The types that a header gives parameters and results, by name, but for the
/// names that the body binds again. Arrays that are stored to keep their names.
static std::map<std::string, std::string>
elementTypesOf(const Function &function) {
  std::set<std::string> again;
  collectAssigned(function.body, again);
  std::map<std::string, std::string> types;
  auto add = [&](const std::string &name, const TypeSyntax &type, bool stays) {
    if (type.element && (stays || !again.count(name)) &&
        !again.count(type.element->name))
      types.emplace(name, type.element->name);
  };
  for (const Parameter &parameter : function.parameters)
    if (parameter.type)
      add(parameter.name.name, *parameter.type, parameter.isInout);
  for (const Result &result : function.results)
    if (result.name)
      add(result.name->name, result.type, result.type.isArray);
  return types;
}

void writeMethodsAsFunctions(File &file) {
  llvm::StringSet<> prefixes;
  std::set<std::string> numpyNames;
  findPrefixes(file, prefixes, numpyNames);
  const std::set<std::string> items = itemNames(file);
  auto within = [&](const std::set<std::string> &local,
                    std::map<std::string, std::string> types, auto &&visit) {
    std::set<std::string> bound = items;
    bound.insert(local.begin(), local.end());
    std::set<std::string> free;
    llvm::copy_if(numpyNames, std::inserter(free, free.end()),
                  [&](const std::string &name) { return !bound.count(name); });
    if (free.empty())
      return;
    Rewriting rewriting(*free.begin(), prefixes, free, std::move(bound),
                        std::move(types));
    visit(rewriting);
  };
  for (const Item &item : file.items)
    if (const auto *function = std::get_if<Function>(&item.node))
      within(boundNames(*function), elementTypesOf(*function),
             [&](Rewriting &rewriting) {
               visitBlock(function->body, [&](const Expr &expr) {
                 rewriting.rewrite(const_cast<Expr &>(expr));
               });
             });
    else if (const auto *constant = std::get_if<Const>(&item.node))
      within({}, {}, [&](Rewriting &rewriting) {
        rewriting.rewrite(*constant->value);
        rewriting.rewriteArray(*constant->value);
      });
}

} // namespace kern::compiler
