//===- MethodsTest.cpp - methods of ufuncs --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What test/e2e/groups/methods.py does not see: which gufuncs are made and
// kept, memory, and C++.
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

#include <gtest/gtest.h>
#include <thread>

namespace {
using Doubles = std::vector<double>;

class Methods : public testing::Test {
protected:
  kern::Module module =
      kern::Module::compile("@associative(identity=0)\n"
                            "ufunc add(x, y):\n    return x + y\n"
                            "ufunc sub(x, y):\n    return x - y\n"
                            "ufunc neg(x):\n    return -x\n",
                            "m.kern");
  kern::Function add = module["add"], sub = module["sub"], neg = module["neg"];
};

Doubles values(const kern::Array &array) {
  auto span = array.span<double>();
  return {span.begin(), span.end()};
}

kern_function *find(const char *name, kern_module **module) {
  const std::string text = "@associative(identity=0)\n"
                           "ufunc add(x, y):\n    return x + y\n"
                           "ufunc sub(x, y):\n    return x - y\n";
  EXPECT_EQ(kern_compile_source(text.data(), text.size(), "m.kern", module),
            KERN_OK);
  kern_function *function = nullptr;
  EXPECT_EQ(kern_module_find(*module, name, &function), KERN_OK);
  return function;
}

kern_method_call resolve(kern_function *function, const DLTensor &array,
                         kern_method method = KERN_METHOD_REDUCE,
                         kern_start start = KERN_START_DEFAULT,
                         const kern_call_request *request = nullptr) {
  kern_method_call call = {};
  call.size = sizeof call;
  EXPECT_EQ(kern_method_resolve(function, method, &array, start, nullptr,
                                request ? &request->call : nullptr, &call),
            KERN_OK)
      << kern_last_error();
  return call;
}
} // namespace

TEST_F(Methods, OfCpp) {
  Doubles x = {9, 1, 2, 4, 3, 5};
  const kern::View matrix = kern::view(x, {2, 3});
  EXPECT_EQ(sub.reduce(x).item<double>(), 9 - 1 - 2 - 4 - 3 - 5);
  EXPECT_EQ(values(sub.reduce(matrix)), (Doubles{5, -2, -3}));
  EXPECT_EQ(values(sub.reduce(matrix).axis(-1).initial(100)),
            (Doubles{88, 88}));
  kern::Array all = add.reduce(matrix).allAxes().keepdims();
  EXPECT_EQ(all.rank(), 2u);
  EXPECT_EQ(all.item<double>(), 24);
  const std::array<bool, 3> mask = {true, false, true};
  EXPECT_EQ(values(add.reduce(matrix).axis(1).where(mask)), (Doubles{11, 9}));
  EXPECT_EQ(values(sub.accumulate(matrix).axis(1)),
            (Doubles{9, 8, 6, 4, 1, -4}));
  EXPECT_EQ(values(sub.reduceat(x, std::vector<int>{0, 2, 1})),
            (Doubles{8, 2, 1 - 2 - 4 - 3 - 5}));
  EXPECT_EQ(values(sub.outer(std::vector<double>{1, 2}, Doubles{3, 5})),
            (Doubles{-2, -4, -1, -3}));
  Doubles place(2);
  add.reduce(matrix).axis(1).into(place);
  EXPECT_EQ(place, (Doubles{12, 12}));
  add.at(place, std::vector<int64_t>{0, 0, -1}, Doubles{1, 2, 3}).run();
  EXPECT_EQ(place, (Doubles{15, 15}));
  neg.at(place, std::vector<int8_t>{1}).run();
  EXPECT_EQ(place, (Doubles{15, -15}));
  add.at(matrix, std::vector<int>{1, 1}, std::vector<int>{2, 2}, 10).run();
  EXPECT_EQ(x[5], 25);
  kern::Report report = {};
  kern::Array sum = module["add"].reduce(x).report(report).on(kern::cpu());
  EXPECT_EQ(std::string(report.kernel).find("add_reduce"), 0u) << report.kernel;
}

TEST_F(Methods, OfCppRefuse) {
  Doubles x = {1, 2};
  EXPECT_THROW(add.at(x, std::vector<int>{0}, 1).into(x), kern::Error);
  EXPECT_THROW(add.reduce(x).prepare(x), kern::Error);
  EXPECT_THROW(add.at(x, std::vector<int>{2}, 1).run(), kern::Error);
  EXPECT_EQ(x, (Doubles{1, 2}));
}

