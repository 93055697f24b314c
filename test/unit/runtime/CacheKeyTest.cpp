//===- CacheKeyTest.cpp - keys, settings and single entries ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheKey.h"
#include "CacheFolder.h"
#include "runtime/cache/CacheEntry.h"
#include "runtime/cache/CacheSettings.h"

#include <map>

using namespace kern::runtime;
using namespace kern::test;

TEST(CacheKey, TextAndBack) {
  CacheKey key = kernelKey("f", "abc").add("file", "a=b\nc");
  EXPECT_EQ(
      key.text(),
      "kind=kernel\ncompiler=abc\nfunction=f\ntarget=sm_90\nfile=a=b c\n");
  auto read = CacheKey::parse(key.text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text(), key.text());
  EXPECT_EQ(read->value("file"), "a=b c");
  EXPECT_EQ(read->value("nothing"), "");
  EXPECT_FALSE(CacheKey::parse("kind=kernel"));
  EXPECT_FALSE(CacheKey::parse("no equals sign\n"));
  EXPECT_NE(kernelKey("f", "abc").digest(), kernelKey("f", "abd").digest());
}

// XXH3's own test vector: the 128-bit hash of nothing with seed 0.
TEST(CacheKey, ContentHash) {
  EXPECT_EQ(contentHash(""), "99aa06d3014798d86001c324468d497f");
}

TEST(CacheKey, NearestEntry) {
  const std::vector<CacheKey> entries = {
      kernelKey("f", "old", "sm_75"), kernelKey("g", "new"),
      kernelKey("f", "old"), CacheKey("other").add("function", "f")};
  auto fields = [&](const CacheKey &wanted) {
    auto found = nearestEntry(wanted, entries);
    return found ? found->fields : std::vector<std::string>{"none"};
  };
  EXPECT_EQ(fields(kernelKey("f", "new")),
            std::vector<std::string>{"compiler"});
  EXPECT_EQ(fields(kernelKey("f", "new", "sm_75")),
            std::vector<std::string>{"compiler"});
  EXPECT_EQ(fields(kernelKey("f", "new", "sm_80")),
            (std::vector<std::string>{"compiler", "target"}));
  EXPECT_EQ(fields(kernelKey("h", "new")), std::vector<std::string>{"none"});
  EXPECT_EQ(nearestEntry(kernelKey("f", "new", "sm_80"), entries)->nearest, 2u)
      << "the later of two that are as near";
  EXPECT_EQ(fields(kernelKey("f", "old").add("form", "strided")),
            std::vector<std::string>{"form"});
}

TEST(CacheSettings, FromTheEnvironment) {
  using Variables = std::map<std::string, std::string>;
  auto settings = [](Variables variables) {
    return cacheSettings([&](const char *name) -> const char * {
      auto at = variables.find(name);
      return at == variables.end() ? nullptr : at->second.c_str();
    });
  };
  EXPECT_EQ(settings({{"HOME", "/people/a"}}).folder, "/people/a/.cache/kern");
  EXPECT_EQ(settings({{"HOME", "/people/a"}, {"XDG_CACHE_HOME", "/x"}}).folder,
            "/x/kern");
  EXPECT_EQ(settings({{"HOME", "/people/a"}, {"XDG_CACHE_HOME", "x"}}).folder,
            "/people/a/.cache/kern")
      << "a relative base is invalid";
  EXPECT_EQ(
      settings({{"XDG_CACHE_HOME", "/x"}, {"KERN_CACHE_DIR", "/k"}}).folder,
      "/k");
  EXPECT_EQ(settings({}).folder, "");
  EXPECT_TRUE(settings({}).isOn);
  EXPECT_FALSE(settings({{"KERN_CACHE", "0"}}).isOn);
  EXPECT_TRUE(settings({{"KERN_CACHE", "1"}}).isOn);
  EXPECT_EQ(settings({}).diskBytes, uint64_t(512) << 20);
  EXPECT_EQ(settings({{"KERN_CACHE_SIZE", "3M"}}).diskBytes, 3u << 20);
  EXPECT_EQ(settings({{"KERN_CACHE_SIZE", "77"}}).diskBytes, 77u);
  for (const char *wrong : {"M", "-1", "1T", "1M ", "99999999999G"}) {
    CacheSettings s = settings({{"KERN_CACHE_SIZE", wrong}});
    EXPECT_EQ(s.diskBytes, uint64_t(512) << 20) << wrong;
    EXPECT_NE(s.problem.find("KERN_CACHE_SIZE"), std::string::npos) << wrong;
  }
}

TEST(CacheEntry, EveryDamageIsSeen) {
  CacheKey key = kernelKey("f", "abc");
  std::string bytes = encodeEntry(key, "payload", 1234567890);
  auto entry = decodeEntry(bytes);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->payload, "payload");
  EXPECT_EQ(entry->key.text(), key.text());
  EXPECT_EQ(entry->made, 1234567890);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decodeEntry(bytes.substr(0, size))) << size;
    decodeEntryHead(bytes.substr(0, size), bytes.size()); // does not crash
  }
  EXPECT_FALSE(decodeEntry(bytes + "x"));
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = char(flipped[bit / 8] ^ (1 << bit % 8));
    bool isCount = bit / 8 >= entryUsesAt && bit / 8 < entryUsesAt + 8;
    EXPECT_EQ(decodeEntry(flipped).has_value(), isCount) << bit;
    decodeEntryHead(flipped, flipped.size());
  }
}

TEST(BuildId, IsThere) {
  EXPECT_GE(buildId().size(), 16u) << buildId();
  EXPECT_EQ(buildId(), buildId());
  auto idOf = [](auto *function) {
    return buildIdOf(reinterpret_cast<const void *>(function));
  };
  EXPECT_EQ(idOf(&parseSize), buildId()) << "of the same file";
  EXPECT_NE(idOf(&::qsort), buildId()) << "of the C library";
  EXPECT_GE(idOf(&::qsort).size(), 16u);
}
