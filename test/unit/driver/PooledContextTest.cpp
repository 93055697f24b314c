//===- PooledContextTest.cpp - which contexts serve again -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Unit.h"
#include "compiler/pipeline/Pipeline.h"

#include "gtest/gtest.h"

using namespace kern::compiler;
using namespace kern::runtime;

TEST(PooledContext, ServesAgainUntilItMayHaveGrown) {
  struct Row {
    ContextUse use;
    bool serves;
  };
  const Row rows[] = {{{1, 0}, true},      {{63, 1000}, true},
                      {{64, 1000}, false}, {{1, 65535}, true},
                      {{1, 65536}, false}, {{1, size_t(1) << 40}, false}};
  for (const Row &row : rows)
    EXPECT_EQ(servesAgain(row.use), row.serves)
        << row.use.times << " times, " << row.use.bytes << " bytes";
}

TEST(PooledContext, IsOneUsersAtATime) {
  {
    PooledContext one, other;
    EXPECT_NE(one.get(), other.get());
    one.get()->allowUnregisteredDialects(); // to know it by
  }
  {
    PooledContext again; // the last one that was given back
    EXPECT_TRUE(again.get()->allowsUnregisteredDialects());
    again.addBytes(size_t(1) << 16);
  }
  std::vector<std::unique_ptr<PooledContext>> all;
  for (int i = 0; i < 8; ++i) {
    all.push_back(std::make_unique<PooledContext>());
    EXPECT_FALSE(all[i]->get()->allowsUnregisteredDialects());
    for (int k = 0; k < i; ++k)
      EXPECT_NE(all[k]->get(), all[i]->get());
  }
}

static std::string ptx(const std::string &text) {
  Unit unit("context.kern", text);
  EXPECT_FALSE(unit.diagnostics.hasErrors());
  auto module = unit.emptyModule();
  const FunctionInfo &function = unit.manifest().functions.front();
  module->push_back(unit.declared(function, 0)->clone());
  PipelineOptions options({CodeTarget::Kind::Cuda, 90});
  auto result = runPipeline(std::move(module), options);
  EXPECT_TRUE(result);
  return result ? result->text : "";
}

TEST(PooledContext, LeavesNothingBehindInTheCode) {
  const std::string sum = "ufunc f(x: f32, y: f32) -> f32:\n    return x + y\n",
                    wave = "ufunc f(x: f32) -> f32:\n    return sin(x) * x\n";
  const std::string first = ptx(sum), waves = ptx(wave);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ptx(wave), waves);
    EXPECT_EQ(ptx(sum), first);
  }
}
