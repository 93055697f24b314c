//===- ThreadsTest.cpp - what several threads may do at once --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The promises of kern.h, with the same objects in many threads;
// ThreadSanitizer looks at how.
//
//===----------------------------------------------------------------------===//
#include <kern/compile.h>
#include <kern/kern.hpp>

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace {
constexpr int threadCount = 4;
constexpr int turns = 8;

const char *source = "ufunc add(x: T, y: T) -> T where T in (f32, f64):\n"
                     "    unused = x\n"
                     "    return x + y\n"
                     "ufunc generic(x):\n"
                     "    return x * x\n"
                     "gufunc total(v: f64[n]) -> f64:\n"
                     "    return sum(x for x in v)\n";

/// Runs `body(thread)` in several threads that begin at once.
template <typename Body> void inThreads(Body body) {
  std::atomic<int> waiting = threadCount;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < threadCount; ++thread)
    threads.emplace_back([&, thread] {
      for (--waiting; waiting > 0;)
        std::this_thread::yield();
      body(thread);
    });
  for (std::thread &thread : threads)
    thread.join();
}

double callOf(const kern::Function &function, double x, double y) {
  const std::vector<double> a = {x, 0}, b = {y, 0};
  kern::Array result = function(a, b).on(kern::cpu()).array();
  return result.span<double>()[0];
}
} // namespace

TEST(Threads, CompileAndLoadAtOnce) {
  inThreads([](int thread) {
    for (int turn = 0; turn < turns; ++turn) {
      kern_set_include_path(turn % 2 ? "a:b" : nullptr);
      EXPECT_STREQ(kern_cache_problem(), "");
      kern::Module module = kern::Module::compile(source, "t.kern");
      EXPECT_EQ(module.diagnostics().size(), 1u);
      if (turn == 0)
        EXPECT_EQ(callOf(module["add"], thread, 1), thread + 1);
      EXPECT_THROW(kern::Module::loadText("no PTX"), kern::Error);
    }
  });
  kern_set_include_path(nullptr);
}

TEST(Threads, ShareAModuleAndItsFunctions) {
  kern::Module module = kern::Module::compile(source, "t.kern");
  const kern::Function add = module["add"];
  inThreads([&](int thread) {
    for (int turn = 0; turn < turns; ++turn) {
      EXPECT_EQ(module.functions().size(), 3u);
      kern::Function total = module["total"];
      EXPECT_EQ(total.signature(), "(n)->()");
      EXPECT_EQ(module["add"].inputCount(), 2u);
      EXPECT_EQ(module["add"].outputCount(), 1u);
      kern::Function add = module["add"];
      EXPECT_EQ(add.name(), "add");
      EXPECT_FALSE(module.manifest().empty());
      EXPECT_EQ(module.diagnostics()[0].code, "K0801");
      // One function, one loop that is compiled once.
      EXPECT_EQ(callOf(add, thread, turn), thread + turn);
      const std::vector<float> v = {float(turn)};
      kern::Array square = module["generic"](v).on(kern::cpu());
      EXPECT_EQ(square.item<float>(), float(turn * turn));
    }
  });
}

TEST(Threads, HaveErrorsOfTheirOwn) {
  kern::Module module = kern::Module::compile(source, "t.kern");
  inThreads([&](int thread) {
    const std::string name = "none" + std::to_string(thread);
    for (int turn = 0; turn < turns; ++turn) {
      try {
        module.function(name);
        ADD_FAILURE();
      } catch (const kern::Error &error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
      }
      try {
        kern::Module::compile("ufunc f(x):\n    return " + name + "\n");
        ADD_FAILURE();
      } catch (const kern::Error &error) {
        ASSERT_EQ(error.diagnostics().size(), 1u);
        EXPECT_EQ(error.diagnostics()[0].text, "unknown name `" + name + "`");
      }
      EXPECT_NE(std::string(kern_last_error()).find(name), std::string::npos);
    }
  });
}

TEST(Threads, LaunchOnePreparedCallAfterItsModule) {
  std::vector<double> x = {1, 2}, y = {3, 4}, z(2);
  std::optional<kern::Prepared> prepared;
  kern::Array result;
  {
    kern::Module module = kern::Module::compile(source, "t.kern");
    prepared = module["add"](x, y).on(kern::cpu()).prepare(z);
    result = module["add"](x, y).on(kern::cpu());
  }
  inThreads([&](int thread) {
    for (int turn = 0; turn < turns; ++turn) {
      std::vector<double> a = {double(thread), 1}, b = {double(turn), 1}, c(2);
      const void *in[] = {a.data(), b.data()};
      void *out[] = {c.data()};
      prepared->launch(in, out);
      EXPECT_EQ(c[0], thread + turn);
    }
  });
  EXPECT_EQ(result.span<double>()[1], 6) << "results outlive the module";
}

TEST(Threads, MakeAndCopyArrays) {
  const std::vector<double> values = {1, 2, 3};
  const kern::Array shared(values);
  inThreads([&](int) {
    for (int turn = 0; turn < turns; ++turn) {
      kern::Array copy = shared.copy();
      EXPECT_EQ(copy.span<double>()[2], 3);
      kern::Array other = kern::Array::empty<double>({3});
      other.assign(shared);
      EXPECT_EQ(other.span<double>()[0], 1);
      EXPECT_FALSE(std::string(kern::describe(kern::cpu()).name).empty());
      kern::synchronize(kern::cpu());
    }
  });
}

// The number of threads of calls on the CPU, in C++.
TEST(Threads, OfACall) {
  kern::Module module = kern::Module::compile("ufunc add(x, y): return x + y");
  kern::Function add = module["add"];
  const int before = kern::threads();
  kern::setThreads(2);
  EXPECT_EQ(kern::threads(), 2);
  std::vector<float> x(1 << 20, 1), out(1 << 20);
  kern::Report report;
  for (int i = 0; i < 20; ++i) {
    add(x, 1).threads(1).report(report).into(out);
    EXPECT_EQ(report.grid, 1u);
  }
  EXPECT_EQ(out.back(), 2);
  EXPECT_THROW(add(x, 1).threads(-3).into(out), kern::Error);
  EXPECT_THROW(kern::setThreads(0), kern::Error);
  EXPECT_EQ(kern::threads(), 2);
  kern::setThreads(before);
}