TEST(MethodGufuncs, AreMadeOnce) {
  kern_module *module = nullptr;
  kern_function *add = find("add", &module);
  int64_t shape[] = {3, 4}, columns[] = {1, 3};
  DLTensor array = {nullptr, {kDLCPU, 0}, 2, kern_dtype_to_dl(KERN_F32),
                    shape,   columns,     0};
  const kern_method_call first = resolve(add, array);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(
        [&] { EXPECT_EQ(resolve(add, array).gufunc, first.gufunc); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_NE(resolve(add, array, KERN_METHOD_REDUCE, KERN_START_GIVEN).gufunc,
            first.gufunc);
  EXPECT_STREQ(kern_function_name(first.gufunc), "add_reduce");
  EXPECT_STREQ(kern_function_signature(first.gufunc), "(k_n)->()");
  kern_module_release(module);
}

TEST(MethodGufuncs, GoThroughMemoryInItsOrder) {
  kern_module *module = nullptr;
  kern_function *sub = find("sub", &module);
  int64_t shape[] = {3, 4, 5}, axis[] = {0};
  DLTensor array = {nullptr, {kDLCPU, 0}, 3, kern_dtype_to_dl(KERN_I8),
                    shape,   nullptr,     0};
  kern_method_call call = resolve(sub, array);
  EXPECT_EQ(call.dtype, KERN_I8);
  ASSERT_TRUE(call.has_axes);
  EXPECT_EQ(call.array_axes[0], 0);
  EXPECT_EQ(call.array_axes[1], 2) << "the columns";
  EXPECT_EQ(call.result_axes[0], 1) << "of the result";
  call = resolve(sub, array, KERN_METHOD_ACCUMULATE);
  EXPECT_EQ(call.result_axis_count, 2);
  EXPECT_EQ(call.result_axes[1], 2);
  // On a GPU the mapping does that.
  array.device = {kDLCUDA, 0};
  call = resolve(sub, array);
  EXPECT_FALSE(call.has_axes);
  EXPECT_EQ(call.array_axis_count, 1);
  array.device = {kDLCPU, 0};
  kern_call_request request = {};
  request.call.size = sizeof request;
  const kern_axes none = {axis, 0}, last = {axis, 1};
  request.axis = &none;
  call = resolve(sub, array, KERN_METHOD_REDUCE, KERN_START_GIVEN, &request);
  EXPECT_TRUE(call.adds_axis);
  EXPECT_EQ(call.array_axes[0], 3);
  axis[0] = -1;
  request.axis = &last;
  request.has_dtype = 1;
  request.dtype = KERN_F64;
  call = resolve(sub, array, KERN_METHOD_REDUCE, KERN_START_FIRST, &request);
  EXPECT_FALSE(call.has_axes);
  EXPECT_EQ(call.array_axes[0], 2);
  EXPECT_EQ(call.dtype, KERN_F64);
  EXPECT_EQ(call.element, KERN_I8) << "the gufunc converts what it reads";
  kern_module_release(module);
}

namespace {
struct Pool {
  std::vector<double> memory = std::vector<double>(64);
  std::vector<int64_t> shape;
  static void *allocate(void *context, size_t, const DLTensor *form) {
    auto *pool = static_cast<Pool *>(context);
    pool->shape.assign(form->shape, form->shape + form->ndim);
    return pool->memory.data();
  }
};
} // namespace

TEST(MethodResults, LieInTheCallersMemory) {
  kern_module *module = nullptr;
  kern_function *add = find("add", &module);
  double numbers[] = {1, 2, 3, 4, 5, 6};
  int64_t shape[] = {2, 3};
  const DLTensor array = {numbers, {kDLCPU, 0}, 2, kern_dtype_to_dl(KERN_F64),
                          shape,   nullptr,     0};
  kern_value value = {};
  value.kind = KERN_VALUE_ARRAY;
  value.as.array = &array;
  alignas(16) Pool pool;
  const kern_allocator allocator = {&pool, Pool::allocate};
  kern_call_request request = {};
  request.call.size = sizeof request;
  request.allocator = &allocator;
  request.keepdims = 1;
  EXPECT_EQ(kern_reduce(add, &value, nullptr, nullptr, nullptr, &request.call,
                        nullptr),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(pool.shape, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(pool.memory[2], 9);
  const kern_allocator without = {&pool, nullptr};
  request.allocator = &without;
  EXPECT_EQ(kern_reduce(add, &value, nullptr, nullptr, nullptr, &request.call,
                        nullptr),
            KERN_ERROR_ARGUMENT);
  kern_module_release(module);
}

TEST(MethodIndices, AreFoundOutside) {
  auto position = [](auto numbers, kern_dtype type, std::vector<int64_t> shape,
                     std::vector<int64_t> strides, int64_t low, int64_t high) {
    const DLTensor array = {numbers.data(),
                            {kDLCPU, 0},
                            int(shape.size()),
                            kern_dtype_to_dl(type),
                            shape.data(),
                            strides.data(),
                            0};
    int64_t found = -2;
    EXPECT_EQ(kern_find_outside(&array, low, high, &found), KERN_OK);
    return found;
  };
  const std::array<int64_t, 4> wide = {0, 3, -4, 4};
  EXPECT_EQ(position(wide, KERN_I64, {4}, {1}, -4, 4), 3);
  EXPECT_EQ(position(wide, KERN_I64, {4}, {1}, 0, 5), 2);
  EXPECT_EQ(position(wide, KERN_I64, {4}, {1}, -4, 5), -1);
  EXPECT_EQ(position(wide, KERN_I64, {2, 2}, {1, 2}, 0, 4), 1);
  EXPECT_EQ(position(wide, KERN_I64, {0}, {1}, 0, 0), -1);
  EXPECT_EQ(position(std::array<uint64_t, 2>{1, UINT64_MAX}, KERN_U64, {2}, {1},
                     -2, 2),
            1);
  EXPECT_EQ(position(std::array<int8_t, 2>{1, -1}, KERN_I8, {2}, {1}, 0, 2), 1);
  EXPECT_EQ(position(std::array<uint16_t, 2>{1, 9}, KERN_U16, {2}, {1}, 0, 9),
            1);
  std::array<int64_t, 5000> many = {};
  for (int64_t wrong : {int64_t(-1), int64_t(7), INT64_MIN, INT64_MAX})
    for (size_t at : {0u, 1023u, 1024u, 3000u, 4999u}) {
      many.fill(6);
      many[at] = wrong;
      EXPECT_EQ(position(many, KERN_I64, {5000}, {1}, 0, 7), int64_t(at));
    }
  double real = 0;
  int64_t one = 1, found = 0;
  const DLTensor floats = {&real, {kDLCPU, 0}, 1, kern_dtype_to_dl(KERN_F64),
                           &one,  nullptr,     0};
  EXPECT_EQ(kern_find_outside(&floats, 0, 1, &found), KERN_ERROR_TYPE);
}
