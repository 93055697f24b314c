//===- ShardedTest.cpp - arrays dealt over several GPUs -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SeveralGpus.h"

using namespace kern::runtime;
using namespace kern::test;

TEST_F(SeveralGpus, ScatterAndGather) {
  Handle x = scatter(iota<float>(14), {7, 2});
  ASSERT_EQ(kern_sharded_part_count(x.get()), 3u);
  EXPECT_FALSE(kern_sharded_is_replicated(x.get()));
  const int64_t begins[] = {0, 3, 5}, extents[] = {3, 2, 2};
  for (int i = 0; i < 3; ++i) {
    const DLTensor *part = kern_sharded_part(x.get(), size_t(i));
    EXPECT_EQ(part->device.device_id, i);
    EXPECT_EQ(part->shape[0], extents[i]);
    EXPECT_EQ(part->shape[1], 2);
    EXPECT_EQ(kern_sharded_begin(x.get(), size_t(i)), begins[i]);
  }
  EXPECT_EQ(kern_sharded_part(x.get(), 3), nullptr);
  EXPECT_EQ(gathered<float>(x), iota<float>(14));
  // Rows and columns of another order, into other memory of another order.
  Floats source = iota<float>(14), target(14);
  ASSERT_EQ(kern_sharded_assign(
                x.get(), Tensor<float>(source.data(), {7, 2}, {1, 7}).get()),
            KERN_OK);
  ASSERT_EQ(kern_sharded_gather(
                x.get(), Tensor<float>(target.data(), {7, 2}, {1, 7}).get()),
            KERN_OK);
  EXPECT_EQ(target, source);
  // From one GPU to all, and back to another.
  DLManagedTensor *there = nullptr;
  ASSERT_EQ(kern_array_copy(Tensor<float>(source.data(), {7, 2}).get(), gpu(1),
                            &there),
            KERN_OK);
  ManagedArray whole(there);
  ASSERT_EQ(kern_sharded_assign(x.get(), &whole->dl_tensor), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(x), source);
  ASSERT_EQ(kern_sharded_gather(x.get(), &whole->dl_tensor), KERN_OK)
      << kern_last_error();
}

