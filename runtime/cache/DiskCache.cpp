//===- DiskCache.cpp - results in files -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/DiskCache.h"
#include "runtime/cache/CacheFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

using namespace kern::runtime;

/// Far above the size of any real entry.
static constexpr uint64_t largestEntry = uint64_t(1) << 30;
/// Enough bytes for an entry's header and any usual key.
static constexpr uint64_t headBytes = 4096;
/// The writer of a temporary file this old is gone.
static constexpr int64_t staleSeconds = 3600;
static constexpr const char *temporaryPrefix = "new-";

namespace {
struct File {
  std::string path;
  uint64_t bytes;
  timespec lastUse;
  bool isTemporary;
};
} // namespace

static std::vector<File> filesIn(const std::string &folder) {
  std::vector<File> files;
  std::unique_ptr<DIR, int (*)(DIR *)> open(::opendir(folder.c_str()),
                                            &::closedir);
  if (!open)
    return files;
  while (const dirent *item = ::readdir(open.get())) {
    std::string path = folder + "/" + item->d_name;
    struct stat status;
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    files.push_back(
        {std::move(path), uint64_t(status.st_size), status.st_mtim,
         std::string_view(item->d_name).starts_with(temporaryPrefix)});
  }
  return files;
}

static bool isEarlier(const timespec &a, const timespec &b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static int64_t nanoseconds(const timespec &time) {
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

static bool isStale(const File &file) {
  return file.isTemporary &&
         std::time(nullptr) - file.lastUse.tv_sec > staleSeconds;
}

DiskCache::DiskCache(std::string folder, uint64_t limit)
    : root(std::move(folder)), limit(limit) {}

std::string DiskCache::shardPath(size_t shard) const {
  return root + "/v1/" + "0123456789abcdef"[shard];
}

std::string DiskCache::pathOf(const std::string &digest) const {
  return root + "/v1/" + digest[0] + "/" + digest.substr(1);
}

static size_t shardOf(const std::string &digest) {
  return digest[0] <= '9' ? size_t(digest[0] - '0')
                          : size_t(digest[0] - 'a' + 10);
}

bool DiskCache::trusts(size_t shard) {
  for (const std::string &folder : {root, root + "/v1", shardPath(shard)})
    if (std::string why = whyForeignFolder(folder); !why.empty()) {
      note("the folder '" + folder + "' is not used: " + why, true);
      return false;
    }
  return true;
}

bool DiskCache::trusts(const CacheFile &file, const std::string &path) {
  std::string why = file.whyForeign();
  if (!why.empty())
    note("'" + path + "' is not used: " + why, false);
  return why.empty();
}

std::optional<std::string> DiskCache::find(const CacheKey &key) {
  std::string digest = key.digest(), path = pathOf(digest);
  CacheFile file = CacheFile::open(path);
  if (!file || !trusts(shardOf(digest)) || !trusts(file, path))
    return std::nullopt;
  uint64_t size = file.size();
  std::string bytes = file.read(std::min(size, largestEntry));
  std::optional<CacheEntry> entry = decodeEntry(bytes);
  if (!entry || entry->key.text() != key.text()) {
    ++damagedEntries;
    ::unlink(path.c_str());
    return std::nullopt;
  }
  file.overwrite(entryUsesAt, entry->uses + 1);
  return std::string(entry->payload);
}

bool kern::runtime::isLasting(int cause) {
  switch (cause) {
  case EACCES:
  case EDQUOT:
  case ENAMETOOLONG:
  case ENOSPC:
  case ENOTDIR:
  case EPERM:
  case EROFS:
    return true;
  default:
    return false;
  }
}

std::string DiskCache::problem() const {
  std::lock_guard lock(mutex);
  return fault;
}

void DiskCache::note(std::string problem, bool replaces) {
  std::lock_guard lock(mutex);
  if (fault.empty() || replaces)
    fault = std::move(problem);
}

/// Creates a file with a random name. A process ID would not do: it recurs over
/// time and in other containers.
static CacheFile createTemporary(const std::string &folder, std::string &path) {
  constexpr int tries = 16;
  for (int i = 0; i < tries; ++i) {
    uint64_t number = 0;
    if (::getentropy(&number, sizeof number) != 0)
      break;
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx",
                  static_cast<unsigned long long>(number));
    path = folder + "/" + temporaryPrefix + digits;
    if (CacheFile file = CacheFile::create(path); file || errno != EEXIST)
      return file;
  }
  return {};
}

/// Returns 0 or an errno; on failure sets `doing` to the failed step.
static int writeEntry(const std::string &folder, const std::string &path,
                      std::string_view bytes, std::string &doing) {
  std::string temporary;
  CacheFile file = createTemporary(folder, temporary);
  if (!file && errno == ENOENT) {
    doing = "make the folder '" + folder + "'";
    if (int failure = makeFolders(folder))
      return failure;
    file = createTemporary(folder, temporary);
  }
  doing = "write '" + temporary + "'";
  if (!file)
    return errno;
  int failure = file.write(bytes);
  if (!failure && ::rename(temporary.c_str(), path.c_str()) != 0)
    failure = errno;
  if (failure)
    ::unlink(temporary.c_str());
  return failure;
}

/// Whether a process should scan a shard whose size it does not know. With
/// thousands of entries a scan takes longer than a compilation. So it scans if
/// its own additions are a notable part of the shard's share, or for one entry
/// in 64, so that many short processes still respect the bound.
static bool isTimeToLook(std::string_view digest, uint64_t added,
                         uint64_t share) {
  return added > share / 64 || std::hash<std::string_view>()(digest) % 64 == 0;
}

Status DiskCache::store(const CacheKey &key, std::string_view payload) {
  if (hasGivenUp)
    return {};
  std::string digest = key.digest();
  size_t shard = shardOf(digest);
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::string bytes = encodeEntry(key, payload, nanoseconds(now));
  uint64_t share = limit / shards;
  if (bytes.size() > share || bytes.size() > largestEntry) {
    note("a result of " + std::to_string(bytes.size()) +
             " bytes is not kept on disk: it is more than a sixteenth of the "
             "cache's bound",
         false);
    return {};
  }
  if (!trusts(shard)) {
    hasGivenUp = true;
    return Error(ErrorCode::cache_not_trusted, {problem()});
  }
  std::string doing;
  if (int cause = writeEntry(shardPath(shard), pathOf(digest), bytes, doing)) {
    Error error(ErrorCode::cache_entry_failed, {doing, std::strerror(cause)});
    bool lasts = isLasting(cause);
    note((lasts ? "nothing more is kept on disk: "
                : "a result is not kept on disk: ") +
             error.message,
         lasts);
    if (lasts)
      hasGivenUp = true;
    return error;
  }

  std::lock_guard lock(mutex);
  std::optional<uint64_t> &held = known[shard];
  added[shard] += bytes.size();
  if (held)
    *held += bytes.size();
  if (held ? *held > share : isTimeToLook(digest, added[shard], share))
    held = pruneShard(shard, share, pathOf(digest));
  return {};
}

/// The path itself if it exists, else the nearest folder above it.
static std::string nearestThere(std::string path) {
  struct stat status;
  while (path != "." && path != "/" && ::stat(path.c_str(), &status) != 0) {
    size_t slash = path.find_last_of('/');
    path = slash == std::string::npos ? "."
           : slash == 0               ? "/"
                                      : path.substr(0, slash);
  }
  return path;
}

std::string DiskCache::obstacle() {
  for (size_t shard = 0; shard < shards; ++shard)
    if (!trusts(shard))
      return problem();
  std::string nearest = nearestThere(root);
  int failure = 0;
  if (nearest != root) {
    // The slash at the end makes this fail for a file.
    if (::access((nearest + "/").c_str(), W_OK | X_OK) != 0)
      failure = errno;
  } else {
    std::string temporary;
    CacheFile file = createTemporary(root, temporary);
    failure = file ? file.write(std::string(headBytes, '\0')) : errno;
    if (file)
      ::unlink(temporary.c_str());
  }
  return failure ? "cannot write to '" + root + "': " + std::strerror(failure)
                 : "";
}

void DiskCache::remove(const CacheKey &key) {
  ::unlink(pathOf(key.digest()).c_str());
}

uint64_t DiskCache::pruneShard(size_t shard, uint64_t share,
                               const std::string &newest) {
  std::vector<File> files = filesIn(shardPath(shard));
  uint64_t held = 0;
  for (const File &file : files) {
    if (isStale(file))
      ::unlink(file.path.c_str());
    else if (!file.isTemporary)
      held += file.bytes;
  }
  if (held <= share)
    return held;
  std::ranges::sort(files, [](const File &a, const File &b) {
    return isEarlier(a.lastUse, b.lastUse);
  });
  // Free a quarter more than needed, so that the next store need not scan.
  uint64_t target = share - share / 4;
  for (const File &file : files) {
    if (held <= target)
      break;
    // Timestamps are coarse: the newest file may look as old as others.
    if (file.isTemporary || file.path == newest)
      continue;
    ::unlink(file.path.c_str());
    held -= file.bytes;
  }
  return held;
}

void DiskCache::prune(uint64_t wanted) {
  std::lock_guard lock(mutex);
  std::vector<File> files;
  uint64_t held = 0;
  for (size_t shard = 0; shard < shards; ++shard) {
    known[shard].reset();
    for (File &file : filesIn(shardPath(shard))) {
      if (file.isTemporary) {
        if (isStale(file))
          ::unlink(file.path.c_str());
        continue;
      }
      held += file.bytes;
      files.push_back(std::move(file));
    }
  }
  std::ranges::sort(files, [](const File &a, const File &b) {
    return isEarlier(a.lastUse, b.lastUse);
  });
  for (const File &file : files) {
    if (held <= wanted)
      break;
    ::unlink(file.path.c_str());
    held -= file.bytes;
  }
}

std::vector<DiskCache::Listed> DiskCache::list() const {
  std::vector<Listed> entries;
  for (size_t shard = 0; shard < shards; ++shard)
    for (File &file : filesIn(shardPath(shard))) {
      if (file.isTemporary)
        continue;
      CacheFile open = CacheFile::open(file.path);
      if (!open || !open.whyForeign().empty())
        continue;
      std::string head = open.read(std::min(file.bytes, headBytes));
      std::optional<CacheEntry> entry = decodeEntryHead(head, file.bytes);
      if (!entry) { // a longer key than usual
        head = open.read(std::min(file.bytes, largestEntry));
        entry = decodeEntryHead(head, file.bytes);
      }
      if (entry)
        entries.push_back({std::move(file.path), file.bytes,
                           nanoseconds(file.lastUse), entry->made, entry->uses,
                           std::move(entry->key)});
    }
  std::ranges::sort(entries, [](const Listed &a, const Listed &b) {
    return a.lastUse != b.lastUse ? a.lastUse > b.lastUse : a.path < b.path;
  });
  return entries;
}
