//===- CppInterfaceTest.cpp - kern.hpp ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

#include "AllocationCount.h"
#include "FakeGpu.h"
#include "Variable.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <stdexcept>
#include <unistd.h>

namespace {
class CppInterface : public testing::Test {
protected:
  kern::test::FakeGpu gpu;
  kern::Module module = kern::Module::loadText(kern::test::fakeArtefact());
  kern::Function add = module["add"];
};

template <typename T> std::vector<T> values(const kern::Array &array) {
  auto span = array.span<T>();
  return {span.begin(), span.end()};
}

template <typename Body>
void expectError(kern_status status, const char *what, Body body) {
  try {
    body();
    FAIL() << "no error: " << what;
  } catch (const kern::Error &error) {
    EXPECT_EQ(error.status(), status) << error.what();
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos)
        << error.what();
  }
}
using Floats = std::vector<float>;
using Doubles = std::vector<double>;
} // namespace

TEST_F(CppInterface, NumbersAndVectors) {
  Floats x = {1, 2, 3};
  kern::Array plain = add(x, 1);
  EXPECT_EQ(plain.dtype(), KERN_F32) << "a plain number is weak";
  EXPECT_EQ(values<float>(plain), (Floats{2, 3, 4}));
  EXPECT_EQ(values<float>(add(x, 0.5)), (Floats{1.5, 2.5, 3.5}));
  kern::Array typed = add(x, kern::scalar<double>(0.5));
  EXPECT_EQ(values<double>(typed), (Doubles{1.5, 2.5, 3.5}));
  EXPECT_EQ(add(1, 2.5).item<double>(), 3.5);
  std::array<double, 2> fixed = {1, 2};
  EXPECT_EQ(values<double>(add(fixed, std::span<const double>(fixed))),
            (Doubles{2, 4}));
  EXPECT_EQ(values<float>(add(add(x, x), add(x, 1))), (Floats{4, 7, 10}));
}

TEST_F(CppInterface, ShapesAndPlaces) {
  Floats x = {1, 2, 3, 4, 5, 6}, out(6);
  add(kern::view(x, {2, 3}), kern::Array(Floats{10, 20}, {2, 1}))
      .into(kern::view(out, {2, 3}));
  EXPECT_EQ(out, (Floats{11, 12, 13, 24, 25, 26}));
  kern::Array matrix(x, {3, 2});
  EXPECT_EQ(matrix.rank(), 2u);
  EXPECT_EQ(matrix.shape(1), 2);
  add(matrix, matrix).into(matrix);
  EXPECT_EQ(values<float>(matrix), (Floats{2, 4, 6, 8, 10, 12}));
  kern::Report report = {};
  add(x, x).report(report).stream(nullptr).into(out);
  EXPECT_STREQ(report.kernel, "add_f32_contiguous");
  EXPECT_EQ(out[5], 12);
  kern::View reversed(x.data() + 5, KERN_F32, {6}, {-1});
  EXPECT_EQ(values<float>(add(reversed, 0))[0], 6);
}

TEST_F(CppInterface, DeviceArrays) {
  kern::Array x(Floats{1, 2, 3}, kern::cuda());
  EXPECT_FALSE(x.onHost());
  kern::Array y = add(x, x);
  EXPECT_FALSE(y.onHost()) << "results stay where the inputs are";
  EXPECT_EQ(values<float>(y.to(kern::cpu())), (Floats{2, 4, 6}));
  EXPECT_EQ(gpu.liveAllocations(), 2);
  x = kern::Array();
  EXPECT_EQ(gpu.liveAllocations(), 1);
  kern::Array z = kern::Array::empty<float>({3}, kern::cuda());
  z.assign(y);
  kern::synchronize(kern::cuda());
  EXPECT_EQ(values<float>(z.to(kern::cpu())), (Floats{2, 4, 6}));
  EXPECT_EQ(kern::Array(Floats{7}, kern::cuda()).item<float>(), 7);
  EXPECT_EQ(kern::devices().size(), 2u);
  EXPECT_EQ(kern::describe(kern::cuda()).compute_capability, 90);
  expectError(KERN_ERROR_ARGUMENT, "on a GPU", [&] { z.span<float>(); });
}

