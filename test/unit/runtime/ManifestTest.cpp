//===- ManifestTest.cpp - manifests and artefacts -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Manifest.h"
#include "runtime/code/Artefact.h"
#include "test/unit/runtime/AllocationCount.h"
#include "test/unit/runtime/ManifestSample.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

namespace {
const char *ptx = ".version 7.0\n.target sm_80\n";
} // namespace

TEST(Manifest, KernelsInParts) {
  Manifest manifest = sample();
  EXPECT_EQ(versionOf(manifest), 1);
  manifest.functions[0].loops[0].kernels[0].inParts = true;
  // An older library would give them too few words.
  EXPECT_EQ(versionOf(manifest), 3);
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->functions[0].loops[0].kernels[0].inParts);
  EXPECT_FALSE(manifestFromJson(toJson(sample()))
                   ->functions[0]
                   .loops[0]
                   .kernels[0]
                   .inParts);
}

// An older library would run the kernel on arrays that are too short.
TEST(Manifest, NeedsOfExtents) {
  Manifest manifest = sample();
  KernelInfo &kernel = manifest.functions[0].loops[0].kernels[0];
  kernel.inParts = true;
  kernel.leastExtents = {
      {{{"n", "1", "-"}}, {{"9"}}, "x", 1, "matrix.kern:3:9"}};
  EXPECT_EQ(versionOf(manifest), 4);
  const std::string json = toJson(manifest);
  EXPECT_TRUE(json.starts_with("{\"kern\":4,")) << json;
  auto read = manifestFromJson(json);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].kernels[0].leastExtents,
            kernel.leastExtents);
  EXPECT_EQ(toJson(*read), json);
  for (const char *key : {"extent", "least", "array", "axis", "place"}) {
    std::string other = json;
    const std::string word = "\"" + std::string(key) + "\":";
    other.replace(other.find(word, other.find("leastExtents")), word.size(),
                  "\"x\":");
    auto damaged = manifestFromJson(other);
    ASSERT_FALSE(damaged) << key;
    EXPECT_NE(damaged.error().message.find(key), std::string::npos)
        << damaged.error().message;
  }
}

TEST(Manifest, SurvivesTheFile) {
  std::string json = toJson(sample());
  for (char c : json)
    EXPECT_TRUE(c >= ' ' && c < 127) << "ASCII on one line";
  auto read = manifestFromJson(json);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(toJson(*read), json);
  const FunctionInfo *f = read->find("convolve");
  ASSERT_TRUE(f);
  EXPECT_EQ(read->source, "matrix \"α\"\n.kern");
  EXPECT_TRUE(f->parameters[1].isInout);
  EXPECT_TRUE(f->parameters[2].isDim);
  ASSERT_TRUE(f->parameters[2].defaultArgument);
  EXPECT_EQ(f->parameters[2].defaultArgument->value[0], std::byte(20));
  EXPECT_EQ(f->coreSignature(), "(n),(k)->(n-k+1)");
  EXPECT_EQ(text(f->loops[0]), "bf16(f32, float)");
  EXPECT_EQ(f->loops[0].kernels[0].block, 128u);
  EXPECT_TRUE(f->loops[0].kernels[0].disjoint);
  EXPECT_TRUE(f->loops[0].kernels[0].waits);
  EXPECT_TRUE(f->loops[0].kernels[0].hasDivisors);
  EXPECT_EQ(f->loops[0].kernels[0].nonEmpty[0], (DimExpr{{"n"}}));
  EXPECT_EQ(f->loops[0].kernels[0].work, 1234u);

  std::string file = embedManifest(sample(), ptx);
  EXPECT_TRUE(file.ends_with(ptx));
  auto extracted = extractManifest(file);
  ASSERT_TRUE(extracted) << extracted.error().message;
  EXPECT_EQ(toJson(*extracted), json);
}

TEST(Manifest, LongOnesTakeSeveralLines) {
  Manifest manifest = sample();
  manifest.functions[0].doc =
      std::string(20000, ' ') + "\\\\" + std::string(4000, '\\') + "é";
  std::string file = embedManifest(manifest, ptx);
  std::string windows;
  for (char c : file)
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string &text : {file, windows}) {
    auto read = extractManifest(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->functions[0].doc, manifest.functions[0].doc);
  }
}

