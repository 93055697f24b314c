//===- PreludeTest.cpp - the prelude and the table of scalar functions ----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row of the table is declared in stdlib/prelude with a docstring, a test
// and exactly its loops, and each declaration is a row.
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/StandardModules.h"
#include "compiler/lowering/Header.h"
#include "compiler/modules/Modules.h"
#include "compiler/modules/Names.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/syntax/Parser.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/Kern.h"
#include "dialects/Kern/ScalarFunctions.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;

namespace {

using Types = std::vector<DType>;
using Loops = std::map<Types, Types>; ///< results by inputs

/// All of the prelude, parsed.
class Prelude : public testing::Test {
protected:
  void SetUp() override {
    for (unsigned i = 0; i < preludeFileCount; ++i) {
      uint32_t index = sources.add(preludeFiles[i].name, preludeFiles[i].text);
      files.push_back(syntax::parse(index, diagnostics));
    }
    EXPECT_EQ(diagnostics.errors(), 0u);
    for (const syntax::File &file : files)
      for (const syntax::Item &item : file.items)
        if (const auto *function = std::get_if<syntax::Function>(&item.node))
          functions.emplace(function->name.name, function);
  }

  /// The declaration of a row; null if there is none or several.
  const syntax::Function *declaration(llvm::StringRef name) const {
    const syntax::Function *found = nullptr;
    auto [begin, end] = functions.equal_range(name.str());
    for (auto at = begin; at != end; ++at)
      if (at->second->ellipsis) {
        if (found)
          return nullptr;
        found = at->second;
      }
    return found;
  }

  SourceManager sources;
  DiagnosticEngine diagnostics{sources};
  std::vector<syntax::File> files;
  std::multimap<std::string, const syntax::Function *> functions;
};

/// The loops whose inputs are the operands' own types: those that need no
/// conversion. Of comparisons only those of one type, since integers of any
/// two are compared as they are.
Loops exactLoops(const ScalarFunctionInfo &row) {
  Loops loops;
  size_t count = 1;
  for (unsigned i = 0; i < row.inputs; ++i)
    count *= dtypeCount;
  for (size_t number = 0; number < count; ++number) {
    Types operands;
    DTypeSet set;
    for (size_t rest = number; operands.size() < row.inputs;
         rest /= dtypeCount) {
      operands.push_back(DType(rest % dtypeCount));
      set = set | DTypeSet::of(operands.back());
    }
    bool uniform = set == DTypeSet::of(operands[0]);
    if (row.rule == LoopRule::Compare && !uniform)
      continue;
    std::optional<ScalarLoop> loop = scalarLoop(row, operands, resultType(set));
    if (loop && llvm::ArrayRef(loop->inputs) == llvm::ArrayRef(operands))
      loops[operands] = Types(loop->outputs.begin(), loop->outputs.end());
  }
  return loops;
}

/// The loops that a header lists.
Loops declaredLoops(const Header &header) {
  Loops loops;
  for (mlir::Attribute loop : header.loops) {
    auto types = mlir::cast<mlir::ArrayAttr>(loop);
    auto resolve = [&](llvm::ArrayRef<mlir::Attribute> operands) {
      Types list;
      for (mlir::Attribute attribute : operands) {
        mlir::Attribute type = mlir::cast<OperandAttr>(attribute).getType();
        if (auto variable = mlir::dyn_cast<mlir::StringAttr>(type)) {
          auto at = llvm::find(header.typeVariables, variable.getValue());
          type = types[size_t(at - header.typeVariables.begin())];
        }
        list.push_back(*toDType(mlir::cast<mlir::TypeAttr>(type).getValue()));
      }
      return list;
    };
    loops[resolve(header.parameters)] = resolve(header.results);
  }
  return loops;
}

std::string text(const Loops &loops) {
  std::string all;
  for (const auto &[inputs, outputs] : loops) {
    for (DType type : inputs)
      all += std::string(name(type)) + " ";
    all += "→";
    for (DType type : outputs)
      all += " " + std::string(name(type));
    all += "\n";
  }
  return all;
}

TEST_F(Prelude, DeclaresEachRowWithItsLoops) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  const syntax::File empty =
      syntax::parse(sources.add("empty.kern", ""), diagnostics);
  Modules modules(sources, diagnostics, nullptr);
  ModuleScope &scope = modules.open(empty);
  for (const ScalarFunctionInfo &row : scalarFunctions()) {
    SCOPED_TRACE(row.name.str());
    const syntax::Function *function = declaration(row.name);
    ASSERT_NE(function, nullptr);
    std::optional<Header> header = lowerHeader(*function, context.get(), scope);
    ASSERT_TRUE(header);
    EXPECT_EQ(text(declaredLoops(*header)), text(exactLoops(row)));
  }
}

TEST_F(Prelude, HasNoOtherDeclarations) {
  for (const auto &[name, function] : functions) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(!function->ellipsis || findScalarFunction(name));
  }
}

TEST_F(Prelude, HasADocstringAndATestOfEachFunction) {
  for (const auto &[name, function] : functions) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(function->docstring);
    const std::string &text = function->docstring->text;
    EXPECT_FALSE(llvm::StringRef(text).starts_with(">>>"));
    EXPECT_NE(text.find(">>> "), text.npos);
  }
}

/// The table comes first, and among those in Kern the number of parameters
/// decides.
TEST_F(Prelude, HasNoFunctionThatCannotBeReached) {
  std::set<std::pair<std::string, size_t>> seen;
  for (const auto &[name, function] : functions) {
    if (function->ellipsis)
      continue;
    SCOPED_TRACE(name);
    const size_t count = function->parameters.size();
    EXPECT_TRUE(seen.emplace(name, count).second);
    const ScalarFunctionInfo *row = findScalarFunction(name);
    EXPECT_TRUE(!row || row->inputs != count);
    EXPECT_FALSE(isLanguageFunction(name));
  }
}

TEST_F(Prelude, NamesTheOtherNamesOfAFunction) {
  static constexpr std::pair<const char *, const char *> aliases[] = {
#define KERN_ALIAS(NAME, FUNCTION) {#NAME, #FUNCTION},
#include "dialects/Kern/ScalarFunctions.def"
  };
  for (auto [alias, function] : aliases) {
    SCOPED_TRACE(alias);
    EXPECT_FALSE(findScalarFunction(alias));
    EXPECT_EQ(functions.count(alias), 0u);
    bool isNamed = false;
    auto [begin, end] = functions.equal_range(function);
    for (auto at = begin; at != end; ++at)
      isNamed |= at->second->docstring->text.find("`" + std::string(alias) +
                                                  "`") != std::string::npos;
    EXPECT_TRUE(isNamed);
  }
}

TEST(PreludeFiles, AreFoundByTheirFunctions) {
  ASSERT_TRUE(preludeFileOf("sqrt"));
  EXPECT_STREQ(preludeFileOf("sqrt")->name, "exponential");
  EXPECT_STREQ(preludeFileOf("isclose")->name, "comparison");
  EXPECT_FALSE(preludeFileOf("asin")); // another name of arcsin
  EXPECT_FALSE(preludeFileOf(""));
  EXPECT_FALSE(standardModule("exponential")); // not to be imported
}

} // namespace
