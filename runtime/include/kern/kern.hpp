//===- kern.hpp - the C++ interface of Kern ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header over kern.h: nothing here needs more than the C interface.
//
//     kern::Module module = kern::Module::compileFile("gaussian.kern");
//     kern::Function pdf = module.function("gaussian_pdf");
//     std::vector<float> x = {-1, 0, 1};
//     kern::Array density = pdf(x, 0, 1);
//     for (float value : density.span<float>()) …
//
// Every failure is a kern::Error, whose text is what a person needs to know; of
// a refused source the rendered diagnostics, which diagnostics() has as data.
// What threads may do, each function of kern.h says; objects here are handles,
// and several threads may share what they hold.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_KERN_HPP
#define KERN_KERN_HPP

#include "kern/calls.hpp"
#include "kern/compile.h"
#include "kern/native.h"

#include <string_view>

namespace kern {
// A namespace of its own keeps these names apart from the library's.
inline namespace api {

/// A ufunc or gufunc. Keeps its module alive. Texts of it live as long.
class Function {
public:
  std::string_view name() const &KERN_LIFETIME_BOUND {
    return kern_function_name(function);
  }
  std::string_view name() const && = KERN_DELETE_DANGLING;
  /// NumPy's form: "(m,k),(k,n)->(m,n)".
  std::string_view signature() const &KERN_LIFETIME_BOUND {
    return kern_function_signature(function);
  }
  std::string_view signature() const && = KERN_DELETE_DANGLING;
  size_t inputCount() const { return kern_function_input_count(function); }
  size_t outputCount() const { return kern_function_output_count(function); }

  /// Calls with NumPy's rules for types and shapes. What an argument can be:
  /// kern::Argument.
  template <typename... Arguments>
  Call operator()(
      Arguments &&...arguments KERN_LIFETIME_BOUND) const &KERN_LIFETIME_BOUND {
    return make(nullptr, std::forward<Arguments>(arguments)...);
  }
  template <typename... Arguments>
  Call operator()(Arguments &&...arguments KERN_LIFETIME_BOUND) const && {
    return make(module, std::forward<Arguments>(arguments)...);
  }
  /// The same for a number of arguments that is not known before.
  Call call(std::vector<Argument> arguments) const &KERN_LIFETIME_BOUND {
    return Call(function, nullptr, std::move(arguments));
  }
  Call call(std::vector<Argument> arguments) const && {
    return Call(function, module, std::move(arguments));
  }

private:
  friend class Module;
  Function(std::shared_ptr<kern_module> owner, kern_function *handle)
      : module(std::move(owner)), function(handle) {}
  template <typename... Arguments>
  Call make(std::shared_ptr<kern_module> owner,
            Arguments &&...arguments) const {
    if constexpr ((detail::requireArgument<Arguments>() && ...))
      return Call(function, std::move(owner), std::in_place,
                  std::forward<Arguments>(arguments)...);
    else
      return Call(function, nullptr, std::vector<Argument>()); // refused
  }

  std::shared_ptr<kern_module> module;
  kern_function *function;
};

/// Compiled or loaded code. Copies share it.
class Module {
public:
  /// Compiles source text; `fileName` is for messages, `checks` are bits of
  /// kern_check. Needs the library `kern`, not `kern_runtime`.
  static Module compile(std::string_view source,
                        const std::string &fileName = "<source>",
                        kern_fp_mode mode = KERN_FP_DEFAULT,
                        unsigned checks = 0) {
    return compile(source, fileName, optionsOf(mode, checks));
  }
  /// The same with all options; their `size` is set here.
  static Module compile(std::string_view source, const std::string &fileName,
                        kern_compile_options options) {
    options.size = sizeof options;
    kern_module *made = nullptr;
    detail::check(kern_compile_source_with(source.data(), source.size(),
                                           fileName.c_str(), &options, &made));
    return Module(made);
  }
  /// Compiles a `.kern` file. Needs the library `kern`.
  static Module compileFile(const std::string &path,
                            kern_fp_mode mode = KERN_FP_DEFAULT,
                            unsigned checks = 0) {
    return compileFile(path, optionsOf(mode, checks));
  }
  static Module compileFile(const std::string &path,
                            kern_compile_options options) {
    options.size = sizeof options;
    kern_module *made = nullptr;
    detail::check(kern_compile_file_with(path.c_str(), &options, &made));
    return Module(made);
  }
  /// Loads a compiled `.ptx` file; no compiler is needed.
  static Module loadFile(const std::string &path) {
    kern_module *made = nullptr;
    detail::check(kern_load_file(path.c_str(), &made));
    return Module(made);
  }
  /// The same of a text in memory.
  static Module loadText(std::string_view ptx) {
    kern_module *made = nullptr;
    detail::check(kern_load_text(ptx.data(), ptx.size(), &made));
    return Module(made);
  }

  /// Takes the code of an object file that is linked into the program and
  /// outlives the module (kern/native.h); no compiler is needed.
  static Module load(const kern_native_code &code) {
    kern_module *made = nullptr;
    detail::check(kern_load_native(&code, &made));
    return Module(made);
  }
  static Module load(const kern_native_code &&) = KERN_DELETE_DANGLING;

  /// Throws with the nearest name if there is none of this name.
  Function function(const std::string &name) const {
    kern_function *found = nullptr;
    detail::check(kern_module_find(module.get(), name.c_str(), &found));
    return Function(module, found);
  }
  Function operator[](const std::string &name) const { return function(name); }
  /// All functions, in the source's order.
  std::vector<Function> functions() const {
    std::vector<Function> all;
    for (size_t i = 0; i < kern_module_function_count(module.get()); ++i)
      all.push_back(Function(module, kern_module_function_at(module.get(), i)));
    return all;
  }
  /// Warnings of a compiled source, and remarks if its options ask for them.
  std::vector<Diagnostic> diagnostics() const {
    return detail::diagnosticsOf(kern_module_diagnostics(module.get()));
  }
  /// Functions, signatures, loops and kernels as JSON; lives as long as the
  /// module.
  std::string_view manifest() const &KERN_LIFETIME_BOUND {
    return kern_module_manifest(module.get());
  }
  std::string_view manifest() const && = KERN_DELETE_DANGLING;

private:
  explicit Module(kern_module *made) : module(made, kern_module_release) {}
  static kern_compile_options optionsOf(kern_fp_mode mode, unsigned checks) {
    kern_compile_options options = {};
    options.fp_mode = mode;
    options.checks = checks;
    return options;
  }
  std::shared_ptr<kern_module> module;
};

} // namespace api
} // namespace kern

#endif
