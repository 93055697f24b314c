//===- CppObjectsTest.cpp - kern.hpp's objects of GPUs --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

#include "FakeGpu.h"

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
