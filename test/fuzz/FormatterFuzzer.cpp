//===- FormatterFuzzer.cpp - any bytes to the formatter -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What parses is formatted, parses again, and is not changed by a second time.
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Format.h"
#include "test/fuzz/TimeLimit.h"

#include <cstdio>
#include <cstdlib>

using namespace kern::compiler;

static std::optional<std::string> formatted(const std::string &text) {
  SourceManager sources;
  const uint32_t file = sources.add("fuzz.kern", text);
  DiagnosticEngine diagnostics(sources);
  return syntax::format(file, diagnostics);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kern::fuzz::TimeLimit limit(size);
  const std::optional<std::string> once =
      formatted(std::string(data, data + size));
  if (!once)
    return 0;
  const std::optional<std::string> twice = formatted(*once);
  if (twice == once)
    return 0;
  std::fprintf(stderr, "--- once\n%s\n--- twice\n%s\n", once->c_str(),
               twice ? twice->c_str() : "(refused)");
  std::abort();
}
