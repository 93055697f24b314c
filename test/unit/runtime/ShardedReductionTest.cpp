//===- ShardedReductionTest.cpp - reductions of arrays on several GPUs ----===//
//-----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SeveralGpus.h"

using namespace kern::runtime;
using namespace kern::test;

TEST_F(SeveralGpus, ReductionsOfWhatStaysInParts) {
  Handle x = scatter(iota<double>(12), {4, 3});
  ASSERT_EQ(reduce("plus", x, {1}), KERN_OK) << kern_last_error();
  EXPECT_EQ(launchedOn(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(gathered<double>(made), (Doubles{3, 12, 21, 30}));
  EXPECT_FALSE(kern_sharded_is_replicated(made.get()));
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(kern_sharded_begin(made.get(), i),
              kern_sharded_begin(x.get(), i));
  // What comes of a copy is a copy.
  Handle whole = replicate(iota<double>(4), {4});
  ASSERT_EQ(reduce("plus", whole, {0}), KERN_OK) << kern_last_error();
  EXPECT_EQ(launchedOn(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(gathered<double>(made), Doubles{6});
  EXPECT_TRUE(kern_sharded_is_replicated(made.get()));
}

TEST_F(SeveralGpus, ReductionsOverParts) {
  Handle x = scatter(iota<double>(12), {4, 3});
  for (int64_t axis : {0, -2}) {
    ASSERT_EQ(reduce("plus", x, {axis}), KERN_OK) << kern_last_error();
    // Each has its part, and the first combines them.
    EXPECT_EQ(launchedOn(), (std::vector<int>{0, 1, 2, 0}));
    EXPECT_EQ(gathered<double>(made), (Doubles{18, 22, 26}));
    EXPECT_TRUE(kern_sharded_is_replicated(made.get()));
    EXPECT_EQ(report.elements, 9) << "of the parts";
  }
  // It broadcasts with parts.
  Handle sums = std::move(made);
  ASSERT_EQ(call("add", {of(x), of(sums)}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made)[11], 11 + 26);
  ASSERT_EQ(reduce("plus", x, {0, 1}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), Doubles{66});
  EXPECT_EQ(kern_sharded_form(made.get())->ndim, 0);
  // Empty parts add nothing.
  ASSERT_EQ(reduce("plus", scatter(Doubles{5, 6}, {2}), {0}), KERN_OK);
  EXPECT_EQ(gathered<double>(made), Doubles{11});
  ASSERT_EQ(reduce("plus", scatter(Doubles(), {0}), {0}), KERN_OK);
  EXPECT_EQ(gathered<double>(made), Doubles{0});
}

TEST_F(SeveralGpus, ReductionsThatAreRefused) {
  Handle x = scatter(iota<double>(12), {4, 3});
  refused(KERN_ERROR_ARGUMENT, reduce("add", x, {0}),
          "combined by @associative functions alone, which `add` is not");
  refused(KERN_ERROR_ARGUMENT, reduce("total", x, {0}), "total");
  refused(KERN_ERROR_SHAPE, reduce("plus", x, {2}), "`plus`: ");
  options = onTheGpu();
  refused(KERN_ERROR_ARGUMENT, reduce("plus", x, {0}), "`device` is not for");
  options = noOptions();
  options->keepdims = 1;
  refused(KERN_ERROR_ARGUMENT, reduce("plus", x, {0}), "`keepdims` is not for");
  refused(KERN_ERROR_ARGUMENT,
          kern_sharded_reduce(caller.find("plus"), nullptr, nullptr, nullptr,
                              nullptr),
          "the array");
}

// The destructors of the JSON library, by which the method's module describes
// itself, need memory and must not fail.
TEST(SeveralGpusFailure, EveryFaultOfReductions) {
  playWithFaults(
      [](Caller &caller) -> kern_status {
        Doubles data = iota<double>(8), out(2);
        Tensor<double> x(data.data(), {4, 2}), y(out.data(), {2});
        kern_sharded *parts = nullptr, *result = nullptr;
        TRY(kern_sharded_scatter(x.get(), nullptr, 0, &parts));
        Handle owner = own(parts);
        TRY(kern_sharded_reduce(caller.find("plus"), parts, &result, nullptr,
                                nullptr));
        Handle made = own(result);
        TRY(kern_sharded_gather(result, y.get()));
        EXPECT_EQ(out, (Doubles{12, 16}));
        return KERN_OK;
      },
      {.devices = 2}, /*onHost=*/false);
}
