//===- CppObjectsTest.cpp - kern.hpp's objects of GPUs --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

#include "FakeGpu.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace {
class CppObjects : public testing::Test {
protected:
  kern::test::FakeGpu gpu;
  kern::Module module = kern::Module::loadText(kern::test::fakeArtefact());
  kern::Function add = module["add"];
  using Floats = std::vector<float>;
  static Floats values(const kern::Array &array) {
    kern::Array host = array.to(kern::cpu());
    auto span = host.span<float>();
    return {span.begin(), span.end()};
  }
};
} // namespace

TEST_F(CppObjects, ArraysOutliveTheirStreams) {
  kern::Array x(Floats{1, 2, 3}, kern::cuda());
  kern::Array z;
  {
    kern::Stream a, b;
    EXPECT_NE(a.handle(), b.handle());
    EXPECT_EQ(a.device().device_type, kDLCUDA);
    kern::Array y = add(x, 1).stream(a);
    EXPECT_FALSE(a.isComplete());
    z = add(y, 1).stream(b);
    kern::Stream moved = std::move(b);
    moved.synchronize();
    EXPECT_TRUE(a.isComplete()) << "b has waited for it";
  }
  EXPECT_EQ(values(z), (Floats{3, 4, 5}));
}

TEST_F(CppObjects, EventsMeasureAndOrder) {
  kern::Array x(Floats{1}, kern::cuda()), y(Floats{0}, kern::cuda());
  kern::Stream a, standard = kern::Stream::byDefault();
  EXPECT_EQ(standard.handle(), nullptr);
  kern::Event begin = kern::Event::timed(), end = kern::Event::timed();
  begin.record(a);
  add(x, 1).stream(a).into(y);
  end.record(a);
  EXPECT_FALSE(end.isComplete());
  standard.wait(a.record());
  end.wait();
  EXPECT_EQ(end.elapsed(begin), 1);
  EXPECT_THROW(a.record().elapsed(begin), kern::Error);
}

TEST_F(CppObjects, PreparedCallsTakeStreams) {
  kern::Array x(Floats{1, 2}, kern::cuda()), y(Floats{0, 0}, kern::cuda());
  kern::Stream stream;
  kern::Prepared prepared = add(x, x).prepare(y);
  const void *inputs[] = {x.data<float>(), x.data<float>()};
  void *outputs[] = {y.data<float>()};
  prepared.launch(inputs, outputs, stream);
  EXPECT_FALSE(stream.isComplete());
  stream.synchronize();
  EXPECT_EQ(values(y), (Floats{2, 4}));
}

TEST_F(CppObjects, NewArraysAreWhereTheScopeSays) {
  EXPECT_TRUE(kern::Array(Floats{1}).onHost());
  {
    kern::DeviceScope scope(kern::cuda());
    EXPECT_EQ(kern::scopeDevice().device_type, kDLCUDA);
    EXPECT_FALSE(kern::Array(Floats{1}).onHost());
    EXPECT_FALSE(kern::Array::empty<float>({2}).onHost());
    EXPECT_TRUE(kern::Array(Floats{1}, kern::cpu()).onHost());
    Floats x = {1, 2};
    kern::Array sum = add(x, std::span<const float>(x));
    EXPECT_TRUE(sum.onHost()) << "its arguments are";
    kern::DeviceScope inner(kern::pinned());
    EXPECT_EQ(kern::Array(Floats{1}).device().device_type, kDLCUDAHost);
  }
  EXPECT_TRUE(kern::Array(Floats{1}).onHost());
}

TEST_F(CppObjects, MemoryIsCounted) {
  const kern::MemoryInfo before = kern::memoryInfo();
  {
    kern::Array x = kern::Array::empty(KERN_U8, {1000}, kern::cuda());
    EXPECT_EQ(kern::memoryInfo().in_use, before.in_use + 1000);
    kern::setMemoryLimit(kern::cuda(), 2000);
    EXPECT_THROW(kern::Array::empty(KERN_U8, {1500}, kern::cuda()),
                 kern::Error);
    kern::setMemoryLimit(kern::cuda(), 0);
  }
  EXPECT_EQ(kern::memoryInfo().in_use, before.in_use);
  EXPECT_GE(kern::memoryInfo().peak, 1000u);
  kern::resetMemoryPeak();
  kern::trimMemory();
  EXPECT_EQ(kern::memoryInfo().cached, 0u);
}

TEST_F(CppObjects, PinnedArraysAreArrays) {
  auto x = kern::PinnedArray::of<float>({3});
  EXPECT_TRUE(x.onHost());
  EXPECT_EQ(x.device().device_type, kDLCUDAHost);
  x.span<float>()[0] = 7;
  kern::PinnedArray copy(Floats{1, 2, 3}), again(copy.copy());
  add(copy, 1).into(x);
  EXPECT_EQ(x.span<float>()[2], 4);
  EXPECT_EQ(again.span<float>()[2], 3);
  EXPECT_GT(kern::memoryInfo(kern::pinned()).in_use, 0u);
}

TEST_F(CppObjects, RegisteredMemoryEnds) {
  Floats memory(1000);
  {
    kern::RegisteredMemory one{std::span<float>(memory)};
    kern::RegisteredMemory moved = std::move(one);
    EXPECT_THROW(kern::RegisteredMemory{std::span<float>(memory)}, kern::Error);
  }
  kern::RegisteredMemory again(memory.data(), 4000);
}

