//===- Build.cpp - sources that are compiled to files ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Build.h"

#include "tools/kern/Console.h"

#include <cstdio>

namespace kern::cli {

Build::Build(const SourceInput &source, const BuildOptions &options,
             OfText *ofText, OfFile *ofFile)
    : isForPrograms(options.isForPrograms()),
      build(nullptr, kern_build_release) {
  kern_build_options given = options.rest;
  given.size = sizeof given;
  given.emit = options.emit.c_str();
  given.target = options.target.empty() ? nullptr : options.target.c_str();
  given.name = options.name.empty() ? nullptr : options.name.c_str();
  std::vector<const char *> signatures;
  for (const std::string &signature : options.signatures)
    signatures.push_back(signature.c_str());
  given.signatures = signatures.data();
  given.signature_count = signatures.size();

  kern_build *made = nullptr;
  status = source.text ? ofText(source.text->data(), source.text->size(),
                                source.name.c_str(), &given, &made)
                       : ofFile(source.name.c_str(), &given, &made);
  build.reset(made);
  result.size = sizeof result;
  if (made)
    kern_build_get(made, &result);
}

Build Build::compiled(const SourceInput &source, const BuildOptions &options) {
  return {source, options, kern_build_source, kern_build_file};
}

Build Build::checked(const SourceInput &source, const BuildOptions &options) {
  return {source, options, kern_check_source, kern_check_file};
}

int Build::print(bool hasReport) const {
  if (!build)
    return reportFailure(status);
  if (hasReport || status != KERN_OK)
    printDiagnostics(result.report, isForPrograms);
  std::fputs(result.timing, stderr);
  return status == KERN_OK               ? Done
         : status == KERN_ERROR_INTERNAL ? InternalError
                                         : Refused;
}

} // namespace kern::cli
