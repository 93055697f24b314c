//===- SizedStructsTest.cpp - structs that say their size -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each struct of the C interface that says its size, with every size that it
// might say.
//
//===----------------------------------------------------------------------===//
#include "kern/build.h"
#include "kern/compile.h"
#include "kern/diagnostics.h"
#include "kern/methods.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace {

const kern_device cpu = {kDLCPU, 0};
/// An error with a fix, and one with a note.
const char *text = "ufunc f(x: f64) -> f64:\n    value = 1\n"
                   "    return x + valeu\n"
                   "ufunc f(y: f64) -> f64:\n    return y\n";

/// Memory for a later version's struct, filled with `byte` except for its first
/// `known` bytes, which are 0 and hold `size`.
struct Memory {
  alignas(16) unsigned char bytes[8192];
  Memory(size_t size, size_t known, unsigned char byte) {
    std::memset(bytes, byte, sizeof bytes);
    std::memset(bytes, 0, known);
    std::memcpy(bytes, &size, sizeof size);
  }
  template <typename T> T *as() { return reinterpret_cast<T *>(bytes); }
};

struct Struct {
  const char *name;
  std::vector<size_t> sizes;
  std::function<kern_status(Memory &)> use;
};

class SizedStructs : public testing::Test {
protected:
  void SetUp() override {
    const char *good = "ufunc f(x: f64) -> f64:\n    return x\n"
                       "ufunc g(x: f64, y: f64) -> f64:\n    return x - y\n";
    ASSERT_EQ(kern_compile_source(good, std::strlen(good), "a.kern", &module),
              KERN_OK);
    ASSERT_EQ(kern_module_find(module, "f", &function), KERN_OK);
    kern_module *bad = nullptr;
    ASSERT_EQ(kern_compile_source(text, std::strlen(text), "a.kern", &bad),
              KERN_ERROR_COMPILE);
  }
  void TearDown() override { kern_module_release(module); }

  kern_status call(const kern_call_options *options, kern_call_report *report) {
    kern_value x = {};
    x.kind = KERN_VALUE_WEAK_INT;
    DLManagedTensor *made = nullptr;
    kern_status status =
        kern_call(function, &x, 1, nullptr, &made, 1, options, report);
    if (made)
      made->deleter(made);
    return status;
  }
  kern_status resolve(kern_method_call *call) {
    kern_function *binary = nullptr;
    EXPECT_EQ(kern_module_find(module, "g", &binary), KERN_OK);
    int64_t extent = 4;
    const DLTensor array = {nullptr, cpu,     1, kern_dtype_to_dl(KERN_F64),
                            &extent, nullptr, 0};
    return kern_method_resolve(binary, KERN_METHOD_REDUCE, &array,
                               KERN_START_DEFAULT, nullptr, nullptr, call);
  }
  static kern_status compile(const kern_compile_options *options) {
    kern_module *made = nullptr;
    kern_status status = kern_compile_source_with("", 0, "a", options, &made);
    kern_module_release(made);
    return status;
  }
  static kern_status check(const kern_build_options *options,
                           kern_built *built = nullptr) {
    kern_build *made = nullptr;
    kern_status status = kern_check_source("", 0, "a", options, &made);
    if (status == KERN_OK && built)
      status = kern_build_get(made, built);
    kern_build_release(made);
    return status;
  }
  /// Of a list that a failing call does not end.
  template <typename Use> static kern_status ofError(Use use) {
    kern_module *bad = nullptr;
    kern_compile_source(text, std::strlen(text), "a.kern", &bad);
    return use(kern_last_diagnostics());
  }

  std::vector<Struct> read() {
    return {{"kern_call_options",
             {sizeof(kern_call_options), offsetof(kern_call_request, allocator),
              offsetof(kern_call_request, threads),
              offsetof(kern_call_request, shape),
              offsetof(kern_call_request, progress),
              offsetof(kern_call_request, sharded_where),
              sizeof(kern_call_request)},
             [this](Memory &memory) {
               return call(memory.as<kern_call_options>(), nullptr);
             }},
            {"kern_compile_options",
             {offsetof(kern_compile_options, include_path),
              sizeof(kern_compile_options)},
             [](Memory &memory) {
               return compile(memory.as<kern_compile_options>());
             }},
            {"kern_build_options",
             {sizeof(kern_build_options)},
             [](Memory &memory) {
               return check(memory.as<kern_build_options>());
             }}};
  }
  std::vector<Struct> filled() {
    return {
        {"kern_call_report",
         {sizeof(kern_call_report)},
         [this](Memory &memory) {
           return call(nullptr, memory.as<kern_call_report>());
         }},
        {"kern_method_call",
         {sizeof(kern_method_call)},
         [this](Memory &memory) {
           return resolve(memory.as<kern_method_call>());
         }},
        {"kern_built",
         {sizeof(kern_built)},
         [](Memory &memory) {
           return check(nullptr, memory.as<kern_built>());
         }},
        {"kern_device_info",
         {sizeof(kern_device_info)},
         [](Memory &memory) {
           return kern_device_describe(cpu, memory.as<kern_device_info>());
         }},
        {"kern_diagnostic",
         {sizeof(kern_diagnostic)},
         [](Memory &memory) {
           return ofError([&](const kern_diagnostics *list) {
             return kern_diagnostics_get(list, 0, memory.as<kern_diagnostic>());
           });
         }},
        {"kern_note",
         {sizeof(kern_note)},
         [](Memory &memory) {
           return ofError([&](const kern_diagnostics *list) {
             return kern_diagnostics_note(list, 1, 0, memory.as<kern_note>());
           });
         }},
        {"kern_fix", {sizeof(kern_fix)}, [](Memory &memory) {
           return ofError([&](const kern_diagnostics *list) {
             return kern_diagnostics_fix(list, 0, 0, memory.as<kern_fix>());
           });
         }}};
  }

