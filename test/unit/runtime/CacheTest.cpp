//===- CacheTest.cpp - entries in memory and in a folder ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/Cache.h"
#include "CacheFolder.h"
#include "runtime/cache/CacheReport.h"

#include <random>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace kern::runtime;
using namespace kern::test;

namespace fs = std::filesystem;

TEST_F(CacheFolder, KeepsAndCounts) {
  DiskCache cache(folder + "/a/b", 1 << 20);
  CacheKey key = kernelKey("f", "abc");
  EXPECT_FALSE(cache.find(key));
  EXPECT_TRUE(files().empty()) << "a lookup makes nothing";
  ASSERT_TRUE(cache.store(key, "payload"));
  EXPECT_EQ(cache.find(key), "payload");
  EXPECT_EQ(DiskCache(folder + "/a/b", 1 << 20).find(key), "payload");
  EXPECT_FALSE(cache.find(kernelKey("f", "abd"))) << "another compiler";
  auto entries = cache.list();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].uses, 2u);
  EXPECT_EQ(entries[0].key.value("function"), "f");
  EXPECT_EQ(entries[0].bytes, fs::file_size(entries[0].path));
  EXPECT_EQ(cache.damaged(), 0u);
  auto permissions = fs::status(folder + "/a/b").permissions();
  EXPECT_EQ(permissions & fs::perms::all, fs::perms::owner_all);
}

TEST_F(CacheFolder, DamagedEntriesAreMadeAgain) {
  DiskCache cache(folder, 1 << 20);
  CacheKey key = kernelKey("f", "abc");
  auto damage = [&](auto change) {
    ASSERT_TRUE(cache.store(key, "some payload"));
    fs::path path = files().at(0);
    std::string bytes = read(path);
    change(bytes);
    write(path, bytes);
    EXPECT_FALSE(cache.find(key));
    EXPECT_TRUE(files().empty()) << "it is gone";
    ASSERT_TRUE(cache.store(key, "some payload"));
    EXPECT_EQ(cache.find(key), "some payload");
  };
  damage([](std::string &bytes) { bytes.resize(bytes.size() / 2); });
  damage([](std::string &bytes) { bytes.back() ^= 1; });
  damage([](std::string &bytes) { bytes.clear(); });
  // Another key's entry under this name.
  damage([](std::string &bytes) {
    bytes = encodeEntry(kernelKey("g", "abc"), "wrong", 0);
  });
  EXPECT_EQ(cache.damaged(), 4u);
}

TEST_F(CacheFolder, TheLongestUnusedGoesFirst) {
  // 40 entries of about 1000 bytes, room for about half of them.
  DiskCache cache(folder, 16 * 2600);
  std::string payload(900, 'x');
  std::vector<CacheKey> keys;
  for (int i = 0; i < 40; ++i)
    keys.push_back(kernelKey("f" + std::to_string(i), "abc"));
  auto bytesHeld = [&] {
    uint64_t bytes = 0;
    for (const fs::path &path : files())
      bytes += fs::file_size(path);
    return bytes;
  };
  for (const CacheKey &key : keys) {
    ASSERT_TRUE(cache.store(key, payload));
    EXPECT_LE(bytesHeld(), 16u * 2600);
    EXPECT_TRUE(cache.find(key)) << "the newest is never the first to go";
  }
  EXPECT_GE(cache.list().size(), 8u);

  // Of one shard, the one that was used survives.
  DiskCache large(folder + "/large", 1 << 20);
  for (const CacheKey &key : keys)
    ASSERT_TRUE(large.store(key, payload));
  auto now = fs::file_time_type::clock::now();
  for (size_t i = 0; i < keys.size(); ++i) {
    std::string digest = keys[i].digest();
    fs::last_write_time(folder + "/large/v1/" + digest[0] + "/" +
                            digest.substr(1),
                        now - std::chrono::hours(40 - int(i)));
  }
  EXPECT_TRUE(large.find(keys[0]));
  large.prune(2500);
  EXPECT_TRUE(large.find(keys[0])) << "used just now";
  EXPECT_TRUE(large.find(keys[39])) << "the next latest";
  EXPECT_FALSE(large.find(keys[1]));
  EXPECT_EQ(large.list().size(), 2u);
  large.prune(0);
  EXPECT_TRUE(large.list().empty());
  EXPECT_TRUE(cache.store(keys[0], std::string(4000, 'y')))
      << "larger than its share: not kept, no error";
  EXPECT_FALSE(cache.find(keys[0]) == std::string(4000, 'y'));
}

