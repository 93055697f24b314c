//===- CachedSourceTest.cpp - compiled once, found again ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/CachedSource.h"
#include "compiler/driver/Reports.h"
#include "compiler/targets/host/Codegen.h"
#include "runtime/artefact/CachedCode.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace kern::compiler;
using namespace kern::runtime;

namespace {
const char *sourceText = "ufunc f(x, y):\n    return x * y + 1\n"
                         "ufunc g(x: T) -> T where T in (f32, f64):\n"
                         "    return -x\n";
constexpr CodeTarget h100 = {CodeTarget::Kind::Cuda, 90};
constexpr KernelVariant contiguous = {Form::Contiguous, false};
const std::vector<ArgType> weakly = {ArgType::typed(DType::I16),
                                     ArgType::weak(Weakness::Int)};

class CachedSourceTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "kern-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(pattern.data()));
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  /// As a new process has it.
  std::unique_ptr<Cache> freshCache() {
    return std::make_unique<Cache>(
        CacheSettings{true, folder, 1 << 24, 1 << 20, ""});
  }
  std::string folder;
};

std::shared_ptr<const KernelCode> kernelOf(CodeSource &source, size_t function,
                                           size_t loop) {
  const FunctionInfo &info = source.manifest().functions[function];
  auto code = source.kernel(info, info.loops[loop], contiguous, h100);
  EXPECT_TRUE(code) << code.error().message;
  return code ? *code : nullptr;
}
} // namespace

TEST_F(CachedSourceTest, ASecondProcessCompilesNothing) {
  std::string manifest, ptx, loop;
  KernelInfo kernel;
  {
    auto cache = freshCache();
    auto source = CachedSource::open({"a.kern", sourceText}, *cache);
    ASSERT_TRUE(source) << source.error().message;
    manifest = toJson((*source)->manifest());
    auto code = kernelOf(**source, 1, 0);
    ASSERT_TRUE(code);
    ptx = *code->ptx;
    kernel = code->kernel;
    EXPECT_NE(ptx.find(".entry " + kernel.symbol), std::string::npos);
    const FunctionInfo &f = (*source)->manifest().functions[0];
    auto made = (*source)->specialise(f, weakly);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(made->meets.empty());
    loop = packLoop(f, *made);
    EXPECT_EQ(cache->counts().diskHits, 0u);
    EXPECT_EQ(cache->counts().stored, 3u);
  }
  auto cache = freshCache();
  auto source = CachedSource::open({"a.kern", sourceText}, *cache);
  ASSERT_TRUE(source);
  EXPECT_EQ(toJson((*source)->manifest()), manifest);
  auto code = kernelOf(**source, 1, 0);
  ASSERT_TRUE(code);
  EXPECT_EQ(*code->ptx, ptx);
  EXPECT_EQ(code->kernel.symbol, kernel.symbol);
  EXPECT_EQ(code->kernel.block, kernel.block);
  EXPECT_EQ(code->kernel.elements, kernel.elements);
  EXPECT_EQ(code->kernel.alignment, kernel.alignment);
  const FunctionInfo &f = (*source)->manifest().functions[0];
  auto found = (*source)->specialise(f, weakly);
  ASSERT_TRUE(found);
  EXPECT_EQ(packLoop(f, *found), loop);
  EXPECT_EQ(cache->counts().misses, 0u);
  EXPECT_EQ(cache->counts().diskHits, 3u);

  // What the cache lacks is compiled.
  EXPECT_TRUE(kernelOf(**source, 1, 1));
  EXPECT_EQ(cache->counts().misses, 1u);
  // In the same process the text itself is the same.
  auto again = CachedSource::open({"a.kern", sourceText}, *cache);
  ASSERT_TRUE(again);
  EXPECT_EQ(kernelOf(**again, 1, 0)->ptx, code->ptx);
}

TEST_F(CachedSourceTest, WhatDiffersIsCompiled) {
  auto cache = freshCache();
  auto compile = [&](const std::string &source, bool isPrecise = false) {
    uint64_t before = cache->counts().misses;
    auto opened = CachedSource::open({"a.kern", source, isPrecise}, *cache);
    EXPECT_TRUE(opened);
    kernelOf(**opened, 1, 0);
    return cache->counts().misses - before;
  };
  EXPECT_EQ(compile(sourceText), 2u);
  EXPECT_EQ(compile(sourceText), 0u);
  EXPECT_EQ(compile(sourceText, true), 2u);
  EXPECT_EQ(compile(std::string(sourceText) + "# another text\n"), 2u);
}

