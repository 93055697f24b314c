//===- CacheTrustTest.cpp - whose entries are used ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CacheFolder.h"
#include "runtime/cache/Cache.h"
#include "runtime/cache/CacheFile.h"

#include <sys/stat.h>

using namespace kern::runtime;
using namespace kern::test;

namespace fs = std::filesystem;

TEST(CacheTrust, WhoCanHaveWritten) {
  constexpr uid_t me = 1000, other = 1001, root = 0;
  const char *foreign = "it belongs to another user",
             *shared = "others can write to it";
  struct Row {
    uid_t owner;
    mode_t mode;
    const char *why;
  };
  const Row rows[] = {
      {me, S_IFREG | 0600, ""},          {me, S_IFDIR | 0700, ""},
      {me, S_IFREG | 0644, ""},          {root, S_IFREG | 0644, ""},
      {root, S_IFDIR | 0755, ""},        {other, S_IFREG | 0600, foreign},
      {other, S_IFDIR | 0700, foreign},  {me, S_IFREG | 0620, shared},
      {me, S_IFREG | 0602, shared},      {me, S_IFDIR | 0770, shared},
      {root, S_IFDIR | 0777, shared},    {root, S_IFDIR | 01777, ""},
      {other, S_IFDIR | 01777, foreign}, {me, S_IFREG | 01666, shared},
  };
  for (const Row &row : rows)
    EXPECT_EQ(whyForeign(row.owner, row.mode, me), row.why)
        << row.owner << " " << std::oct << row.mode;
}

TEST_F(CacheFolder, WhatOthersCanWriteIsNotUsed) {
  CacheKey key = kernelKey("f", "abc");
  std::string digest = key.digest();
  fs::path shard = folder + "/v1/" + digest[0];
  fs::path entry = shard / digest.substr(1);
  auto found = [&] { return DiskCache(folder, 1 << 20).find(key).has_value(); };
  for (const fs::path &path :
       {fs::path(folder), fs::path(folder + "/v1"), shard, entry}) {
    ASSERT_TRUE(DiskCache(folder, 1 << 20).store(key, "payload"));
    ASSERT_TRUE(found());
    fs::perms before = fs::status(path).permissions();
    fs::permissions(path, before | fs::perms::others_write);
    EXPECT_FALSE(found()) << path;
    Cache cache({true, folder, 1 << 20, 1 << 20, ""});
    EXPECT_FALSE(cache.find(key));
    EXPECT_NE(cache.problem().find("not used: others can write to it"),
              std::string::npos)
        << cache.problem();
    EXPECT_EQ(bool(DiskCache(folder, 1 << 20).store(key, "new")), path == entry)
        << "an entry is replaced";
    fs::permissions(path, path == entry ? fs::perms(0600) : before);
    EXPECT_TRUE(found());
    if (::geteuid() != 0)
      continue;
    ASSERT_EQ(::chown(path.c_str(), 1234, gid_t(-1)), 0);
    EXPECT_FALSE(found()) << path;
    ASSERT_EQ(::chown(path.c_str(), 0, gid_t(-1)), 0);
  }
}