// A process that stores a few entries does not read folders of thousands, and
// yet many of them keep the bound together: about.
TEST_F(CacheFolder, ShortProcessesSeldomLook) {
  constexpr uint64_t limit = 1 << 20;
  constexpr int processes = 3000;
  std::string payload(400, 'x');
  int looked = 0;
  for (int i = 0; i < processes; ++i) {
    CacheKey key = kernelKey("f" + std::to_string(i), "abc");
    fs::path shard = folder + "/v1/" + key.digest()[0];
    if (!fs::exists(shard))
      ASSERT_TRUE(DiskCache(folder, limit).store(key, payload));
    // A later look removes it.
    write(shard / "new-1-0", "half an ent");
    fs::last_write_time(shard / "new-1-0", fs::file_time_type::clock::now() -
                                               std::chrono::hours(2));
    ASSERT_TRUE(DiskCache(folder, limit).store(key, payload));
    looked += !fs::exists(shard / "new-1-0");
  }
  EXPECT_GT(looked, processes / 64 / 2);
  EXPECT_LT(looked, processes / 64 * 2);
  uint64_t bytes = 0;
  for (const fs::path &path : files())
    bytes += fs::file_size(path);
  EXPECT_LT(bytes, 2 * limit);
}

TEST_F(CacheFolder, TemporaryFilesOfTheDeadGo) {
  DiskCache cache(folder, 1 << 20);
  ASSERT_TRUE(cache.store(kernelKey("f", "abc"), "payload"));
  fs::path shard = files().at(0).parent_path();
  write(shard / "new-1-0", "half an ent");
  write(shard / "new-2-0", "being written");
  fs::last_write_time(shard / "new-1-0",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.prune(1 << 20);
  EXPECT_FALSE(fs::exists(shard / "new-1-0"));
  EXPECT_TRUE(fs::exists(shard / "new-2-0"));
  EXPECT_EQ(cache.list().size(), 1u);
}

// Containers give their processes the same numbers again.
TEST_F(CacheFolder, WhatOthersLeftBehindIsNoObstacle) {
  CacheKey key = kernelKey("f", "abc");
  fs::path shard = folder + "/v1/" + key.digest()[0];
  fs::create_directories(shard);
  for (int i = 0; i < 2000; ++i)
    write(shard /
              ("new-" + std::to_string(::getpid()) + "-" + std::to_string(i)),
          "half an ent");
  Cache cache({true, folder, 1 << 20, 1 << 20, ""});
  cache.store(key, "payload");
  EXPECT_EQ(cache.problem(), "");
  EXPECT_EQ(DiskCache(folder, 1 << 20).find(key), "payload");
}

TEST(DiskCache, WhichFailuresLast) {
  for (int cause :
       {EACCES, EPERM, EROFS, ENOSPC, EDQUOT, ENOTDIR, ENAMETOOLONG})
    EXPECT_TRUE(isLasting(cause)) << cause;
  for (int cause : {EEXIST, ENOENT, EINTR, EMFILE, ENFILE, EFBIG, EISDIR, 0})
    EXPECT_FALSE(isLasting(cause)) << cause;
}

TEST_F(CacheFolder, OneFailureIsNotAll) {
  Cache cache({true, folder, 1 << 20, 1 << 20, ""});
  CacheKey obstructed = kernelKey("f", "abc"), other = kernelKey("g", "abc");
  std::string digest = obstructed.digest();
  fs::create_directories(folder + "/v1/" + digest[0] + "/" + digest.substr(1) +
                         "/x");
  cache.store(obstructed, "payload");
  EXPECT_NE(cache.problem().find("a result is not kept on disk: cannot write"),
            std::string::npos)
      << cache.problem();
  cache.store(other, "payload");
  EXPECT_EQ(DiskCache(folder, 1 << 20).find(other), "payload");
}

TEST_F(CacheFolder, WhatIsTooLargeIsTold) {
  Cache cache({true, folder, 16000, 1 << 20, ""});
  cache.store(kernelKey("f", "abc"), std::string(2000, 'x'));
  EXPECT_NE(cache.problem().find("more than a sixteenth"), std::string::npos);
}

TEST_F(CacheFolder, EightProcessesRace) {
  std::vector<pid_t> children;
  for (unsigned child = 0; child < 8; ++child) {
    pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      // Small enough that entries are evicted all the time.
      DiskCache cache(folder, 16 * 4000);
      std::mt19937 random(child);
      for (int i = 0; i < 1500; ++i) {
        unsigned n = random() % 60;
        CacheKey key = kernelKey("f" + std::to_string(n), "abc");
        std::string payload(200 + n * 17, char('a' + n % 26));
        if (auto found = cache.find(key)) {
          if (*found != payload)
            ::_exit(1);
        } else if (!cache.store(key, payload)) {
          ::_exit(2);
        }
        if (i % 500 == 499)
          cache.prune(16 * 2000);
      }
      ::_exit(cache.damaged() ? 3 : 0);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  for (const fs::path &path : files())
    EXPECT_EQ(path.filename().string().find("new-"), std::string::npos);
  EXPECT_FALSE(DiskCache(folder, 1 << 20).list().empty());
}

TEST_F(CacheFolder, FullDiskIsNoError) {
  pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    // A file that grows beyond this gets EFBIG, and SIGXFSZ with it.
    rlimit limit = {1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Cache cache({true, folder, 1 << 20, 1 << 20, ""});
    auto text = cache.store(kernelKey("f", "abc"), std::string(5000, 'x'));
    bool works = *text == std::string(5000, 'x') &&
                 cache.find(kernelKey("f", "abc")) == text;
    bool says = cache.problem().find("File too large") != std::string::npos;
    ::_exit(works && says ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by a signal";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(files().empty()) << "no half-written file is left";
}

TEST_F(CacheFolder, WorksWithoutAFolder) {
  write(folder + "/file", "");
  Cache cache({true, folder + "/file/kern", 1 << 20, 1 << 20, ""});
  CacheKey key = kernelKey("f", "abc");
  EXPECT_FALSE(cache.find(key));
  auto text = cache.store(key, "payload");
  EXPECT_EQ(cache.find(key), text) << "the very same";
  EXPECT_NE(cache.problem().find("Not a directory"), std::string::npos)
      << cache.problem();
  CacheCounts counts = cache.counts();
  EXPECT_EQ(counts.memoryHits, 1u);
  EXPECT_EQ(counts.misses, 1u);
  cache.remove(key);
  EXPECT_FALSE(cache.find(key));

  Cache off({false, "", 1 << 20, 1 << 20, ""});
  off.store(key, "payload");
  EXPECT_FALSE(off.find(key));
}

TEST_F(CacheFolder, MemoryIsBounded) {
  MemoryCache cache(1000);
  auto text = std::make_shared<const std::string>(300, 'x');
  for (int i = 0; i < 10; ++i) {
    cache.store(std::to_string(i), text);
    cache.find("0");
  }
  EXPECT_TRUE(cache.find("0")) << "used all the time";
  EXPECT_TRUE(cache.find("9"));
  EXPECT_FALSE(cache.find("1"));
}

TEST_F(CacheFolder, OneProcessFindsWhatAnotherKept) {
  CacheKey key = kernelKey("f", "abc");
  CacheSettings settings{true, folder, 1 << 20, 1 << 20, ""};
  Cache(settings).store(key, "payload");
  Cache fresh(settings);
  auto found = fresh.find(key);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, "payload");
  EXPECT_EQ(fresh.counts().diskHits, 1u);
  EXPECT_EQ(fresh.find(key), found);
  EXPECT_EQ(fresh.counts().memoryHits, 1u);
}

TEST_F(CacheFolder, ReasonsComeInTheOrderOfMaking) {
  // Within one second, and the other way round by path.
  constexpr int64_t second = 1000000000;
  std::vector<DiskCache::Listed> entries(2);
  entries[0].path = "a";
  entries[0].made = 5 * second + 2;
  entries[0].key = kernelKey("f", "new");
  entries[1].path = "b";
  entries[1].made = 5 * second + 1;
  entries[1].key = kernelKey("f", "old");
  EXPECT_EQ(cacheMisses(entries, ""),
            "kernel f sm_90: the first of its kind\n"
            "kernel f sm_90:\n"
            "  another compiler: new, and before old\n");
  // Entries made one after the other are told apart.
  DiskCache cache(folder, 1 << 20);
  ASSERT_TRUE(cache.store(kernelKey("f", "1"), "payload"));
  ASSERT_TRUE(cache.store(kernelKey("f", "2"), "payload"));
  EXPECT_NE(cacheMisses(cache.list(), "").find("compiler: 2, and before 1"),
            std::string::npos);
}

TEST_F(CacheFolder, ObstaclesAreFoundByTrying) {
  EXPECT_EQ(DiskCache(folder, 1 << 20).obstacle(), "");
  EXPECT_EQ(DiskCache(folder + "/a/b", 1 << 20).obstacle(), "");
  EXPECT_TRUE(files().empty() && fs::is_empty(folder)) << "nothing is made";
  write(folder + "/file", "");
  EXPECT_EQ(DiskCache(folder + "/file/kern", 1 << 20).obstacle(),
            "cannot write to '" + folder + "/file/kern': Not a directory");
  fs::permissions(folder, fs::perms::all);
  EXPECT_EQ(DiskCache(folder, 1 << 20).obstacle(),
            "the folder '" + folder + "' is not used: others can write to it");
}