// A product of m by k and k by n takes m * n * k operations. A loop over them
// has one; without a loop they are all there.
TEST_F(CachedSourceTest, KernelsOfOtherExtentsAreCompiled) {
  const char *text = "gufunc product(a: f32[m, k], b: f32[k, n])"
                     " -> (c: f32[m, n]):\n"
                     "    for i, j in prange(m, n):\n"
                     "        c[i, j] = sum(a[i, p] * b[p, j]"
                     " for p in range(k))\n";
  auto cache = freshCache();
  auto source = CachedSource::open({"a.kern", text}, *cache);
  ASSERT_TRUE(source) << source.error().message;
  const FunctionInfo &product = (*source)->manifest().functions[0];
  auto count = [&](const KernelVariant &wanted, std::string_view part) {
    auto code = (*source)->kernel(product, product.loops[0], wanted, h100);
    EXPECT_TRUE(code) << code.error().message;
    return code ? llvm::StringRef(*(*code)->ptx).count(part) : 0;
  };
  auto operations = [&](std::vector<int64_t> constants) {
    return count({.form = Form::General,
                  .mapping = {.staged = true},
                  .constants = std::move(constants)},
                 "fma.rn.f32");
  };
  EXPECT_EQ(operations({2, 3, 4}), 24u);
  EXPECT_EQ(operations({4, 4, 4}), 64u);
  EXPECT_LT(operations({}), 24u);
  const uint64_t misses = cache->counts().misses;
  EXPECT_EQ(operations({2, 3, 4}), 24u);
  EXPECT_EQ(cache->counts().misses, misses);
  // Each loop dimension is a division.
  KernelVariant flat = {.form = Form::General, .mapping = {.flat = true}};
  for (auto [loopDims, divisions] : {std::pair{0u, 1u}, {1u, 2u}, {6u, 7u}}) {
    flat.loopDims = loopDims;
    EXPECT_EQ(count(flat, "div.u64"), divisions);
  }
  // Several lanes exchange what they add up, in a whole warp or a part of it.
  for (auto [groups, exchanges] :
       {std::pair{Groups::One, 0u}, {Groups::Block, 1u}, {Groups::Any, 2u}}) {
    flat.groups = groups;
    EXPECT_EQ(count(flat, "shfl.sync"), exchanges);
  }
}

// Diagnostics are cached too, whatever the file's name.
TEST_F(CachedSourceTest, WarningsAreKept) {
  const std::string module = folder + "/part.kern";
  std::ofstream(module) << "def half(x):\n    return x / 2\n";
  const std::string text = "import part\n"
                           "ufunc f(x: f64) -> f64:\n    y = part.half(x)\n"
                           "    return x\n";
  auto open = [&](Cache &cache, const std::string &name, bool remarks = false) {
    auto source = CachedSource::open({name, text, false, {}, remarks}, cache);
    EXPECT_TRUE(source) << source.error().message;
    return *source;
  };
  Cache none({false, "", 0, 0, ""});
  auto first = freshCache();
  for (const char *name : {"/a.kern", "/b.kern"}) {
    const std::string path = folder + name;
    auto fresh = open(none, path)->diagnostics();
    ASSERT_TRUE(fresh);
    ASSERT_EQ(fresh->list.size(), 1u);
    EXPECT_EQ(fresh->list[0].code, "K0801");
    EXPECT_EQ(fresh->list[0].place.file, path);
    auto stored = open(*first, path)->diagnostics();
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->list, fresh->list);
    auto cache = freshCache();
    auto known = open(*cache, path)->diagnostics();
    EXPECT_EQ(cache->counts().misses, 0u);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->list, fresh->list);
    // Remarks are made each time, and stay out of it.
    EXPECT_GT(open(*cache, path, true)->diagnostics()->list.size(), 1u);
    EXPECT_EQ(open(*cache, path)->diagnostics()->list, fresh->list);
  }
  auto cache = freshCache();
  auto quiet = CachedSource::open({"q.kern", sourceText}, *cache);
  EXPECT_EQ((*quiet)->diagnostics(), nullptr);
  auto again = CachedSource::open({"q.kern", sourceText}, *freshCache());
  EXPECT_EQ((*again)->diagnostics(), nullptr);
}