// A repeated call takes memory for new results alone.
TEST_F(CppInterface, CallsTakeNoMemory) {
  kern::Array a(Floats{1, 2, 3}, kern::cuda()),
      b(Floats{4, 5, 6}, kern::cuda()),
      out = kern::Array::empty<float>({3}, kern::cuda());
  auto call = [&] {
    add(a, b).into(out);
    add(a, 0.5).on(kern::cuda()).into(out);
  };
  call();
  Floats x = {1, 2, 3};
  kern::test::AllocationCount count;
  for (int i = 0; i < 10; ++i)
    call();
  EXPECT_EQ(count.made(), 0);
  kern::Argument argument(x);
  kern::Output place(x);
  EXPECT_EQ(count.made(), 0) << "neither does a vector, as an operand";
  EXPECT_EQ(argument.get().as.array->shape[0], 3);
  EXPECT_EQ(place.get()->data, x.data());
  EXPECT_EQ(values<float>(out.to(kern::cpu())), (Floats{1.5, 2.5, 3.5}));
}

TEST_F(CppInterface, AnyNumberOfArguments) {
  Floats x = {1, 2};
  std::vector<kern::Argument> list;
  list.emplace_back(x);
  list.emplace_back(1);
  EXPECT_EQ(values<float>(add.call(std::move(list))), (Floats{2, 3}));
  expectError(KERN_ERROR_ARGUMENT, "9 were given",
              [&] { kern::Array r = add(x, x, x, x, x, x, x, x, x); });
  expectError(KERN_ERROR_ARGUMENT, "0 were given",
              [&] { kern::Array r = add(); });
}

// An argument refers to what has a name and owns what has none.
TEST_F(CppInterface, ArgumentsOwnTemporaries) {
  std::vector<kern::Argument> list;
  Floats moved(1000, 1), named = {1, 2, 3};
  const float *memory = moved.data();
  list.emplace_back(std::move(moved));
  list.emplace_back(named);
  EXPECT_EQ(list[0].get().as.array->data, memory) << "it is not copied";
  EXPECT_EQ(list[0].get().as.array->shape[0], 1000);
  EXPECT_EQ(list[1].get().as.array->data, named.data());
  list.clear();
  auto sum = [&](kern::Argument &&kept) {
    list.push_back(std::move(kept));
    list.emplace_back(named);
    kern::Array result = add.call(std::exchange(list, {}));
    return values<float>(result);
  };
  const Floats expected = {11, 22, 33};
  EXPECT_EQ(sum(Floats{10, 20, 30}), expected);
  EXPECT_EQ(sum(std::array<float, 3>{10, 20, 30}), expected);
  EXPECT_EQ(sum(std::initializer_list<float>{10, 20, 30}), expected);
  EXPECT_EQ(sum(kern::Array(Floats{10, 20, 30})), expected);
  EXPECT_EQ(sum(kern::view(expected, {3}))[0], 12);
  const Floats constant = {10, 20, 30};
  EXPECT_EQ(sum(static_cast<const Floats &&>(constant)), expected);
  {
    float memory3[] = {10, 20, 30};
    int64_t extent = 3;
    DLTensor tensor = {};
    tensor.data = memory3;
    tensor.device = kern::cpu();
    tensor.dtype = kern_dtype_to_dl(KERN_F32);
    tensor.ndim = 1;
    tensor.shape = &extent;
    EXPECT_EQ(sum(DLTensor(tensor)), expected);
    tensor.shape = nullptr;
    expectError(KERN_ERROR_ARGUMENT, "a tensor has no shape",
                [&] { kern::Argument refused{DLTensor(tensor)}; });
  }
  EXPECT_EQ(sum(Floats{10})[2], 13) << "one element broadcasts";
  kern::Array r = kern::Module::loadText(kern::test::fakeArtefact())["add"](
      Floats{1, 2, 3}, 1);
  EXPECT_EQ(values<float>(r), (Floats{2, 3, 4}));
}

