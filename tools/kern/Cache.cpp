//===- Cache.cpp - kern cache ---------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/Suggestion.h"
#include "tools/kern/Verb.h"

#include "runtime/cache/CacheReport.h"
#include "runtime/cache/CacheSettings.h"
#include "runtime/error/Counted.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace kern::cli {
namespace {

int print(const std::string &text) {
  std::fputs(text.c_str(), stdout);
  return finishOutput(Done);
}

} // namespace

int runCache(const std::vector<std::string> &arguments) {
  CommandLine line(
      "cache", "[stats|list|why|path|prune|clear] [FUNCTION]",
      "Shows what was compiled before and is kept on disk, and removes it.\n"
      "  stats  how many entries of each kind, how large, how often used, and "
      "why\n         nothing is kept if it cannot be\n"
      "  list   the entries, the latest use first; of FUNCTION alone\n"
      "  why    for each entry, what its key has that the nearest older one "
      "has\n"
      "         not: why a look-up missed before it was made\n"
      "  path   the folder\n"
      "  prune  remove what was not used for longest, down to --size\n"
      "  clear  remove everything\n"
      "KERN_CACHE_DIR sets the folder, KERN_CACHE_SIZE the bound, KERN_CACHE=0 "
      "switches it off.");
  line.options()("size", "For prune: bytes, or 100M",
                 cxxopts::value<std::vector<std::string>>(), "SIZE");
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  const std::vector<std::string> &operands = line.operands();
  const std::string verb = operands.empty() ? "stats" : operands[0];
  const std::string function = operands.size() > 1 ? operands[1] : "";
  if (operands.size() > 2)
    return line.refuse("what is '" + operands[2] + "'?");
  const std::vector<std::string> verbs = {"stats", "list",  "why",
                                          "path",  "prune", "clear"};
  if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end())
    return line.refuse("unknown action '" + verb + "'" +
                       suggestion(verb, verbs));

  const CacheSettings settings =
      cacheSettings([](const char *name) { return std::getenv(name); });
  if (!settings.problem.empty())
    printWarning(settings.problem);
  if (!settings.isOn && (verb == "stats" || verb == "path"))
    return print("The cache is off (KERN_CACHE=0).\n");
  if (settings.folder.empty()) {
    printError("there is no folder for a cache: set KERN_CACHE_DIR or HOME");
    return Refused;
  }
  if (verb == "path")
    return print(settings.folder + "\n");

  DiskCache cache(settings.folder, settings.diskBytes);
  if (verb == "clear" || verb == "prune") {
    uint64_t size = verb == "clear" ? 0 : settings.diskBytes;
    if (line.has("size") && !parseSize(line.value("size", ""), size))
      return line.refuse("'" + line.value("size", "") +
                         "' is not a size: write bytes, or 100M");
    const uint64_t before = cache.list().size();
    cache.prune(size);
    const uint64_t after = cache.list().size();
    return print(counted(before - after, "entry") + " removed, " +
                 std::to_string(after) + " left\n");
  }
  const std::vector<DiskCache::Listed> entries = cache.list();
  if (verb == "stats") {
    const std::string obstacle = cache.obstacle();
    return print(
        cacheStatistics(settings, entries) +
        (obstacle.empty() ? "" : "nothing is kept: " + obstacle + "\n"));
  }
  if (verb == "why")
    return print(cacheMisses(entries, function));
  return print(cacheList(entries, function, std::time(nullptr)));
}

} // namespace kern::cli