TEST_F(CachedSourceTest, ReportsSurviveTheirPacking) {
  Reported all;
  all.severity = KERN_SEVERITY_WARNING;
  all.code = "K0801";
  all.text = "größer \"as\" \n\t";
  all.help = "h";
  all.place = {"a", 1, 2, 3, 4, 5, 6};
  all.notes = {{{"other", 7, 8, 9, 10, 11, 12}, "note"}, {{}, "nowhere"}};
  all.fixes = {{{"b", 1, 1, 1, 2, 1, 2}, ":"}};
  const kern_diagnostics report = {{all, Reported()}};
  const std::vector<std::string> files = {"a", "b"}, later = {"x", "y"};
  const std::string text = packReport(&report, files);
  EXPECT_EQ(text.find('\n'), text.npos);
  auto same = unpackReport(text, files);
  ASSERT_TRUE(same && *same);
  EXPECT_EQ((*same)->list, report.list);
  auto renamed = unpackReport(text, later);
  EXPECT_EQ((*renamed)->list[0].place.file, "x");
  EXPECT_EQ((*renamed)->list[0].notes[0].place.file, "other");
  EXPECT_EQ((*renamed)->list[0].fixes[0].place.file, "y");
  EXPECT_EQ(*unpackReport(packReport(nullptr, files), files), nullptr);
  // What is none.
  EXPECT_FALSE(unpackReport(text, std::span(files).first(1)));
  for (const char *bad :
       {"", "{}", "3", "[3]", "[[]]", "[[3,1,1,1,1,1,1]]",
        "[[9,\"\",\"\",\"\",null,[],[]]]", "[[3,\"\",\"\",\"\",null,[1],[]]]",
        "[[3,\"\",\"\",\"\",[0,-1,0,0,0,0,0],[],[]]]"})
    EXPECT_FALSE(unpackReport(bad, files)) << bad;
  for (size_t i = 0; i < text.size(); ++i)
    EXPECT_FALSE(unpackReport(text.substr(0, i), files));
}

// For files of other names, the text alone counts.
TEST_F(CachedSourceTest, TheNameMattersToChecksAlone) {
  auto misses = [&](const char *name, Checks checks) {
    auto cache = freshCache();
    auto source = CachedSource::open({name, sourceText, false, checks}, *cache);
    EXPECT_TRUE(source);
    EXPECT_EQ((*source)->manifest().source, name);
    kernelOf(**source, 1, 0);
    return cache->counts().misses;
  };
  EXPECT_EQ(misses("a.kern", {}), 2u);
  EXPECT_EQ(misses("other/b.kern", {}), 0u);
  const Checks bounds = {true, false, false};
  EXPECT_EQ(misses("a.kern", bounds), 2u);
  EXPECT_EQ(misses("b.kern", bounds), 2u) << "messages name the file";
  EXPECT_EQ(misses("b.kern", bounds), 0u);
}

TEST_F(CachedSourceTest, ErrorsAreNotKept) {
  auto cache = freshCache();
  for (int i = 0; i < 2; ++i) {
    auto source = CachedSource::open({"a.kern", "ufunc f(x):\n"}, *cache);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().status, KERN_ERROR_COMPILE);
  }
  EXPECT_EQ(cache->counts().stored, 0u);
  // A body that does not work for some types.
  auto source =
      CachedSource::open({"a.kern", "ufunc f(x):\n    return x & 1\n"}, *cache);
  ASSERT_TRUE(source) << source.error().message;
  const FunctionInfo &f = (*source)->manifest().functions[0];
  std::vector<ArgType> f32 = {ArgType::typed(DType::F32)};
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ((*source)->specialise(f, f32).error().status, KERN_ERROR_TYPE);
}

TEST_F(CachedSourceTest, DamagedEntriesAreCompiledAgain) {
  auto compile = [&] {
    auto cache = freshCache();
    auto source = CachedSource::open({"a.kern", sourceText}, *cache);
    EXPECT_TRUE(source);
    EXPECT_TRUE(kernelOf(**source, 1, 0));
    return cache->counts();
  };
  compile();
  // Complete entries with an invalid payload.
  auto cache = freshCache();
  for (const auto &entry : DiskCache(folder, 1 << 24).list())
    cache->store(entry.key, "not what it should be");
  EXPECT_EQ(compile().stored, 2u);
  for (const auto &item : std::filesystem::recursive_directory_iterator(folder))
    if (item.is_regular_file())
      std::filesystem::resize_file(item.path(), item.file_size() / 2);
  CacheCounts counts = compile();
  EXPECT_EQ(counts.damaged, 2u);
  EXPECT_EQ(counts.stored, 2u);
  EXPECT_EQ(compile().diskHits, 2u);
}