TEST_F(CppInterface, CountsAreChecked) {
  Floats x = {1, 2, 3}, out(3);
  expectError(KERN_ERROR_ARGUMENT,
              "`add` takes 2 arguments (x, y), 1 was given",
              [&] { add(x).into(out); });
  expectError(KERN_ERROR_ARGUMENT, "`add` has 1 result, 2 were asked for",
              [&] { add(x, x).into(out, x); });
  expectError(KERN_ERROR_ARGUMENT, "`add` has 1 result, 0 were asked for",
              [&] { add(x, x).into(); });
  expectError(KERN_ERROR_ARGUMENT, "`add` has 1 result, not 2",
              [&] { add(x, x).arrays<2>(); });
  expectError(KERN_ERROR_ARGUMENT, "`add` takes 2 arguments (x, y), 3 were",
              [&] { add(x, x, x).prepare(out); });
  expectError(KERN_ERROR_ARGUMENT, "`add` has 1 result, 2 were asked for",
              [&] { add(x, x).prepare(out, out); });
  kern::Array a(x, kern::cuda()), there(x, kern::cuda());
  kern::Prepared call = add(a, 1).prepare(there);
  int64_t one = 1;
  std::array<const void *, 2> in = {a.data<float>(), &one};
  std::array<void *, 1> to = {there.data<float>()};
  call.launch(in, to);
  EXPECT_EQ(values<float>(there.to(kern::cpu())), (Floats{2, 3, 4}));
  // {address, 1} is a span of one address.
  expectError(KERN_ERROR_ARGUMENT,
              "`add` takes 2 arguments (x, y), 1 was given",
              [&] { call.launch({in.data(), 1}, to); });
  expectError(KERN_ERROR_ARGUMENT, "`add` has 1 result, 0 were asked for",
              [&] { call.launch(in, {}); });
  for (auto types : {std::initializer_list<int>{},
                     {KERN_F32, KERN_F32},
                     {KERN_F32, KERN_F32, KERN_F32, KERN_F32}})
    expectError(KERN_ERROR_ARGUMENT,
                "`add` takes 2 and returns 1; its signature has 3 types, not",
                [&] { kern::Array r = add(x, x).signature(types); });
}

TEST_F(CppInterface, Files) {
  auto path = std::filesystem::temp_directory_path() /
              ("kern-cpp-" + std::to_string(::getpid()) + ".npy");
  kern::Array(std::vector<int16_t>{1, -2}).write(path);
  kern::Array back = kern::Array::read(path);
  EXPECT_EQ(back.dtype(), KERN_I16);
  EXPECT_EQ(values<int16_t>(back), (std::vector<int16_t>{1, -2}));
  std::filesystem::remove(path);
  expectError(KERN_ERROR_NOT_FOUND, "cannot open",
              [&] { kern::Array::read(path); });
}