TEST(Manifest, RefusesWhatIsMalformed) {
  auto refused = [](const std::string &text, const char *what) {
    auto read = extractManifest(text);
    ASSERT_FALSE(read) << what;
    EXPECT_EQ(read.error().status, KERN_ERROR_ARTEFACT);
    EXPECT_NE(read.error().message.find(what), std::string::npos)
        << read.error().message;
  };
  refused(ptx, "has no Kern manifest");
  refused("", "has no Kern manifest");
  refused(std::string(ptx) + "// kern-manifest: {}", "has no Kern manifest");
  refused("// kern-manifest: {\"kern\":1", "not a JSON object");
  refused("// kern-manifest: [1]", "not a JSON object");
  refused("// kern-manifest: {}", "\"kern\"");
  refused("// kern-manifest: {\"kern\":5}",
          "newer Kern (manifest version 5, this one reads versions up to 4)");
  refused("// kern-manifest: {\"kern\":1}", "\"target\"");
  std::string json = toJson(sample());
  auto changed = [&](const char *from, const char *to, const char *what) {
    std::string other = json;
    size_t at = other.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    other.replace(at, std::string(from).size(), to);
    refused("// kern-manifest: " + other, what);
  };
  changed("\"f32\"", "\"f33\"", "unknown type \"f33\"");
  changed("\"f32\",", "", "a different number of types");
  changed("\"general\"", "\"spiral\"", "unknown kernel form");
  changed("\"block\":128", "\"block\":-1", "\"block\"");
  changed("\"block\":128", "\"block\":\"128\"", "\"block\"");
  changed("\"block\":128", "\"block\":4096", "\"block\"");
  changed("[\"n\",\"k\",\"-\",\"1\",\"+\"]", "[\"n\",\"-\"]", "dimension");
  changed("\"gufunc\"", "\"ufunc\"", "core dimensions");
  changed("\"bits\":\"14", "\"bits\":\"x4", "the default `20`");
  changed("\"dims\":[", "\"dims\":7,\"x\":[", "\"dims\"");
  changed("\"name\":\"convolve\"", "\"name\":{}", "\"name\"");
}

// Any cut and any changed character gives an error or a manifest, no crash.
TEST(Manifest, SurvivesDamage) {
  std::string json = toJson(sample());
  for (size_t n = 0; n < json.size(); ++n)
    EXPECT_FALSE(manifestFromJson(std::string_view(json).substr(0, n)));
  for (size_t at = 0; at < json.size(); ++at)
    for (char c : {'"', '{', ']', '0', 'n', '\xff'}) {
      std::string damaged = json;
      damaged[at] = c;
      auto read = manifestFromJson(damaged);
      EXPECT_TRUE(read || !read.error().message.empty());
    }
  EXPECT_FALSE(manifestFromJson(std::string(100000, '[')));
}

// A value that needs memory to be destroyed would end the process.
TEST(Manifest, MemoryIsShort) {
  if (!kern::test::AllocationFailure::isPossible())
    GTEST_SKIP() << "sanitizers have an operator new of their own";
  Manifest manifest = sample();
  Nest &nest = manifest.functions[0].loops[0].nest;
  nest.flat = {{{"n", "k", "-", "1", "+"}}};
  nest.accesses = {{0, false, {{1}, {0}}}, {2, true, {{1}, {0}}}};
  nest.phases = {nest, nest};
  const std::string json = toJson(manifest);
  ASSERT_TRUE(manifestFromJson(json));
  const std::string cutOff = json.substr(0, json.size() - 1);
  /// Fails at the first allocation, at the second, until it ends.
  auto survives = [](const auto &work) {
    int failures = 0;
    for (bool hasFailed = true; hasFailed; ++failures) {
      kern::test::AllocationFailure failure(failures + 1);
      try {
        work();
        hasFailed = false;
      } catch (const std::bad_alloc &) {
        hasFailed = failure.hasFailed();
      }
    }
    EXPECT_GT(failures, 5);
  };
  survives([&] { EXPECT_EQ(toJson(manifest), json); });
  survives([&] { EXPECT_TRUE(manifestFromJson(json)); });
  survives([&] { EXPECT_FALSE(manifestFromJson(cutOff)); });
}

// Nothing that reads it goes as deep as the text says.
TEST(Manifest, DeepTexts) {
  const std::string json = toJson(sample());
  const size_t loops = json.find("\"kernels\":[");
  ASSERT_NE(loops, std::string::npos);
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += "{\"phases\":[";
  deep += "{}";
  for (int i = 0; i < 100000; ++i)
    deep += "]}";
  EXPECT_FALSE(manifestFromJson(
      std::string(json).insert(loops, "\"nest\":" + deep + ",")));
}

TEST(Artefact, FindsItsLoops) {
  auto source = loadArtefact(embedManifest(sample(), ptx));
  ASSERT_TRUE(source) << source.error().message;
  const FunctionInfo &f = (*source)->manifest().functions[0];
  CodeTarget h100 = {CodeTarget::Kind::Cuda, 90};
  KernelVariant wanted = {f.loops[0].kernels[0].form, true};
  auto code = (*source)->kernel(f, f.loops[0], wanted, h100);
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_EQ((*code)->kernel.symbol, "convolve_f32");
  EXPECT_TRUE((*code)->ptx->ends_with(ptx));

  auto refused = [&](size_t loop, CodeTarget target, const char *what) {
    auto code = (*source)->kernel(f, f.loops[loop], wanted, target);
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().status, KERN_ERROR_ARTEFACT);
    EXPECT_NE(code.error().message.find(what), std::string::npos)
        << code.error().message;
  };
  refused(1, h100, "--signature \"bf16(f64, float)\"");
  refused(0, {CodeTarget::Kind::Cuda, 75}, "made for sm_80");
  refused(0, {}, "none for the CPU");
  wanted.form = Form::Contiguous;
  refused(0, h100, "no kernel of `convolve` for arrays of this layout");

  Manifest wrong = sample();
  wrong.target.arch = "x86";
  EXPECT_FALSE(loadArtefact(embedManifest(wrong, ptx)));
  EXPECT_EQ(loadArtefactFile("/nonexistent.ptx").error().status,
            KERN_ERROR_NOT_FOUND);
}