TEST_F(SeveralGpus, CallsRunOnAllOfThem) {
  Handle x = scatter(iota<float>(7), {7}), y = scatter(iota<float>(7), {7});
  driver.launches.clear();
  ASSERT_EQ(call("add", {of(x), of(y)}), KERN_OK) << kern_last_error();
  EXPECT_EQ(launchedOn(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(gathered<float>(made), (Floats{0, 2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(report.elements, 7);
  EXPECT_EQ(report.device.device_id, 0);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(kern_sharded_begin(made.get(), i),
              kern_sharded_begin(x.get(), i));
  // In place, and once more: one launch a GPU, whose context is pushed, looked
  // at and popped.
  ASSERT_EQ(call("add", {of(x), plain(weak(1))}, x.get()), KERN_OK);
  EXPECT_EQ(made, nullptr);
  driver.calls.clear();
  ASSERT_EQ(call("add", {of(x), plain(weak(1))}, x.get()), KERN_OK);
  EXPECT_EQ(driver.total(), 12);
  EXPECT_EQ(gathered<float>(x), iota<float>(7, 2));
  EXPECT_EQ(kern_sharded_synchronize(x.get()), KERN_OK);
}

TEST_F(SeveralGpus, WholeOperandsBroadcast) {
  Handle x = scatter(iota<float>(12), {4, 3});
  Floats row = {10, 20, 30}, expected(12);
  for (size_t i = 0; i < 12; ++i)
    expected[i] = float(i) + row[i % 3];
  Handle onAll = replicate(row, {3});
  EXPECT_TRUE(kern_sharded_is_replicated(onAll.get()));
  EXPECT_EQ(gathered<float>(onAll), row);
  ASSERT_EQ(call("add", {of(x), of(onAll)}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<float>(made), expected);
  // From the host, from one of the GPUs, and from one that is not among them.
  Tensor<float> onHost(row.data(), {1, 3});
  ASSERT_EQ(call("add", {plain(value(onHost.get())), of(x)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(made), expected);
  Handle onTwo = scatter(iota<float>(12), {4, 3}, {gpu(2), gpu(0)});
  for (int device : {0, 1}) {
    DLManagedTensor *there = nullptr;
    ASSERT_EQ(kern_array_copy(onHost.get(), gpu(device), &there), KERN_OK);
    ManagedArray owner(there);
    driver.launches.clear();
    ASSERT_EQ(call("add", {of(onTwo), plain(value(&there->dl_tensor))}),
              KERN_OK)
        << kern_last_error();
    EXPECT_EQ(launchedOn(), (std::vector<int>{2, 0}));
    EXPECT_EQ(gathered<float>(made), expected);
  }
  // One row a GPU does not broadcast with another's.
  Handle three = scatter(iota<float>(3), {3});
  ASSERT_EQ(call("add", {of(three), of(three)}), KERN_OK);
  EXPECT_EQ(gathered<float>(made), (Floats{0, 2, 4}));
}

// A range along axis 0 is dealt too; along another it is whole.
TEST_F(SeveralGpus, Ranges) {
  Handle x = scatter(iota<double>(7), {7});
  ASSERT_EQ(call("add", {of(x), plain(rangeOf({10, 24, 2}))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{10, 13, 16, 19, 22, 25, 28}));
  ASSERT_EQ(call("add", {plain(rangeOf({0, -7, -1})), of(x)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<double>(made), Doubles(7));
  ASSERT_EQ(call("add", {of(x), plain(rangeOf({5, 6, 9}))}), KERN_OK);
  EXPECT_EQ(gathered<double>(made), iota<double>(7, 5));
  ASSERT_EQ(call("add", {of(scatter(Doubles{1, 2}, {2})),
                         plain(rangeOf({INT64_MAX - 3, INT64_MAX, 2}))}),
            KERN_OK)
      << "one GPU has nothing";
  EXPECT_EQ(gathered<double>(made)[1], 2 + double(INT64_MAX - 1));
  Handle rows = scatter(iota<double>(6), {3, 2});
  ASSERT_EQ(call("add", {of(rows), plain(rangeOf({0, 2, 1}))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{0, 2, 2, 4, 4, 6}));
}

// The expected values are those of numpy.add(x, y, where=mask).
TEST_F(SeveralGpus, Masks) {
  Handle x = scatter(iota<float>(8), {4, 2});
  Handle mask = scatter(std::vector<uint8_t>{1, 0, 0, 1, 1, 1, 0, 0}, {4, 2});
  options = noOptions();
  options->sharded_where = mask.get();
  refused(KERN_ERROR_TYPE, call("add", {of(x), plain(weak(10))}), "bool");
  mask = scatter(Truths{yes, no, no, yes, yes, yes, no, no}, {4, 2});
  options->sharded_where = mask.get();
  ASSERT_EQ(call("add", {of(x), plain(weak(10))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(made), (Floats{10, 0, 0, 13, 14, 15, 0, 0}));
  // An output keeps the others.
  Handle out = scatter(Floats(8, -1), {4, 2});
  ASSERT_EQ(call("add", {of(x), of(x)}, out.get()), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(out), (Floats{0, -1, -1, 6, 8, 10, -1, -1}));
  // The mask alone is dealt.
  ASSERT_EQ(call("add", {plain(scalar<float>(1)), plain(weak(2))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(made), (Floats{3, 0, 0, 3, 3, 3, 0, 0}));
  // Whole masks: a copy on each GPU, and an array of the host or a GPU.
  Handle row = replicate(Truths{no, yes}, {2});
  options->sharded_where = row.get();
  const Floats columns = {0, 11, 0, 13, 0, 15, 0, 17};
  ASSERT_EQ(call("add", {of(x), plain(weak(10))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(made), columns);
  options->sharded_where = nullptr;
  bool truth[] = {false, true};
  Tensor<bool> onHost(truth, {1, 2});
  options->where = onHost.get();
  ASSERT_EQ(call("add", {of(x), plain(weak(10))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(made), columns);
  DLManagedTensor *there = nullptr;
  ASSERT_EQ(kern_array_copy(onHost.get(), gpu(1), &there), KERN_OK);
  ManagedArray owner(there);
  options->where = &there->dl_tensor;
  ASSERT_EQ(call("add", {of(x), plain(weak(10))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(made), columns);
}

TEST_F(SeveralGpus, MasksThatDoNotFit) {
  Handle x = scatter(iota<float>(8), {4, 2});
  auto refusedWith = [&](const Handle &mask, kern_status status,
                         const char *what) {
    options = noOptions();
    options->sharded_where = mask.get();
    refused(status, call("add", {of(x), plain(weak(1))}), what);
  };
  refusedWith(scatter(Truths{yes, no, yes, yes}, {2, 2}), KERN_ERROR_SHAPE,
              "argument 1 (`x`) has extent 4 along axis 0, and `where` has 2");
  refusedWith(scatter(Truths{yes, no, yes, yes}, {4}), KERN_ERROR_ARGUMENT,
              "and `where` has 1");
  refusedWith(replicate(Truths{yes, no, yes, yes}, {4, 1}), KERN_ERROR_ARGUMENT,
              "`where`, of shape (4, 1), is not dealt over GPUs as argument 1");
  refusedWith(
      scatter(Truths{yes, no, yes, yes}, {4, 1}, {gpu(2), gpu(1), gpu(0)}),
      KERN_ERROR_ARGUMENT, "`where` is on other GPUs than argument 1 (`x`)");
  options = noOptions();
  Handle copies = replicate(Floats(2), {1, 2});
  refused(KERN_ERROR_ARGUMENT,
          call("add", {of(x), plain(weak(1))}, copies.get()),
          "is written and not dealt over GPUs as argument 1 (`x`) is");
  bool truth[] = {true, true};
  Tensor<bool> other(truth, {2});
  Handle mask = scatter(Truths{yes, no, yes, yes}, {4, 1});
  options = noOptions();
  options->sharded_where = mask.get();
  options->where = other.get();
  refused(KERN_ERROR_ARGUMENT, call("add", {of(x), plain(weak(1))}),
          "are two masks");
  refused(KERN_ERROR_ARGUMENT, reduce("plus", x, {0}), "are two masks");
  options->where = nullptr;
  caller.options = options;
  refused(KERN_ERROR_ARGUMENT, caller.call("add", {weak(1), weak(2)}),
          "`sharded_where` is for calls over arrays that are dealt over GPUs");
}

TEST_F(SeveralGpus, GufuncsLoopOverParts) {
  Handle v = scatter(iota<double>(12), {4, 3});
  ASSERT_EQ(call("total", {of(v)}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{3, 12, 21, 30}));
  refused(KERN_ERROR_ARGUMENT, call("total", {of(scatter(Doubles{1, 2}, {2}))}),
          "argument 1 (`x`) is dealt along axis 0, which is a core dimension");
}

TEST_F(SeveralGpus, PartsMayBeEmpty) {
  Handle x = scatter(Floats{5, 6}, {2});
  EXPECT_EQ(kern_sharded_part(x.get(), 2)->shape[0], 0);
  ASSERT_EQ(call("add", {of(x), plain(weak(1))}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<float>(made), (Floats{6, 7}));
  Handle none = scatter(Floats(), {0, 4});
  ASSERT_EQ(call("add", {of(none), plain(weak(1))}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(kern_sharded_form(made.get())->shape[0], 0);
  EXPECT_EQ(kern_sharded_form(made.get())->shape[1], 4);
}

TEST_F(SeveralGpus, PartsAreOrdinaryArrays) {
  Handle x = scatter(iota<float>(6), {6});
  caller.options = noOptions();
  const DLTensor *last = kern_sharded_part(x.get(), 2);
  ASSERT_EQ(caller.call("add", {value(last), weak(100)}, {last}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gathered<float>(x), (Floats{0, 1, 2, 3, 104, 105}));
}

TEST_F(SeveralGpus, WhatDoesNotFitIsRefused) {
  Handle x = scatter(iota<float>(6), {6});
  refused(KERN_ERROR_ARGUMENT, call("add", {plain(weak(1)), plain(weak(2))}),
          "`add`: no argument is dealt over GPUs");
  refused(KERN_ERROR_SHAPE, call("add", {of(x), of(scatter(Floats(5), {5}))}),
          "argument 1 (`x`) has extent 6 along axis 0, and argument 2 (`y`) "
          "has 5");
  refused(KERN_ERROR_ARGUMENT,
          call("add",
               {of(x), of(scatter(Floats(6), {6}, {gpu(0), gpu(2), gpu(1)}))}),
          "argument 2 (`y`) is on other GPUs than argument 1 (`x`)");
  refused(KERN_ERROR_ARGUMENT,
          call("add", {of(x), of(scatter(Floats(6), {6}, {gpu(0), gpu(2)}))}),
          "is on other GPUs");
  Floats host(6);
  refused(
      KERN_ERROR_ARGUMENT,
      call("add", {of(x), plain(value(Tensor<float>(host.data(), {6}).get()))}),
      "argument 2 (`y`), of shape (6,), is not dealt over GPUs");
  refused(KERN_ERROR_SHAPE, call("add", {of(x), plain(rangeOf({0, 5, 1}))}),
          "argument 1 (`x`) has extent 6 along axis 0, and argument 2 (`y`) "
          "has 5");
  refused(KERN_ERROR_ARGUMENT, call("add", {of(x)}), "2 arguments");
  Handle whole = replicate(Floats(6), {6});
  refused(KERN_ERROR_ARGUMENT,
          call("add", {of(x), plain(weak(1))}, whole.get()),
          "the array for result 1 is written and not dealt over GPUs as "
          "argument 1");
  Handle wide = scatter(Floats(12), {6, 2});
  refused(KERN_ERROR_ARGUMENT, call("add", {of(x), plain(weak(1))}, wide.get()),
          "and the array for result 1 has 2");
  // An error of the call itself names the GPU.
  Handle a = scatter(Floats(12), {6, 2}), b = scatter(Floats(18), {6, 3});
  refused(KERN_ERROR_SHAPE, call("add", {of(a), of(b)}),
          ", in the call on cuda:0");
  kern_call_request asked = onTheGpu();
  options = asked;
  refused(KERN_ERROR_ARGUMENT, call("add", {of(x), of(x)}),
          "`device` is not for calls over arrays that are dealt over GPUs");
  options = noOptions();
  options->call.stream = &asked;
  refused(KERN_ERROR_ARGUMENT, call("add", {of(x), of(x)}), "`stream`");
  options = noOptions();
  options->has_dtype = 1;
  options->dtype = KERN_F64;
  ASSERT_EQ(call("add", {of(x), of(x)}), KERN_OK) << kern_last_error();
  EXPECT_EQ(gathered<double>(made), (Doubles{0, 2, 4, 6, 8, 10}));
}

TEST_F(SeveralGpus, DevicesThatDoNotServe) {
  kern_sharded *array = nullptr;
  const int64_t shape[] = {6};
  auto make = [&](std::vector<kern_device> devices, int rank = 1) {
    return kern_sharded_new(KERN_F32, rank, shape, devices.data(),
                            devices.size(), &array);
  };
  refused(KERN_ERROR_ARGUMENT, make({gpu(0), {kDLCPU, 0}}),
          "arrays are dealt over GPUs, not over the host");
  refused(KERN_ERROR_ARGUMENT, make({gpu(1), gpu(1)}), "cuda:1 is given twice");
  refused(KERN_ERROR_NOT_FOUND, make({gpu(0), gpu(7)}), "no device cuda:7");
  refused(KERN_ERROR_ARGUMENT, make({{kDLMetal, 0}}), "no devices of DLPack");
  refused(KERN_ERROR_SHAPE, make({}, 0), "no axis to deal");
  EXPECT_EQ(array, nullptr);
  ASSERT_EQ(make({gpu(2)}), KERN_OK) << kern_last_error();
  Handle owner = own(array);
  Floats other(5);
  refused(KERN_ERROR_SHAPE,
          kern_sharded_assign(array, Tensor<float>(other.data(), {5}).get()),
          "the source has shape (5,), the destination (6,)");
  Doubles numbers(6);
  refused(KERN_ERROR_TYPE,
          kern_sharded_gather(array, Tensor<double>(numbers.data(), {6}).get()),
          "the source has elements of type f32, the destination of type f64");
}

TEST(SeveralGpusFailure, EveryFault) {
  playWithFaults(
      [](Caller &caller) -> kern_status {
        Floats data = iota<float>(8), out(8);
        Tensor<float> x(data.data(), {8}), y(out.data(), {8});
        Floats one = {1};
        Tensor<float> small(one.data(), {1});
        kern_sharded *parts = nullptr, *result = nullptr;
        TRY(kern_sharded_scatter(x.get(), nullptr, 0, &parts));
        Handle owner = own(parts);
        const kern_sharded_value inputs[] = {of(owner),
                                             plain(value(small.get()))};
        TRY(kern_sharded_call(caller.find("add"), inputs, 2, nullptr, &result,
                              1, nullptr, nullptr));
        Handle made = own(result);
        TRY(kern_sharded_gather(result, y.get()));
        EXPECT_EQ(out, iota<float>(8, 1));
        return KERN_OK;
      },
      {.devices = 2});
}
