//===- PartsTest.cpp - how files are cut into parts -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Unit.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/targets/nvptx/Split.h"

#include "gtest/gtest.h"

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;
using namespace kern::compiler::nvptx;

TEST(Parts, GroupsBeginWhereTheOneBeforeIsLargeEnough) {
  struct Row {
    std::vector<size_t> operations, begins;
  };
  const Row rows[] = {
      {{}, {0}},
      {{5}, {0}},
      {{100000}, {0}},
      // 950 operations and 50 for the kernel are a group.
      {{950, 1}, {0, 1}},
      {{949, 1}, {0}},
      {{949, 1, 1}, {0, 2}},
      // Twenty empty kernels are a group, by the fixed cost of a kernel.
      {std::vector<size_t>(20, 0), {0}},
      {std::vector<size_t>(41, 0), {0, 20, 40}},
      {{1, 1, 100000, 1, 1}, {0, 3}},
  };
  for (const Row &row : rows)
    EXPECT_EQ(groupBegins(row.operations), row.begins)
        << row.operations.size() << " kernels";
}

TEST(Parts, AreOneTextWithOneHeader) {
  const std::string header = "//\n\n.version 7.8\n.target sm_90\n"
                             ".address_size 64\n";
  const std::string texts[] = {header + "\na\n", header + "\nb\n",
                               header + "c\n"};
  EXPECT_EQ(joinPtx(texts), header + "\na\n\nb\nc\n");
  EXPECT_EQ(joinPtx({texts, 1}), texts[0]);
  EXPECT_EQ(joinPtx({}), "");
}

TEST(Parts, AreFormsOfBodiesThatAreNotOutlined) {
  struct Row {
    KernelWork work;
    bool isSplit;
  };
  const Row rows[] = {
      {{2, 0, 3, false}, true},     // x + y
      {{12, 1, 4, false}, true},    // gaussian_pdf: 52 of 128 instructions
      {{23, 1, 2, false}, true},    // 63 of 64
      {{24, 1, 2, false}, false},   // 64 of 64
      {{12, 3, 3, false}, false},   // exp * sin * pow
      {{2, 0, 3, true}, false},     // a gufunc
      {{5000, 0, 3, false}, false}, // large
  };
  for (const Row &row : rows)
    EXPECT_EQ(splitsForms(row.work), row.isSplit)
        << row.work.operations << " operations, " << row.work.calls << " calls";
}

namespace {
/// Declared loops of a text, for the GPU, in parts or as a whole.
PipelineResult compile(const std::string &text, bool allForms,
                       std::optional<unsigned> threads) {
  Unit unit("parts.kern", text);
  EXPECT_FALSE(unit.diagnostics.hasErrors());
  auto module = unit.emptyModule();
  for (const FunctionInfo &function : unit.manifest().functions)
    for (size_t k = 0; k < function.loops.size(); ++k)
      module->push_back(unit.declared(function, k)->clone());
  PipelineOptions options({CodeTarget::Kind::Cuda, 90});
  options.kernels.allForms = allForms;
  auto result = threads
                    ? runPipelineInParts(std::move(module), options, *threads)
                    : runPipeline(std::move(module), options);
  EXPECT_TRUE(result);
  return result ? std::move(*result) : PipelineResult();
}

std::vector<std::string> symbols(const PipelineResult &result) {
  std::vector<std::string> symbols;
  for (const loop::Entry &entry : result.entries)
    symbols.push_back(entry.symbol);
  return symbols;
}

/// The entry points of a PTX text, in order.
std::vector<std::string> entryPoints(llvm::StringRef text) {
  std::vector<std::string> names;
  constexpr llvm::StringLiteral before = ".visible .entry ";
  for (size_t at = 0; (at = text.find(before, at)) != text.npos;) {
    at += before.size();
    names.push_back(text.slice(at, text.find('(', at)).str());
  }
  return names;
}
/// Symbols without those of other mappings than the grouped one, sorted.
std::vector<std::string> unmapped(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string &name) {
    return name.ends_with("across") || name.ends_with("sliced") ||
           name.ends_with("privatised") || name.ends_with("staged") ||
           name.ends_with("recentred") || name.ends_with("resident");
  });
  std::ranges::sort(names);
  return names;
}
} // namespace

TEST(Parts, GiveTheSameBytesWithAnyNumberOfThreads) {
  const std::string more = "ufunc more(x: T) -> T where T in (f32, i8):\n"
                           "    return x + 2\n";
  const std::string others = "ufunc wave(x: f32) -> f32:\n"
                             "    return sin(x) * exp(x)\n"
                             "gufunc total(v: f32[n]) -> f32:\n"
                             "    return sum(x for x in v)\n";
  const std::string variance = "gufunc variance(v: f32[n]) -> f32:\n"
                               "    m = mean(v)\n"
                               "    return mean((x - m) ** 2 for x in v)\n";
  struct Row {
    std::string text;
    bool allForms;
    size_t entries;
  };
  // By forms, where an outlined body and a gufunc stay whole; by all forms; in
  // groups.
  const Row rows[] = {
      {more + others + more.substr(0, 6) + "less" + more.substr(10), false,
       2 * 2 + 2 + 3 + 2 * 2},
      {more, true, 2 * 8},
      {more + others, true, 3 * 8 + 4},
      // grouped, across, sliced, both, resident, and with slices cooperative;
      // recentred slices, resident and not.
      {variance, true, 6 + 2}};
  for (const Row &row : rows) {
    PipelineResult one = compile(row.text, row.allForms, 1);
    EXPECT_EQ(entryPoints(one.text), symbols(one));
    // Only parts have the mappings of gufuncs.
    EXPECT_EQ(unmapped(symbols(one)),
              unmapped(symbols(compile(row.text, row.allForms, std::nullopt))));
    EXPECT_EQ(one.entries.size(), row.entries);
    for (unsigned threads : {2, 16})
      EXPECT_EQ(compile(row.text, row.allForms, threads).text, one.text)
          << row.text << threads;
  }
}
