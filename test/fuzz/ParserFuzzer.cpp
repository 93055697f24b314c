//===- ParserFuzzer.cpp - any bytes to the lexer and parser ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/Parser.h"
#include "test/fuzz/TimeLimit.h"

using namespace kern::compiler;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kern::fuzz::TimeLimit limit(size);
  SourceManager sources;
  const uint32_t file =
      sources.add("fuzz.kern", std::string(data, data + size));
  DiagnosticEngine diagnostics(sources);
  syntax::parse(file, diagnostics);
  diagnostics.renderText(/*color=*/true, /*remarks=*/true);
  diagnostics.renderJson(/*remarks=*/true);
  return 0;
}