TEST_F(CppObjects, AllocatorsAreCopied) {
  static int calls = 0;
  kern::MemoryAllocator none = {};
  none.allocate = [](void *, size_t, kern_device, void *) -> void * {
    ++calls;
    return nullptr;
  };
  none.free = [](void *, void *, size_t, kern_device, void *) {};
  kern::setMemoryAllocator(kern::cuda(), none);
  EXPECT_THROW(kern::Array::empty<float>({1}, kern::cuda()), kern::Error);
  EXPECT_EQ(calls, 1);
  kern::resetMemoryAllocator(kern::cuda());
  EXPECT_NO_THROW(kern::Array::empty<float>({1}, kern::cuda()));
}

TEST_F(CppObjects, GraphsReplay) {
  kern::Array x(Floats{1, 2}, kern::cuda()), y(Floats{0, 0}, kern::cuda());
  kern::Stream stream;
  kern::Graph graph = kern::Graph::record(stream, [&] {
    kern::Array t = add(x, 1).stream(stream);
    add(t, 1).stream(stream).into(y);
  });
  EXPECT_EQ(values(y), (Floats{0, 0}));
  graph.launch(stream);
  EXPECT_EQ(values(y), (Floats{3, 4}));
  EXPECT_THROW(kern::Graph::record(stream, [] { throw 1; }), int);
  add(x, 1).stream(stream).into(y); // the recording has ended
  EXPECT_EQ(values(y), (Floats{2, 3}));
}

namespace {
struct CppSharded : testing::Test {
  kern::test::FakeGpu gpus{3};
  kern::Module module = kern::Module::loadText(kern::test::fakeArtefact());
  kern::Function add = module["add"];
  std::vector<float> data = {1, 2, 3, 4};
};
} // namespace

TEST_F(CppSharded, CallsRunOverParts) {
  kern::Sharded x = kern::Sharded::scatter(data);
  EXPECT_EQ(x.partCount(), 3u);
  EXPECT_EQ(x.dtype(), KERN_F32);
  EXPECT_EQ(x.shape()[0], 4);
  EXPECT_EQ(x.begin(2), 3);
  kern::Sharded y = add(x, 1.0f);
  kern::Report report;
  add(y, x).report(report).into(y);
  EXPECT_EQ(report.elements, 4);
  kern::Array all = y.gather();
  EXPECT_TRUE(
      std::ranges::equal(all.span<float>(), std::vector<float>{3, 5, 7, 9}));
  add.overParts(1.0f, 2.0f).into(y);
  std::vector<float> out(4);
  y.gather(out);
  EXPECT_EQ(out, (std::vector<float>(4, 3)));
  y.assign(data);
  kern::Sharded one = kern::Sharded::replicate(std::vector<float>{10});
  EXPECT_TRUE(one.isReplicated());
  kern::Array sum = add(y.part(0), 1.0f); // an ordinary call on its GPU
  EXPECT_EQ(sum.device().device_id, 0);
  y = add(y, one);
  y.synchronize();
  all = y.gather();
  EXPECT_EQ(all.span<float>()[3], 14);
  const bool truth[] = {true, false, false, true};
  const kern::Sharded mask =
      kern::Sharded::scatter(kern::view(std::span(truth), {4}));
  all = kern::Sharded(add(x, 1.0f).where(mask)).gather();
  EXPECT_TRUE(
      std::ranges::equal(all.span<float>(), std::vector<float>{2, 0, 0, 5}));
  add(x, 1.0f).where(kern::view(std::span(truth).first(1), {1})).into(y);
  all = y.gather();
  EXPECT_EQ(all.span<float>()[3], 5);
  std::vector<kern::Sharded> made = add(x, x).dtype(KERN_F64).run();
  EXPECT_EQ(made.at(0).dtype(), KERN_F64);
}

TEST_F(CppSharded, MistakesAreErrors) {
  kern::Sharded x = kern::Sharded::scatter(data, {kern::cuda(2)}), none;
  EXPECT_EQ(x.partCount(), 1u);
  EXPECT_THROW(static_cast<void>(none.shape()), kern::Error);
  EXPECT_THROW(static_cast<void>(none.gather()), kern::Error);
  EXPECT_THROW(static_cast<void>(x.part(1)), kern::Error);
  EXPECT_THROW(kern::Sharded::scatter(1.0f), kern::Error);
  EXPECT_THROW(add(none, x).run(), kern::Error);
  EXPECT_THROW(add(x, data).run(), kern::Error);
  EXPECT_THROW(static_cast<void>(kern::Sharded(add.reduce(x).axis(0))),
               kern::Error); // `add` is not @associative
  EXPECT_THROW(
      static_cast<void>(kern::Sharded(add.reduce(x).axis({0}).dtype(KERN_F64))),
      kern::Error);
  EXPECT_THROW(static_cast<void>(kern::Sharded(
                   add.reduce(x).allAxes().keepdims().initial(1).where(x))),
               kern::Error);
  EXPECT_THROW(add(x, 1.0f).where(1.0f).run(), kern::Error);
  EXPECT_THROW(kern::Sharded::empty<float>({2}, {kern::cpu()}), kern::Error);
}
