//===- ShardedReductionTest.cpp - reductions of arrays on several GPUs ----===//
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
  options->order = KERN_ORDER_F;
  refused(KERN_ERROR_ARGUMENT, reduce("plus", x, {0}), "`order` is not for");
  refused(KERN_ERROR_ARGUMENT,
          kern_sharded_reduce(caller.find("plus"), nullptr, nullptr, nullptr,
                              nullptr, nullptr),
          "the array");
  auto refusedWith = [&](const Handle &of, const Handle &mask,
                         kern_status status, const char *what) {
    options = noOptions();
    options->sharded_where = mask.get();
    refused(status, reduce("plus", of, {0}), what);
  };
  refusedWith(x, scatter(Truths(6), {2, 3}), KERN_ERROR_SHAPE,
              "the array has extent 4 along axis 0, and `where` has 2");
  refusedWith(x, scatter(Truths(4), {4}), KERN_ERROR_ARGUMENT,
              "and `where` has 1");
  refusedWith(x, replicate(Truths(4), {4, 1}), KERN_ERROR_ARGUMENT,
              "`where`, of shape (4, 1), is not dealt over GPUs as the array");
  refusedWith(x, scatter(Truths(4), {4, 1}, {gpu(2), gpu(1), gpu(0)}),
              KERN_ERROR_ARGUMENT, "`where` is on other GPUs than the array");
  refusedWith(replicate(iota<double>(3), {3}), scatter(Truths(3), {3}),
              KERN_ERROR_ARGUMENT,
              "the array, of shape (3,), is not dealt over GPUs as `where` is");
}

// NumPy's x.sum(axis, keepdims=True).
TEST_F(SeveralGpus, ReductionsKeepAxes) {
  Handle x = scatter(iota<double>(12), {4, 3});
  options = noOptions();
  options->keepdims = 1;
  auto shape = [&] {
    const DLTensor *form = kern_sharded_form(made.get());
    return Extents(form->shape, form->shape + form->ndim);
  };
  ASSERT_EQ(reduce("plus", x, {1}), KERN_OK) << kern_last_error();
  EXPECT_EQ(shape(), (Extents{4, 1}));
  EXPECT_FALSE(kern_sharded_is_replicated(made.get()));
  EXPECT_EQ(gathered<double>(made), (Doubles{3, 12, 21, 30}));
  for (std::vector<int64_t> axes : {std::vector<int64_t>{0, 1}, {0}}) {
    ASSERT_EQ(reduce("plus", x, axes), KERN_OK) << kern_last_error();
    EXPECT_EQ(shape(), (Extents{1, axes.size() == 2 ? 1 : 3}));
    EXPECT_TRUE(kern_sharded_is_replicated(made.get()));
    EXPECT_EQ(gathered<double>(made),
              axes.size() == 2 ? Doubles{66} : (Doubles{18, 22, 26}));
  }
  // It broadcasts with parts.
  Handle sums = std::move(made);
  options = noOptions();
  ASSERT_EQ(call("add", {of(x), of(sums)}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made)[11], 11 + 26);
}

// NumPy's x.sum(axis, initial=100): it counts once, whatever is dealt.
TEST_F(SeveralGpus, ReductionsBeginWithANumber) {
  Handle x = scatter(iota<double>(12), {4, 3});
  ASSERT_EQ(reduce("plus", x, {0}, 100), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{118, 122, 126}));
  ASSERT_EQ(reduce("plus", x, {0, 1}, 100), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), Doubles{166});
  ASSERT_EQ(reduce("plus", x, {1}, 100), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{103, 112, 121, 130}));
  // Of parts that are empty.
  ASSERT_EQ(reduce("plus", scatter(Doubles{5, 6}, {2}), {0}, 100), KERN_OK);
  EXPECT_EQ(gathered<double>(made), Doubles{111});
  ASSERT_EQ(reduce("plus", scatter(Doubles(), {0}), {0}, 100), KERN_OK);
  EXPECT_EQ(gathered<double>(made), Doubles{100});
  ASSERT_EQ(reduce("plus", replicate(iota<double>(4), {4}), {0}, 100), KERN_OK);
  EXPECT_EQ(gathered<double>(made), Doubles{106});
}

// NumPy's x.sum(axis, where=mask).
TEST_F(SeveralGpus, ReductionsBehindMasks) {
  Handle x = scatter(iota<double>(12), {4, 3});
  Handle mask = scatter(
      Truths{yes, no, no, no, yes, no, no, no, yes, yes, yes, no}, {4, 3});
  options = noOptions();
  options->sharded_where = mask.get();
  ASSERT_EQ(reduce("plus", x, {0}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{9, 14, 8}));
  ASSERT_EQ(reduce("plus", x, {1}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{0, 4, 8, 19}));
  ASSERT_EQ(reduce("plus", x, {0, 1}, 1000), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), Doubles{1031});
  // One truth a row, dealt as the rows are, and one a column.
  Handle rows = scatter(Truths{yes, no, no, yes}, {4, 1});
  options->sharded_where = rows.get();
  ASSERT_EQ(reduce("plus", x, {0}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{9, 11, 13}));
  Handle columns = replicate(Truths{no, yes, no}, {3});
  options->sharded_where = columns.get();
  ASSERT_EQ(reduce("plus", x, {0, 1}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), Doubles{22});
  Truths truth = {no, yes, no};
  Tensor<Truth> onHost(truth.data(), {1, 3});
  options->sharded_where = nullptr;
  options->where = onHost.get();
  ASSERT_EQ(reduce("plus", x, {0}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{0, 22, 0}));
  Handle whole = replicate(iota<double>(3), {3});
  options->sharded_where = columns.get();
  options->where = nullptr;
  ASSERT_EQ(reduce("plus", whole, {0}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), Doubles{1});
}

TEST(SeveralGpusFailure, EveryFaultOfReductions) {
  playWithFaults(
      [](Caller &caller) -> kern_status {
        Doubles data = iota<double>(8), out(2);
        Truths truth = {no, yes};
        Tensor<double> x(data.data(), {4, 2}), y(out.data(), {1, 2});
        Tensor<Truth> where(truth.data(), {2});
        kern_sharded *parts = nullptr, *result = nullptr;
        TRY(kern_sharded_scatter(x.get(), nullptr, 0, &parts));
        Handle owner = own(parts);
        kern_call_request asked = noOptions();
        asked.keepdims = 1;
        asked.where = where.get();
        const kern_value begin = weak(100);
        TRY(kern_sharded_reduce(caller.find("plus"), parts, &begin, &result,
                                &asked.call, nullptr));
        Handle made = own(result);
        TRY(kern_sharded_gather(result, y.get()));
        EXPECT_EQ(out, (Doubles{100, 116}));
        return KERN_OK;
      },
      {.devices = 2});
}
