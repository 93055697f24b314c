//===- Build.h - sources that are compiled to files -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kern/build.h with owners.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/build.h"
#include "tools/kern/SourceFiles.h"

#include <memory>
#include <string>
#include <vector>

namespace kern::cli {

/// A kern_build_options and the texts that it points to.
struct BuildOptions {
  std::string emit = "ptx";
  std::string target, name; ///< "": none is given
  std::vector<std::string> signatures;
  kern_build_options rest = {}; ///< all but the texts

  /// Whether reports are for programs: without colours and summary.
  bool isForPrograms() const { return rest.report != KERN_REPORT_TEXT; }
};

/// A source that was compiled or checked.
class Build {
public:
  static Build compiled(const SourceInput &source, const BuildOptions &options);
  static Build checked(const SourceInput &source, const BuildOptions &options);

  /// Prints the report (after a success only if `hasReport`) and the times.
  /// Returns the exit status.
  int print(bool hasReport = true) const;
  const kern_built *operator->() const { return &result; }
  std::vector<std::string> imports() const {
    return {result.imports, result.imports + result.import_count};
  }

private:
  using OfText = decltype(kern_build_source);
  using OfFile = decltype(kern_build_file);
  Build(const SourceInput &source, const BuildOptions &options, OfText *ofText,
        OfFile *ofFile);

  kern_status status = KERN_OK;
  bool isForPrograms;
  std::unique_ptr<kern_build, void (*)(kern_build *)> build;
  kern_built result = {};
};

} // namespace kern::cli
