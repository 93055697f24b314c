//===- BuildTest.cpp - kern/build.h ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/build.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

const std::string half = "ufunc half(x: f32) -> f32:\n    return x / 2\n";
const std::string generic = "ufunc same(x):\n    return x * 2\n";
const std::string unused = "ufunc half(x: f32) -> f32:\n"
                           "    y = 1\n"
                           "    return x / 2\n";
const std::string wrong = "ufunc half(x: f32) -> f32:\n    return z\n";

/// One call of the interface, and what it made.
struct Built {
  kern_status status = KERN_OK;
  std::unique_ptr<kern_build, void (*)(kern_build *)> build{nullptr,
                                                            kern_build_release};
  kern_built result = {};

  Built(kern_status status, kern_build *made) : status(status) {
    build.reset(made);
    result.size = sizeof result;
    if (made)
      EXPECT_EQ(kern_build_get(made, &result), KERN_OK);
  }
  std::string output() const { return {result.output, result.length}; }
};

kern_build_options sized() {
  kern_build_options options = {};
  options.size = sizeof options;
  return options;
}

Built buildOf(const std::string &text, const kern_build_options &options) {
  kern_build *made = nullptr;
  kern_status status =
      kern_build_source(text.data(), text.size(), "half.kern", &options, &made);
  return {status, made};
}

Built checkOf(const std::string &text, const kern_build_options &options) {
  kern_build *made = nullptr;
  kern_status status =
      kern_check_source(text.data(), text.size(), "half.kern", &options, &made);
  return {status, made};
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// A call with options that are not options.
void expectRefused(const kern_build_options &options, const std::string &why) {
  Built built = buildOf(half, options);
  EXPECT_EQ(built.status, KERN_ERROR_ARGUMENT);
  EXPECT_EQ(built.build, nullptr);
  EXPECT_TRUE(contains(kern_last_error(), why)) << kern_last_error();
}

} // namespace

TEST(Build, PtxCanBeLoaded) {
  kern_build *made = nullptr;
  ASSERT_EQ(
      kern_build_source(half.data(), half.size(), nullptr, nullptr, &made),
      KERN_OK);
  Built built(KERN_OK, made);
  EXPECT_STREQ(built.result.report, "");
  EXPECT_EQ(built.result.diagnostics, nullptr);
  EXPECT_EQ(built.result.error_count, 0u);
  EXPECT_EQ(built.result.import_count, 0u);
  EXPECT_STREQ(built.result.timing, "");
  EXPECT_EQ(std::strlen(built.result.output), built.result.length);
  kern_module *module = nullptr;
  ASSERT_EQ(kern_load_text(built.result.output, built.result.length, &module),
            KERN_OK)
      << kern_last_error();
  kern_function *function = nullptr;
  EXPECT_EQ(kern_module_find(module, "half", &function), KERN_OK);
  kern_module_release(module);
}

TEST(Build, OptionsChooseWhatIsMade) {
  kern_build_options options = sized();
  options.target = "sm_90";
  EXPECT_TRUE(contains(buildOf(half, options).output(), ".target sm_90"));
  options.target = "x86-64-v3";
  options.emit = "obj";
  options.name = "pulse";
  EXPECT_TRUE(buildOf(half, options).output().starts_with("\177ELF"));
  options.emit = "header";
  EXPECT_TRUE(contains(buildOf(half, options).output(), "pulse_kern"));

  options = sized();
  options.emit = "manifest";
  const char *signatures[] = {"f64(f64)", "same: i32(i32)"};
  options.signatures = signatures;
  options.signature_count = 2;
  const std::string manifest = buildOf(generic, options).output();
  EXPECT_TRUE(contains(manifest, "f64") && contains(manifest, "i32"))
      << manifest;
  options.timing = 1;
  EXPECT_STRNE(buildOf(generic, options).result.timing, "");
}

TEST(Build, RefusedSourcesHaveReports) {
  Built built = buildOf(wrong, sized());
  EXPECT_EQ(built.status, KERN_ERROR_COMPILE);
  EXPECT_EQ(built.output(), "");
  EXPECT_EQ(built.result.error_count, 1u);
  EXPECT_TRUE(contains(built.result.report, "half.kern:2:12: error[K"));
  EXPECT_STREQ(kern_last_error(), built.result.report);
  EXPECT_EQ(kern_diagnostics_count(kern_last_diagnostics()), 1u);
  EXPECT_EQ(kern_diagnostics_count(built.result.diagnostics), 1u);

  kern_build_options options = sized();
  options.report = KERN_REPORT_JSON;
  EXPECT_TRUE(contains(buildOf(wrong, options).result.report, "\"line\":2"));
  options.report = KERN_REPORT_GITHUB;
  EXPECT_TRUE(contains(buildOf(wrong, options).result.report,
                       "::error file=half.kern,line=2"));
}

