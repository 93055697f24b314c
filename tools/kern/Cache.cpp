//===- Cache.cpp - kern cache ---------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Verb.h"

#include "runtime/cache/CacheReport.h"
#include "runtime/cache/CacheSettings.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

namespace kern::cli {

using runtime::CacheSettings;
using runtime::DiskCache;

namespace {

using nlohmann::ordered_json;
using Entries = std::vector<DiskCache::Listed>;

int print(const std::string &text) {
  std::fputs(text.c_str(), stdout);
  return finishOutput(Done);
}

int printJson(const ordered_json &json) {
  return print(
      json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

std::vector<std::string> actions() {
  return {"stats", "list", "why", "path", "prune", "clear"};
}

/// The settings alone, without a look at the folder.
ordered_json settingsJson(const CacheSettings &settings) {
  return {{"on", settings.isOn},
          {"folder", settings.folder},
          {"limit_bytes", settings.diskBytes}};
}

ordered_json statisticsJson(const CacheSettings &settings,
                            const Entries &entries,
                            const std::string &obstacle) {
  struct Sum {
    uint64_t entries = 0, bytes = 0, uses = 0;
  };
  std::map<std::string, Sum> kinds;
  for (const DiskCache::Listed &entry : entries) {
    Sum &sum = kinds[std::string(entry.key.value("kind"))];
    ++sum.entries;
    sum.bytes += entry.bytes;
    sum.uses += entry.uses;
  }
  ordered_json json = settingsJson(settings);
  json["problem"] = obstacle;
  json["kinds"] = ordered_json::array();
  for (const auto &[kind, sum] : kinds)
    json["kinds"].push_back({{"kind", kind},
                             {"entries", sum.entries},
                             {"bytes", sum.bytes},
                             {"hits", sum.uses}});
  return json;
}

ordered_json listJson(const Entries &entries, const std::string &function) {
  ordered_json list = ordered_json::array();
  for (const DiskCache::Listed &entry : entries) {
    if (!function.empty() && entry.key.value("function") != function)
      continue;
    ordered_json row = {{"path", entry.path},
                        {"bytes", entry.bytes},
                        {"hits", entry.uses},
                        {"made_ns", entry.made},
                        {"last_use_ns", entry.lastUse}};
    row["key"] = ordered_json::object();
    for (const auto &[field, value] : entry.key.fields())
      row["key"][field] = value;
    list.push_back(std::move(row));
  }
  return {{"entries", std::move(list)}};
}

int remove(const CommandLine &line, DiskCache &cache, uint64_t limit) {
  const uint64_t before = cache.list().size();
  cache.prune(limit);
  const uint64_t after = cache.list().size();
  if (line.has("json"))
    return printJson(
        ordered_json{{"removed", before - after}, {"left", after}});
  if (line.isQuiet())
    return Done;
  return print(runtime::counted(before - after, "entry") + " removed, " +
               std::to_string(after) + " left\n");
}

int show(const CommandLine &line, const std::string &action,
         const std::string &function, const CacheSettings &settings,
         DiskCache &cache) {
  const Entries entries = cache.list();
  const bool isJson = line.has("json");
  if (action == "why")
    return print(cacheMisses(entries, function));
  if (action == "list")
    return isJson ? printJson(listJson(entries, function))
                  : print(cacheList(entries, function, std::time(nullptr)));
  const std::string obstacle = cache.obstacle();
  if (isJson)
    return printJson(statisticsJson(settings, entries, obstacle));
  return print(cacheStatistics(settings, entries) +
               (obstacle.empty() ? "" : "nothing is kept: " + obstacle + "\n"));
}

void declare(CommandLine &line) {
  line.add({"size", "For prune: the size, in bytes or such as 100M", "SIZE"});
  line.add({"json", "Print one JSON object (not for why)"});
}

int run(const CommandLine &line) {
  const std::vector<std::string> &operands = line.operands();
  const std::string action = operands.empty() ? "stats" : operands[0];
  const std::string function = operands.size() > 1 ? operands[1] : "";
  if (operands.size() > 2)
    return line.refuse("unexpected operand '" + operands[2] + "'");
  const std::vector<std::string> known = actions();
  if (std::ranges::find(known, action) == known.end())
    return line.refuse("unknown action '" + action + "'" +
                       suggestion(action, known));
  if (action == "why" && line.has("json"))
    return line.refuse("'kern cache why' has no JSON; list has the keys");

  const CacheSettings settings = runtime::cacheSettings(
      [](const char *name) { return std::getenv(name); });
  if (!settings.problem.empty())
    printWarning(settings.problem);
  const bool isGeneral = action == "stats" || action == "path";
  if (!settings.isOn && isGeneral)
    return line.has("json") ? printJson(settingsJson(settings))
                            : print("The cache is off (KERN_CACHE=0).\n");
  if (settings.folder.empty()) {
    printError("there is no folder for a cache: set KERN_CACHE_DIR or HOME");
    return Refused;
  }
  if (action == "path")
    return line.has("json") ? printJson(settingsJson(settings))
                            : print(settings.folder + "\n");

  DiskCache cache(settings.folder, settings.diskBytes);
  if (action != "clear" && action != "prune")
    return show(line, action, function, settings, cache);
  uint64_t size = action == "clear" ? 0 : settings.diskBytes;
  if (line.has("size") && !runtime::parseSize(line.value("size", ""), size))
    return line.refuse("'" + line.value("size", "") +
                       "' is not a size: write bytes, or 100M");
  return remove(line, cache, size);
}

} // namespace

const Verb cacheVerb = {
    "cache",
    "[stats|list|why|path|prune|clear] [FUNCTION]",
    "show or remove what was compiled before",
    "Shows the results of earlier compilations on disk, and removes them.\n"
    "  stats  number, size and uses of each kind of entry, and why nothing\n"
    "         can be stored, if that is so\n"
    "  list   the entries, most recently used first; only those of FUNCTION if "
    "given\n"
    "  why    why each entry was not found before it was made: how its key\n"
    "         differs from that of the nearest older one\n"
    "  path   the folder\n"
    "  prune  remove the entries least recently used, down to --size\n"
    "  clear  remove everything\n"
    "KERN_CACHE_DIR sets the folder, KERN_CACHE_SIZE the limit; KERN_CACHE=0 "
    "turns the cache off.",
    declare,
    run,
    actions};

} // namespace kern::cli
