//===- TestFunctions.h - what the tests of a file call --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/source/Source.h"
#include "kern/compile.h"
#include "tools/kern/doctest/TestValue.h"
#include "tools/kern/values/Handles.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// The functions of one `.kern` file on one device. Everything else that its
/// bodies can name (`def`s, imports, the standard library) is called through a
/// ufunc that is compiled for it.
class TestFunctions {
public:
  TestFunctions(std::string path, std::string text, kern_device device,
                kern_compile_options options);

  /// Compiles the file. KERN_ERROR_COMPILE carries the diagnostics.
  runtime::Status open();
  /// The file, once it is open.
  const kern_module *compiled() const { return module.get(); }
  /// Calls a function by its name; several results make a tuple. The last
  /// arguments are for the parameters that `keywords` name. `f.reduce` and its
  /// like are methods of the file's ufunc `f`, with NumPy's `axis`, `initial`
  /// and `keepdims`; `f.at` gives the array that it changed, a copy. Fails as
  /// the compiler and the library's calls do; messages point to `at`.
  runtime::Expected<TestValue>
  call(const std::string &name, const std::vector<TestValue> &arguments,
       compiler::LineColumn at, const std::vector<std::string> &keywords = {});
  /// `x.clip(0, 1)`: a method of a value, in the same way.
  runtime::Expected<TestValue>
  callMethod(const TestValue &value, const std::string &method,
             const std::vector<TestValue> &arguments, compiler::LineColumn at,
             const std::vector<std::string> &keywords = {});
  /// `a OP b`: plain numbers as in Python, everything else as in Kern.
  runtime::Expected<TestValue> operate(const std::string &op,
                                       const TestValue &a, const TestValue &b,
                                       compiler::LineColumn at);
  /// A place of the file, as messages have it: "F.kern:4:9".
  std::string text(compiler::LineColumn place) const;

private:
  runtime::Status compile(const std::string &text, Module &into) const;
  kern_function *find(const std::string &written) const;
  /// The file and a function below it: `header` is without a name, as
  /// "gufunc (x0: [n2])".
  runtime::Status compileWrapper(const std::string &header,
                                 const std::string &statement,
                                 Module &into) const;
  /// The shape of the array that an expression of such arrays gives: "[2, 3]".
  runtime::Expected<std::string>
  resultShape(const std::string &expression,
              const std::vector<TestValue> &arguments);
  /// A function of `expression`, whose x0, x1 … are the arguments' elements or,
  /// if that is refused, the arrays.
  runtime::Expected<kern_function *>
  wrapped(const std::string &expression,
          const std::vector<TestValue> &arguments);
  runtime::Expected<TestValue>
  invoke(kern_function *function, const std::vector<TestValue> &arguments,
         const std::vector<std::string> &keywords = {});
  runtime::Expected<TestValue>
  invokeMethod(kern_function *function, const std::string &name,
               const std::vector<TestValue> &arguments,
               const std::vector<std::string> &keywords);
  runtime::Expected<TestValue>
  invokeWrapped(const std::string &expression,
                const std::vector<TestValue> &arguments,
                compiler::LineColumn at);

  std::string path, source;
  unsigned lines; ///< of the source
  kern_device device;
  kern_compile_options options;
  Module module;
  std::map<std::string, Module> wrappers; ///< by what they hold
};

//===--- TestPlaces.cpp --------------------------------------------------===//
/// The function that a test's calls are made by.
inline constexpr std::string_view wrapperName = "called_by_a_test";

/// Rewrites a message of the compiler about a text that consists of the file
/// `path`, of `lines` lines, and below it the code made from a test. Places in
/// that code become `place`, that of the test ("F.kern:4:9"), without their
/// source lines. Notes about the function around the test are removed, since
/// its user did not write it.
std::string placedInTest(std::string_view message, std::string_view path,
                         unsigned lines, std::string_view place);

} // namespace kern::cli
