//===- OutOfMemoryTest.cpp - compilation where memory is short ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each limit of memory in a child process of its own, which compiles and calls,
// then has its memory back and does it again.
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/CachedSource.h"
#include "compiler/source/FreeMemory.h"
#include "kern/kern.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kern;
using namespace kern::compiler;
using namespace kern::runtime;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KERN_SANITIZED // whose memory no limit of addresses leaves room for
#endif
#endif

namespace {

constexpr const char *little = "ufunc f(x: f64, y: f64) -> f64:\n"
                               "    return exp(x) * sin(y) ** 2.5\n";
/// Of a length that counts.
std::string large() {
  std::string text = "ufunc f(x: f64, y: f64) -> f64:\n    a = x\n";
  for (int i = 0; i < 200; ++i)
    text += "    a = a * y + exp(a - " + std::to_string(i) + ") * sin(a)\n";
  return text + "    return a\n";
}
/// Short, and large where its calls are inlined.
std::string inlined() {
  std::string text = "def a0(x):\n    return exp(x) * sin(x) + x\n";
  for (int i = 1; i < 6; ++i) {
    const std::string call = "a" + std::to_string(i - 1);
    text += "def a" + std::to_string(i) + "(x):\n    return " + call +
            "(x) + " + call + "(x * 2) * " + call + "(x - 1)\n";
  }
  return text + "ufunc f(x: f64, y: f64) -> f64:\n    return a5(x) + y\n";
}

/// Compiles for the CPU and calls.
kern_status callOnHost(const std::string &text) {
  kern_module *module = nullptr;
  kern_status status =
      kern_compile_source(text.data(), text.size(), "m.kern", &module);
  kern_function *function = nullptr;
  if (status == KERN_OK)
    status = kern_module_find(module, "f", &function);
  if (status == KERN_OK) {
    double number = 2, result = 0;
    int64_t shape[] = {1};
    DLTensor in = {&number, {kDLCPU, 0}, 1, {kDLFloat, 64, 1},
                   shape,   nullptr,     0};
    DLTensor out = in;
    out.data = &result;
    kern_value inputs[2] = {};
    inputs[0].as.array = inputs[1].as.array = &in;
    const DLTensor *outputs[] = {&out};
    kern_call_options options = {};
    options.size = sizeof options;
    options.has_device = 1;
    options.device = {kDLCPU, 0};
    status =
        kern_call(function, inputs, 2, outputs, nullptr, 1, &options, nullptr);
  }
  kern_module_release(module);
  return status;
}

/// Makes PTX, which needs no GPU.
kern_status makePtx(const std::string &text) {
  try {
    auto unit = std::make_unique<Unit>("m.kern", text);
    if (unit->diagnostics.hasErrors())
      return KERN_ERROR_COMPILE;
    JitSource source({"m.kern", text}, std::move(unit));
    const FunctionInfo &function = source.manifest().functions[0];
    auto code =
        source.kernel(function, function.loops[0], {Form::Contiguous, false},
                      {CodeTarget::Kind::Cuda, 90});
    return code ? KERN_OK : code.error().status;
  } catch (const std::bad_alloc &) {
    return KERN_ERROR_MEMORY;
  }
}

/// Takes code for the CPU from a cache where it is known.
struct FromCache {
  std::string folder;
  kern_status operator()(const std::string &text) const {
    try {
      Cache cache({true, folder, 1 << 24, 1 << 20, ""});
      auto source = CachedSource::open({"m.kern", text}, cache);
      if (!source)
        return source.error().status;
      const FunctionInfo &function = (*source)->manifest().functions[0];
      auto code = (*source)->kernel(function, function.loops[0],
                                    {Form::Contiguous, false}, {});
      return code ? KERN_OK : code.error().status;
    } catch (const std::bad_alloc &) {
      return KERN_ERROR_MEMORY;
    }
  }
};

/// The mapped memory by `statm`, in bytes.
size_t mapped() {
  size_t pages = 0;
  std::ifstream file("/proc/self/statm");
  EXPECT_TRUE(file >> pages);
  return pages * size_t(::sysconf(_SC_PAGESIZE));
}

bool allowMore(rlim_t bytes) {
  rlimit limit = {bytes, RLIM_INFINITY};
  return ::setrlimit(RLIMIT_AS, &limit) == 0;
}

enum Outcome { Compiled, Refused, Other };

/// In a child that may have this many bytes more than at its start.
template <typename Compile>
Outcome withMemory(size_t more, const std::string &text,
                   const Compile &compile) {
  const size_t limit = mapped() + more;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    kern_status first = allowMore(limit) ? compile(text) : KERN_ERROR_INTERNAL;
    // A compilation that was refused leaves nothing that hinders the next.
    kern_status second =
        allowMore(RLIM_INFINITY) ? compile(text) : KERN_ERROR_INTERNAL;
    bool isRight =
        (first == KERN_OK || first == KERN_ERROR_MEMORY) && second == KERN_OK;
    ::_exit(!isRight ? Other : first == KERN_OK ? Compiled : Refused);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) {
    ADD_FAILURE() << "signal " << WTERMSIG(status) << " with " << more
                  << " bytes";
    return Other;
  }
  EXPECT_NE(WEXITSTATUS(status), Other) << "with " << more << " bytes";
  return Outcome(WEXITSTATUS(status));
}

/// From no memory to enough, in `steps`.
template <typename Compile>
void sweep(const std::string &text, size_t enough, int steps,
           const Compile &compile) {
#ifdef KERN_SANITIZED
  GTEST_SKIP() << "sanitizers map more than any limit";
#else
  ::setenv("KERN_CACHE", "0", 1);
  int compiled = 0, refused = 0;
  for (int i = 0; i <= steps; ++i) {
    const Outcome outcome =
        withMemory(enough / size_t(steps) * size_t(i), text, compile);
    compiled += outcome == Compiled;
    refused += outcome == Refused;
  }
  EXPECT_GT(refused, 0) << "no limit was too low";
  EXPECT_GT(compiled, 0) << "no limit was high enough";
#endif
}

constexpr size_t mebibyte = size_t(1) << 20;

} // namespace

TEST(OutOfMemory, ALittleFunctionOnTheHost) {
  sweep(little, 24 * mebibyte, 48, callOnHost);
}

TEST(OutOfMemory, ALargeFunctionOnTheHost) {
  sweep(large(), 96 * mebibyte, 24, callOnHost);
}

TEST(OutOfMemory, AFunctionThatCallsInline) {
  sweep(inlined(), 128 * mebibyte, 16, callOnHost);
}

TEST(OutOfMemory, ALittleFunctionAsPtx) {
  sweep(little, 24 * mebibyte, 48, makePtx);
}

TEST(OutOfMemory, ALargeFunctionAsPtx) {
  sweep(large(), 96 * mebibyte, 16, makePtx);
}

TEST(OutOfMemory, CodeThatIsInTheCache) {
  std::string folder =
      (std::filesystem::temp_directory_path() / "kern-XXXXXX").string();
  ASSERT_TRUE(::mkdtemp(folder.data()));
  const FromCache find{folder};
  EXPECT_EQ(withMemory(size_t(1) << 40, little, find), Compiled);
  sweep(little, 24 * mebibyte, 48, find);
  std::filesystem::remove_all(folder);
}

TEST(OutOfMemory, MemoryIsThereOrNot) {
  EXPECT_TRUE(hasMemory(4096));
  EXPECT_FALSE(hasMemory(size_t(1) << 60));
  EXPECT_THROW(requireMemory(size_t(1) << 60), std::bad_alloc);
  EXPECT_NO_THROW(requireMemory(4096));
}
