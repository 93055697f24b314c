//===- ExpectedCases.cpp - what NumPy gives on special values -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "test/unit/kerntoloop/ExpectedCases.h"

#include <map>
#include <sstream>

namespace kern::test {

using namespace runtime;

static const char text[] =
#include "test/unit/kerntoloop/expected.inc"
    ;

static Slot parseSlot(const std::string &hex) {
  Slot slot;
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (size_t at = 0; at < hex.size(); ++at) {
    int value = digit(hex[hex.size() - 1 - at]);
    slot.bytes[at / 2] |= (unsigned char)(value << (at % 2 * 4));
  }
  return slot;
}

std::string ExpectedCase::signature() const {
  std::string result = function + "(";
  for (DType type : inputs)
    result += (result.back() == '(' ? "" : ", ") + std::string(name(type));
  result += ")";
  // Only conversions are not identified by their operands.
  return function == "cast" ? result + std::string(name(outputs[0])) : result;
}

static std::vector<ExpectedCase> parse() {
  std::vector<ExpectedCase> cases;
  std::map<DType, std::vector<Slot>> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "values") {
      words >> word;
      std::vector<Slot> &slots = values[*parseDType(word)];
      slots.clear();
      while (words >> word)
        slots.push_back(parseSlot(word));
    } else if (word == "case") {
      ExpectedCase found;
      words >> found.function >> found.ulp;
      while (words >> word && word != "->") {
        found.inputs.push_back(*parseDType(word));
        found.values.push_back(values[found.inputs.back()]);
      }
      while (words >> word && word != ":")
        found.outputs.push_back(*parseDType(word));
      while (words >> word)
        found.results.push_back(parseSlot(word));
      cases.push_back(std::move(found));
    }
  }
  return cases;
}

const std::vector<ExpectedCase> &expectedCases() {
  static const std::vector<ExpectedCase> cases = parse();
  return cases;
}

} // namespace kern::test
