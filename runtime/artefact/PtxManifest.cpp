//===- PtxManifest.cpp - the manifest in a PTX file -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Manifest.h"

#include <algorithm>

using namespace kern::runtime;

static constexpr std::string_view prefix = "// kern-manifest: ";
/// Characters of JSON in one comment line.
static constexpr size_t lineLength = 4000;

std::string kern::runtime::embedManifest(const Manifest &manifest,
                                         std::string_view ptx) {
  std::string json = toJson(manifest), out;
  for (size_t at = 0; at < json.size();) {
    size_t end = std::min(at + lineLength, json.size());
    // Editors remove a blank at the end of a line, and a backslash there would
    // continue the comment.
    while (end < json.size() && (json[end - 1] == ' ' || json[end - 1] == '\\'))
      ++end;
    out += prefix;
    out += std::string_view(json).substr(at, end - at);
    out += '\n';
    at = end;
  }
  return out.append(ptx);
}

Expected<Manifest> kern::runtime::extractManifest(std::string_view ptx) {
  std::string json;
  while (!ptx.empty()) {
    size_t end = ptx.find('\n');
    std::string_view line = ptx.substr(0, end);
    ptx.remove_prefix(end == std::string_view::npos ? ptx.size() : end + 1);
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    if (line.starts_with(prefix))
      json += line.substr(prefix.size());
    else if (!line.empty() && !line.starts_with("//"))
      break; // the manifest precedes the code
  }
  if (json.empty())
    return Error(ErrorCode::manifest_absent);
  return manifestFromJson(json);
}