TEST_F(CppInterface, ErrorsCarryTheText) {
  Floats x = {1, 2, 3};
  expectError(KERN_ERROR_NOT_FOUND, "did you mean `add`?",
              [&] { module["ad"]; });
  expectError(KERN_ERROR_SHAPE, "shape (3,)",
              [&] { kern::Array r = add(x, Floats{1, 2}); });
  expectError(KERN_ERROR_ARGUMENT, "takes 2 arguments",
              [&] { kern::Array r = add(x); });
  expectError(KERN_ERROR_ARGUMENT, "has 2 results, not 1",
              [&] { kern::Array r = module["both"](1, 2); });
  expectError(KERN_ERROR_ARTEFACT, "manifest",
              [&] { kern::Module::loadText(".version 7.0"); });
  expectError(KERN_ERROR_TYPE, "too large for a weak integer",
              [&] { kern::Array r = add(x, UINT64_MAX); });
  expectError(KERN_ERROR_TYPE, "not of the type asked for", [&] {
    kern::Array r = add(x, x);
    r.data<double>();
  });
  expectError(KERN_ERROR_SHAPE, "memory 3", [&] { kern::view(x, {2, 2}); });
  expectError(KERN_ERROR_ARGUMENT, "there is no array",
              [&] { kern::Array().size(); });
  kern::Array none, some(x);
  expectError(KERN_ERROR_ARGUMENT, "argument 2 (`y`)",
              [&] { kern::Array r = add(x, none); });
  expectError(KERN_ERROR_ARGUMENT, "no place for result 1",
              [&] { add(x, x).into(none); });
  expectError(KERN_ERROR_ARGUMENT, "no dimension 1 in an array of rank 1",
              [&] { some.shape(1); });
  expectError(KERN_ERROR_SHAPE, "negative extent -1",
              [&] { kern::view(x, {-1, -3}); });
  expectError(KERN_ERROR_SHAPE, "more than 2^63 elements",
              [&] { kern::view(x, {int64_t(1) << 32, int64_t(1) << 32}); });
}

TEST_F(CppInterface, OptionsOfACall) {
  kern::Function total = module["total"], matmul = module["matmul"];
  Doubles v = {1, 2, 3, 4, 5, 6};
  auto matrix = [&] { return kern::view(v, {2, 3}); };
  kern::Array columns = total(matrix()).axis(0);
  EXPECT_EQ(values<double>(columns), (Doubles{5, 7, 9}));
  kern::Array kept = total(matrix()).axis(-1).keepdims();
  EXPECT_EQ(kept.rank(), 2u);
  EXPECT_EQ(values<double>(kept), (Doubles{6, 15}));
  EXPECT_EQ(total(matrix()).allAxes().item<double>(), 21);
  EXPECT_EQ(total(matrix()).axis({0, 1}).item<double>(), 21);
  expectError(KERN_ERROR_SHAPE, "out of bounds",
              [&] { kern::Array r = total(matrix()).axis(2); });
  Floats x = {1, 2, 3}, out = {-1, -1, -1};
  std::array<bool, 3> mask = {true, false, true};
  add(x, x).where(mask).into(out);
  EXPECT_EQ(out, (Floats{2, -1, 6}));
  EXPECT_EQ(values<float>(add(x, 1).where(mask)), (Floats{2, 0, 4}));
  EXPECT_EQ(kern::Array(add(x, x).dtype(KERN_F64)).dtype(), KERN_F64);
  EXPECT_EQ(
      kern::Array(add(x, x).signature({KERN_F64, KERN_F64, KERN_ANY_DTYPE}))
          .dtype(),
      KERN_F64);
  expectError(KERN_ERROR_TYPE, "under the rule 'no'",
              [&] { kern::Array r = add(x, v).casting(KERN_CASTING_NO); });
  Floats square(4, 1);
  kern::Array fortran = add(kern::view(square, {2, 2}), 1).order(KERN_ORDER_F);
  EXPECT_EQ(fortran.strides(), (kern::Shape{1, 2}));
}

