//===- ErrorPages.cpp - docs/reference/errors, built in -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Explanations.h"

#include <algorithm>

namespace kern::cli {
namespace {

struct Page {
  std::string_view code, text;
};
constexpr Page pages[] = {
#include "tools/kern/ErrorPages.inc"
};

} // namespace

std::string_view errorPage(std::string_view code) {
  for (const Page &page : pages)
    if (page.code == code)
      return page.text;
  return {};
}

std::vector<std::string_view> errorCodes() {
  std::vector<std::string_view> codes;
  for (const Page &page : pages)
    codes.push_back(page.code);
  return codes;
}

std::string pageText(std::string_view page) {
  std::string out;
  bool inCode = false;
  for (size_t begin = 0; begin < page.size();) {
    const size_t end = std::min(page.find('\n', begin), page.size());
    std::string_view line = page.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("```")) {
      inCode = !inCode;
    } else if (line.starts_with("# ")) {
      line.remove_prefix(2);
      out.append(line).append("\n").append(line.size(), '=').append("\n");
    } else {
      out.append(inCode && !line.empty() ? 4 : 0, ' ')
          .append(line)
          .append("\n");
    }
  }
  return out;
}

} // namespace kern::cli