TEST(Build, WarningsMayBeErrors) {
  kern_build_options options = sized();
  Built warned = buildOf(unused, options);
  EXPECT_EQ(warned.status, KERN_OK);
  EXPECT_EQ(warned.result.warning_count, 1u);
  EXPECT_NE(warned.output(), "");
  options.deny_warnings = 1;
  Built denied = buildOf(unused, options);
  EXPECT_EQ(denied.status, KERN_ERROR_COMPILE);
  EXPECT_EQ(denied.result.error_count, 1u);
  kern_diagnostic diagnostic = {};
  diagnostic.size = sizeof diagnostic;
  ASSERT_EQ(kern_diagnostics_get(denied.result.diagnostics, 0, &diagnostic),
            KERN_OK);
  EXPECT_EQ(diagnostic.severity, KERN_SEVERITY_ERROR);
}

TEST(Build, ChecksMakeNothing) {
  EXPECT_EQ(checkOf(wrong, sized()).status, KERN_ERROR_COMPILE);
  Built right = checkOf(generic, sized());
  EXPECT_EQ(right.status, KERN_OK) << "no loop is declared, and none needed";
  EXPECT_EQ(right.output(), "");
  EXPECT_EQ(buildOf(generic, sized()).status, KERN_ERROR_COMPILE);
  kern_build_options options = sized();
  EXPECT_STREQ(checkOf(half, options).result.report, "");
  options.remarks = 1;
  EXPECT_TRUE(contains(checkOf(half, options).result.report, "remark[K"));
}

TEST(Build, FilesAndTheirImports) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("kern-build-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "parts.kern") << "def third(x):\n    return x / 3\n";
  std::ofstream(folder / "whole.kern")
      << "import parts\n\nufunc f(x: f32) -> f32:\n"
         "    return parts.third(x)\n";
  kern_build *made = nullptr;
  kern_status status =
      kern_build_file((folder / "whole.kern").c_str(), nullptr, &made);
  Built built(status, made);
  EXPECT_EQ(built.status, KERN_OK) << built.result.report;
  ASSERT_EQ(built.result.import_count, 1u);
  EXPECT_EQ(built.result.imports[0], (folder / "parts.kern").string());
  EXPECT_EQ(built.result.imports[1], nullptr);

  made = nullptr;
  status = kern_check_file((folder / "none.kern").c_str(), nullptr, &made);
  Built absent(status, made);
  EXPECT_EQ(absent.status, KERN_ERROR_NOT_FOUND);
  EXPECT_TRUE(contains(absent.result.report, "none.kern"))
      << "what cannot be read is reported too";
  std::filesystem::remove_all(folder);
}

TEST(Build, ThreadsBuildAtOnce) {
  std::vector<std::string> outputs(6);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < outputs.size(); ++i)
      threads.emplace_back([&outputs, i] {
        kern_build_options options = sized();
        const char *signatures[] = {"f64(f64)", "i32(i32)"};
        options.signatures = signatures;
        options.signature_count = 2;
        options.all_forms = 1;
        options.target = i % 2 ? "x86-64-v2" : "sm_80";
        options.emit = i % 2 ? "asm" : "ptx";
        outputs[i] = buildOf(generic, options).output();
      });
  }
  for (size_t i = 2; i < outputs.size(); ++i)
    EXPECT_EQ(outputs[i], outputs[i % 2]);
  EXPECT_NE(outputs[0], "");
  EXPECT_NE(outputs[1], "");
}

TEST(Build, OptionsThatAreNone) {
  kern_build_options options = sized();
  options.size = 3;
  expectRefused(options, "kern_build_options");
  options = sized();
  options.reserved = 1;
  expectRefused(options, "reserved is 1");
  options = sized();
  options.emit = "cubin";
  expectRefused(options, "emit is 'cubin', not one of kern, ");
  options = sized();
  options.target = "sm_70";
  expectRefused(options, "target is 'sm_70', and 'ptx' can be made for sm_75,");
  options.target = "x86-64";
  expectRefused(options, "target is 'x86-64'");
  options = sized();
  options.name = "half";
  expectRefused(options, "name is for obj and header, not for 'ptx'");
  options.emit = "obj";
  for (const char *name : {"", "2d", "_x", "a-b"}) {
    options.name = name;
    expectRefused(options, "not a name for C");
  }
  options = sized();
  options.signature_count = 1;
  expectRefused(options, "the array of signatures is missing");
  const char *none[] = {nullptr};
  options.signatures = none;
  expectRefused(options, "a signature is missing");
  options = sized();
  options.checks = 64;
  expectRefused(options, "checks has the bits 64");
  options = sized();
  const unsigned unknown = 3;
  std::memcpy(&options.report, &unknown, sizeof unknown);
  expectRefused(options, "report 3 is not a kern_report_form");
  options = sized();
  std::memcpy(&options.fp_mode, &unknown, sizeof unknown);
  expectRefused(options, "fp_mode 3 is not a kern_fp_mode");
}