TEST_F(CppInterface, ProgressOfACall) {
  kern::test::Variable bytes("KERN_PIECE_BYTES", "512");
  Floats x(1000, 1);
  std::vector<uint64_t> told;
  uint64_t total = 0;
  kern::Array y =
      add(x, 1).on(kern::allGpus()).progress([&](uint64_t done, uint64_t all) {
        told.push_back(done);
        total = all;
        return true;
      });
  EXPECT_EQ(values<float>(y), Floats(1000, 2));
  EXPECT_EQ(told.front(), 0u);
  EXPECT_EQ(told.back(), 8000u);
  EXPECT_EQ(total, 8000u);
  expectError(KERN_ERROR_CANCELLED, "`add`: cancelled after", [&] {
    (void)add(x, 1)
        .on(kern::device("cuda:0"))
        .progress([](uint64_t done, uint64_t) { return done < 2000; })
        .run();
  });
  // What it throws arrives as it is.
  EXPECT_THROW((void)add(x, 1)
                   .on(kern::cuda())
                   .progress([](uint64_t, uint64_t) -> bool {
                     throw std::out_of_range("enough");
                   })
                   .run(),
               std::out_of_range);
  EXPECT_EQ(values<float>(add(x, 2).on(kern::cuda())), Floats(1000, 3));
  EXPECT_GT(kern::ratesOf(kern::cuda()).to_device, 0);
  expectError(KERN_ERROR_ARGUMENT, "unknown device 'gpu'",
              [] { (void)kern::device("gpu"); });
}

TEST_F(CppInterface, TensorsOfDlpack1) {
  kern::Array sum = add(Floats{1, 2}, 1);
  DLManagedTensorVersioned *tensor =
      sum.releaseVersioned(DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_FALSE(sum) << "it has given the memory away";
  EXPECT_EQ(tensor->version.major, 1u);
  expectError(KERN_ERROR_ARGUMENT, "is read-only",
              [&] { kern::Array::take(tensor); });
  const kern::Array again = kern::Array::take(tensor, false);
  EXPECT_EQ(values<float>(again), (Floats{2, 3}));
  kern::Array none;
  expectError(KERN_ERROR_ARGUMENT, "the array is missing (NULL)",
              [&] { static_cast<void>(none.releaseVersioned()); });
}

TEST_F(CppInterface, PreparedCalls) {
  kern::Array a(Floats{1, 2, 3}, kern::cuda()),
      b(Floats{10, 20, 30}, kern::cuda()),
      out = kern::Array::empty<float>({3}, kern::cuda());
  kern::Prepared call = add(a, 0.5).prepare(out);
  double number = 2;
  std::array<const void *, 2> inputs = {b.data<float>(), &number};
  std::array<void *, 1> outputs = {out.data<float>()};
  call.launch(inputs, outputs);
  EXPECT_EQ(values<float>(out.to(kern::cpu())), (Floats{12, 22, 32}));
  outputs[0] = nullptr;
  expectError(KERN_ERROR_ARGUMENT, "result 1 is missing",
              [&] { call.launch(inputs, outputs); });
}

TEST_F(CppInterface, TypesHaveTheirNames) {
  static_assert(kern::dtypeOf<bool>() == KERN_BOOL);
  static_assert(kern::dtypeOf<int8_t>() == KERN_I8);
  static_assert(kern::dtypeOf<uint8_t>() == KERN_U8);
  static_assert(kern::dtypeOf<uint16_t>() == KERN_U16);
  static_assert(kern::dtypeOf<int>() == KERN_I32);
  static_assert(kern::dtypeOf<long long>() == KERN_I64);
  static_assert(kern::dtypeOf<uint64_t>() == KERN_U64);
  static_assert(kern::dtypeOf<kern::half>() == KERN_F16);
  static_assert(kern::dtypeOf<kern::bfloat16>() == KERN_BF16);
  static_assert(kern::dtypeOf<float>() == KERN_F32);
  static_assert(kern::dtypeOf<std::complex<double>>() == KERN_C128);
  static_assert(!kern::Element<char>);
  static_assert(!std::constructible_from<kern::Argument, std::vector<bool>>);
  static_assert(!std::constructible_from<kern::Argument, const char *>);
  static_assert(!std::constructible_from<kern::Output, const Floats &>);
  EXPECT_EQ(add.signature(), "(),()->()");
  EXPECT_EQ(module.functions().size(), 17u);
}