// https://docs.nvidia.com/cuda/parallel-thread-execution/ (.target): plain
// targets run on everything newer, 'a' only there, 'f' within the family.
TEST(Artefact, RunsOn) {
  EXPECT_TRUE(runsOn("sm_75", 90));
  EXPECT_TRUE(runsOn("sm_90", 90));
  EXPECT_FALSE(runsOn("sm_90", 89));
  EXPECT_TRUE(runsOn("sm_90a", 90));
  EXPECT_FALSE(runsOn("sm_90a", 100));
  EXPECT_TRUE(runsOn("sm_100f", 103));
  EXPECT_FALSE(runsOn("sm_100f", 120));
  EXPECT_FALSE(runsOn("sm_", 90));
  EXPECT_FALSE(runsOn("compute_90", 90));
}

namespace {
/// `sample()` whose first kernel has one check.
Manifest withCheck(CheckInfo check) {
  Manifest manifest = sample();
  manifest.functions[0].loops[0].kernels[0].checks = {std::move(check)};
  return manifest;
}
} // namespace

TEST(Manifest, SmallCheckRecordsAreOfVersion1) {
  // A library that gives a record of 8 words reads such files.
  for (const CheckInfo &check :
       {CheckInfo{CheckKind::Index, "F.kern:1:1", "x", 0},
        CheckInfo{CheckKind::BoundFromEnd, "F.kern:1:1", "x", 0},
        CheckInfo{CheckKind::Assert, "F.kern:1:1", "no", 0},
        CheckInfo{CheckKind::Unwritten, "F.kern:1:1", "y", 0}}) {
    std::string json = toJson(withCheck(check));
    EXPECT_TRUE(json.starts_with("{\"kern\":1,")) << json;
    EXPECT_TRUE(manifestFromJson(json));
  }
  EXPECT_TRUE(toJson(sample()).starts_with("{\"kern\":1,"));
  EXPECT_EQ(toJson(sample()).find("\"record\""), std::string::npos);
}

TEST(Manifest, LargeCheckRecordsAreOfVersion2) {
  for (CheckKind kind : {CheckKind::Read, CheckKind::Write, CheckKind::Add}) {
    std::string json = toJson(withCheck({kind, "F.kern:1:1", "x", 1}));
    EXPECT_TRUE(json.starts_with("{\"kern\":2,")) << json;
    EXPECT_NE(json.find("\"record\":32"), std::string::npos) << json;
    EXPECT_TRUE(manifestFromJson(json));
  }
  Manifest wide = withCheck({CheckKind::Unwritten, "F.kern:1:1", "y", 0});
  wide.functions[0].results[0].core.assign(8, DimExpr{{"n"}});
  EXPECT_TRUE(toJson(wide).starts_with("{\"kern\":2,"));
  EXPECT_NE(toJson(wide).find("\"record\":9"), std::string::npos);
}

TEST(Manifest, CheckRecordsThatALaunchDoesNotGiveAreRefused) {
  std::string json = toJson(withCheck({CheckKind::Read, "F.kern:1:1", "x", 1}));
  size_t at = json.find("\"record\":32");
  ASSERT_NE(at, std::string::npos);
  json.replace(at, 11, "\"record\":33");
  auto read = manifestFromJson(json);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::manifest_record);
  EXPECT_NE(read.error().message.find("a record of 33 words"),
            std::string::npos)
      << read.error().message;
}

TEST(Manifest, UnknownChecksAreRejected) {
  std::string json =
      toJson(withCheck({CheckKind::Index, "F.kern:1:1", "x", 1}));
  size_t at = json.find("\"kind\":\"index\"");
  ASSERT_NE(at, std::string::npos) << json;
  json.replace(at, 14, "\"kind\":\"index of\"");
  auto read = manifestFromJson(json);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::manifest_check);
}

TEST(Manifest, ChecksWithoutARecordAreOfTheFirstLibraries) {
  std::string json =
      toJson(withCheck({CheckKind::Index, "F.kern:1:1", "x", 0}));
  size_t at = json.find(",\"record\":3");
  ASSERT_NE(at, std::string::npos) << json;
  json.erase(at, 11);
  auto read = manifestFromJson(json);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].kernels[0].checks.size(), 1u);
}