  kern_module *module = nullptr;
  kern_function *function = nullptr;
};

bool has(const std::vector<size_t> &sizes, size_t size) {
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

void expectRefused(kern_status status, const std::string &what) {
  EXPECT_EQ(status, KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
      << kern_last_error();
}

} // namespace

TEST_F(SizedStructs, OfNoVersionAreRefused) {
  std::vector<Struct> all = read();
  for (Struct &each : filled())
    all.push_back(std::move(each));
  for (const Struct &each : all) {
    SCOPED_TRACE(each.name);
    for (size_t size = 0; size < each.sizes.back(); ++size) {
      Memory memory(size, sizeof memory.bytes, 0);
      if (has(each.sizes, size))
        EXPECT_EQ(each.use(memory), KERN_OK) << kern_last_error();
      else
        expectRefused(each.use(memory), "which no version of it has");
    }
    // A size that was never set.
    for (size_t size : {size_t(4097), size_t(-1), size_t(0xcdcdcdcdcdcdcdcd)}) {
      Memory memory(size, sizeof memory.bytes, 0);
      expectRefused(each.use(memory), "the size in");
    }
  }
}

TEST_F(SizedStructs, OfLaterVersionsMayAskForNothingUnknown) {
  for (const Struct &each : read()) {
    SCOPED_TRACE(each.name);
    const size_t known = each.sizes.back();
    for (size_t size : {known + 1, known + 8, size_t(4096)}) {
      Memory zeros(size, size, 0xff);
      EXPECT_EQ(each.use(zeros), KERN_OK) << kern_last_error();
      for (size_t at : {known, size - 1}) {
        Memory memory(size, sizeof memory.bytes, 0);
        memory.bytes[at] = 1;
        expectRefused(each.use(memory),
                      "byte " + std::to_string(at) + " is not 0");
      }
    }
  }
}

TEST_F(SizedStructs, OfLaterVersionsAreFilledAndCleared) {
  for (const Struct &each : filled()) {
    SCOPED_TRACE(each.name);
    const size_t known = each.sizes.back();
    Memory exact(known, sizeof(size_t), 0xee);
    ASSERT_EQ(each.use(exact), KERN_OK) << kern_last_error();
    EXPECT_EQ(exact.bytes[known], 0xee) << "written past its end";
    Memory later(known + 24, sizeof(size_t), 0xee);
    ASSERT_EQ(each.use(later), KERN_OK) << kern_last_error();
    for (size_t i = known; i < known + 24; ++i)
      EXPECT_EQ(later.bytes[i], 0);
    EXPECT_EQ(later.bytes[known + 24], 0xee);
    size_t size = 0;
    std::memcpy(&size, later.bytes, sizeof size);
    EXPECT_EQ(size, known + 24);
  }
}

TEST_F(SizedStructs, StayAsTheyWereWhereTheCallFails) {
  Memory info(sizeof(kern_device_info), sizeof(size_t), 0xee);
  EXPECT_EQ(kern_device_describe({kDLVulkan, 0}, info.as<kern_device_info>()),
            KERN_ERROR_NOT_FOUND);
  EXPECT_EQ(info.bytes[sizeof(size_t)], 0xee);
  Memory report(sizeof(kern_call_report), sizeof(size_t), 0xee);
  EXPECT_EQ(kern_call(function, nullptr, 0, nullptr, nullptr, 1, nullptr,
                      report.as<kern_call_report>()),
            KERN_ERROR_ARGUMENT);
  EXPECT_EQ(report.bytes[sizeof(size_t)], 0xee);
}

TEST_F(SizedStructs, CompileOptionsAreListenedTo) {
  kern_compile_options options = {};
  options.size = sizeof options;
  options.checks = 0x80;
  expectRefused(compile(&options), "not kern_check flags");
  options.checks = 0;
  options.reserved = 1;
  expectRefused(compile(&options), "reserved");
  options.reserved = 0;
  int wild = 2;
  std::memcpy(&options.fp_mode, &wild, sizeof wild);
  expectRefused(compile(&options), "fp_mode");
}