TEST_F(CachedSourceTest, ThreadsShareWhatIsMadeOnce) {
  auto cache = freshCache();
  auto source = CachedSource::open({"a.kern", sourceText}, *cache);
  ASSERT_TRUE(source);
  std::vector<std::shared_ptr<const KernelCode>> made(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < made.size(); ++i)
    threads.emplace_back([&, i] { made[i] = kernelOf(**source, 1, i % 2); });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 2; i < made.size(); ++i)
    EXPECT_EQ(made[i]->ptx, made[i % 2]->ptx);
  EXPECT_NE(made[0]->ptx, made[1]->ptx);
}

namespace {
/// g for f32 on the host, made or found in a cache of its own; checks that it
/// runs.
CacheCounts negateOnHost(std::unique_ptr<Cache> cache) {
  auto source = CachedSource::open({"a.kern", sourceText}, *cache);
  EXPECT_TRUE(source);
  const FunctionInfo &g = (*source)->manifest().functions[1];
  auto code = (*source)->kernel(g, g.loops[0], contiguous, {});
  EXPECT_TRUE(code) << code.error().message;
  if (!code)
    return {};
  std::vector<float> in((*code)->kernel.elements), out(in.size());
  std::iota(in.begin(), in.end(), 1.0f);
  auto word = [](std::vector<float> &array) {
    return int64_t(reinterpret_cast<uintptr_t>(array.data()));
  };
  int64_t words[] = {1, word(in), 0, word(out), 0};
  (*code)->entry(words);
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], -in[i]);
  return cache->counts();
}
} // namespace

TEST_F(CachedSourceTest, HostCodeIsLinkedAgain) {
  EXPECT_EQ(negateOnHost(freshCache()).stored, 2u);
  CacheCounts counts = negateOnHost(freshCache());
  EXPECT_EQ(counts.misses, 0u);
  EXPECT_EQ(counts.diskHits, 2u);
  // No object file behind a manifest that is right, and half of one.
  DiskCache disk(folder, 1 << 24);
  for (size_t kept : {size_t(0), size_t(1)})
    for (const auto &entry : disk.list()) {
      if (entry.key.value("kind") != "object")
        continue;
      std::string text = *disk.find(entry.key);
      size_t line = text.find('\n') + 1;
      text.resize(line + kept * (text.size() - line) / 2);
      ASSERT_TRUE(bool(disk.store(entry.key, text)));
      EXPECT_EQ(negateOnHost(freshCache()).stored, 1u);
    }
}

TEST_F(CachedSourceTest, CodeForAnotherCpuIsNotRun) {
  negateOnHost(freshCache());
  DiskCache disk(folder, 1 << 24);
  for (const char *field : {"features", "target"}) {
    // The same entry as on a machine with another CPU.
    for (const auto &entry : disk.list()) {
      if (entry.key.value("kind") != "object")
        continue;
      EXPECT_NE(entry.key.value(field), "");
      CacheKey other;
      for (const auto &[name, value] : entry.key.fields())
        other.add(name, name == field ? value + ",more" : value);
      std::string text = *disk.find(entry.key);
      disk.remove(entry.key);
      ASSERT_TRUE(bool(disk.store(other, text)));
    }
    EXPECT_EQ(negateOnHost(freshCache()).stored, 1u) << field;
  }
#if defined(__x86_64__)
  host::CpuText cpu = host::cpuText();
  auto has = [&](const char *feature) {
    return ("," + cpu.features + ",").find("," + std::string(feature) + ",") !=
           std::string::npos;
  };
  EXPECT_EQ(has("avx2"), bool(__builtin_cpu_supports("avx2")));
  EXPECT_EQ(has("avx512f"), bool(__builtin_cpu_supports("avx512f")));
#endif
}

TEST(SingleFlight, MakesOnceAndForgetsFailures) {
  SingleFlight<int, int> flights;
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      auto value = flights.get(1, [&]() -> Expected<int> {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return ++made;
      });
      EXPECT_EQ(*value, 1);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_FALSE(flights.get(
      2, []() -> Expected<int> { return Error{KERN_ERROR_TYPE, "no"}; }));
  EXPECT_EQ(*flights.get(2, []() -> Expected<int> { return 5; }), 5);
}
