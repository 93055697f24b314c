//===- kern.hpp - the C++ interface of Kern ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header over kern.h: it uses the C interface and nothing else.
//
//     kern::Module module = kern::Module::compileFile("gaussian.kern");
//     kern::Function pdf = module.function("gaussian_pdf");
//     std::vector<float> x = {-1, 0, 1};
//     kern::Array density = pdf(x, 0, 1);
//     for (float value : density.span<float>()) …
//
// Every failure is a kern::Error with a message for people. For a rejected
// source that is the rendered diagnostics; diagnostics() has them as data.
// Objects here are handles, which several threads may share. kern.h says what
// threads may do in each function.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_KERN_HPP
#define KERN_KERN_HPP

#include "kern/calls.hpp"
#include "kern/compile.h"
#include "kern/graphs.hpp"
#include "kern/memory.hpp"
#include "kern/native.h"
#include "kern/reflection.hpp"
#include "kern/sharded.hpp"
#include "kern/trace.hpp"

#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace kern {
// A namespace of its own keeps these names apart from the library's.
inline namespace api {

/// A ufunc or gufunc. Keeps its module alive. Its texts live as long as it.
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
  FunctionKind kind() const { return kern_function_get_kind(function); }
  /// The docstring; "" if it has none.
  std::string_view doc() const &KERN_LIFETIME_BOUND {
    return kern_function_doc(function);
  }
  std::string_view doc() const && = KERN_DELETE_DANGLING;
  /// The value V of `@associative(identity=V)` as the source has it; ""
  /// without.
  std::string_view identity() const &KERN_LIFETIME_BOUND {
    return kern_function_identity(function);
  }
  std::string_view identity() const && = KERN_DELETE_DANGLING;
  /// Loops are made for the types that calls have.
  bool isGeneric() const { return kern_function_is_generic(function) != 0; }
  /// Parameters in order, then results.
  std::vector<Operand> operands() const &KERN_LIFETIME_BOUND {
    return detail::operandsOf(function);
  }
  std::vector<Operand> operands() const && = KERN_DELETE_DANGLING;
  /// The loops that the source or the compiled file lists: the types of all
  /// operands. KERN_ANY_DTYPE is a `dim`, or what a generic function takes as a
  /// weak number.
  std::vector<std::vector<int>> loops() const {
    return detail::loopsOf(function);
  }

  /// Calls with NumPy's rules for types and shapes. kern::Argument says what an
  /// argument can be.
  template <typename... Arguments>
    requires(!detail::isSharded<Arguments> && ...)
  Call operator()(
      Arguments &&...arguments KERN_LIFETIME_BOUND) const &KERN_LIFETIME_BOUND {
    return make(nullptr, Call::Way::Call,
                std::forward<Arguments>(arguments)...);
  }
  template <typename... Arguments>
    requires(!detail::isSharded<Arguments> && ...)
  Call operator()(Arguments &&...arguments KERN_LIFETIME_BOUND) const && {
    return make(module, Call::Way::Call, std::forward<Arguments>(arguments)...);
  }
  /// The same over arrays in parts on several GPUs, with numbers and whole
  /// arrays beside them.
  template <typename... Arguments>
    requires(detail::isSharded<Arguments> || ...)
  ShardedCall operator()(Arguments &&...arguments KERN_LIFETIME_BOUND) const {
    return overParts(std::forward<Arguments>(arguments)...);
  }
  /// The same where no argument is in parts: `overParts(1.0f).into(parts)`.
  template <typename... Arguments>
  ShardedCall overParts(Arguments &&...arguments KERN_LIFETIME_BOUND) const {
    std::vector<ShardedArgument> given;
    if constexpr ((detail::requireBesideParts<Arguments>() && ...)) {
      given.reserve(sizeof...(Arguments));
      (given.emplace_back(std::forward<Arguments>(arguments)), ...);
    }
    return ShardedCall(function, module, std::move(given));
  }
  /// The same for a number of arguments that is only known at run time.
  Call call(std::vector<Argument> arguments) const &KERN_LIFETIME_BOUND {
    return Call(function, nullptr, std::move(arguments));
  }
  Call call(std::vector<Argument> arguments) const && {
    return Call(function, module, std::move(arguments));
  }
  /// Refuses, in one message, a list in braces: its elements cannot be moved.
  template <typename A = Argument>
  Call call(std::initializer_list<std::type_identity_t<A>>) const {
    static_assert(detail::never<A>,
                  "kern: a list in braces cannot be moved from; call f(x, y), "
                  "or pass a std::vector<kern::Argument>");
    return Call(function, nullptr, std::vector<Argument>());
  }

  // NumPy's methods of ufuncs (kern/methods.h). `axis`, `dtype`, `on`, `stream`
  // and `report` of a Call are for all of them.

  /// Combines elements along axes, the first if the call says nothing:
  /// `add.reduce(x).axis({0, 1}).keepdims()`, `.initial(1)`, `.where(mask)`.
  template <typename A>
    requires(!detail::isSharded<A>)
  Call reduce(A &&array KERN_LIFETIME_BOUND) const {
    return method(Call::Way::Reduce, std::forward<A>(array));
  }
  /// The same of an array in parts (kern_sharded_reduce()): `axis`, `allAxes`,
  /// `keepdims`, `initial`, `where` and `dtype`.
  ShardedReduction reduce(const Sharded &array KERN_LIFETIME_BOUND) const {
    return ShardedReduction(function, module, array);
  }
  /// The results of reduce() over the first 1, 2, … elements along an axis.
  template <typename A> Call accumulate(A &&array KERN_LIFETIME_BOUND) const {
    return method(Call::Way::Accumulate, std::forward<A>(array));
  }
  /// reduce() over pieces of an axis, which begin at `indices`.
  template <typename A, typename I>
  Call reduceat(A &&array KERN_LIFETIME_BOUND,
                I &&indices KERN_LIFETIME_BOUND) const {
    return method(Call::Way::Reduceat, std::forward<A>(array),
                  std::forward<I>(indices));
  }
  /// array[indices] = f(array[indices], operand), index by index:
  /// `add.at(bins, numbers, 1).run()`. Indices for each axis of the array, as
  /// many as wanted, then the operand if the function has two parameters.
  template <typename A, typename... More>
    requires(sizeof...(More) >= 1)
  Call at(A &&array KERN_LIFETIME_BOUND,
          More &&...more KERN_LIFETIME_BOUND) const {
    if constexpr (detail::requireOutput<A>())
      return method(Call::Way::At, array, std::forward<More>(more)...);
    else
      return Call(function, nullptr, std::vector<Argument>()); // refused
  }
  /// f(a[i, …], b[j, …]) for all pairs.
  template <typename A, typename B>
  Call outer(A &&a KERN_LIFETIME_BOUND, B &&b KERN_LIFETIME_BOUND) const {
    return method(Call::Way::Outer, std::forward<A>(a), std::forward<B>(b));
  }

private:
  friend class Module;
  template <typename... Arguments>
  Call method(Call::Way way, Arguments &&...arguments) const {
    return make(module, way, std::forward<Arguments>(arguments)...);
  }
  Function(std::shared_ptr<kern_module> owner, kern_function *handle)
      : module(std::move(owner)), function(handle) {}
  template <typename... Arguments>
  Call make(std::shared_ptr<kern_module> owner, Call::Way way,
            Arguments &&...arguments) const {
    if constexpr ((detail::requireArgument<Arguments>() && ...))
      return Call(function, std::move(owner), way,
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
  /// Compiles source text. `fileName` appears in messages; `checks` are bits of
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
  /// The same for a text in memory.
  static Module loadText(std::string_view ptx) {
    kern_module *made = nullptr;
    detail::check(kern_load_text(ptx.data(), ptx.size(), &made));
    return Module(made);
  }

  /// Uses the code of an object file that is linked into the program. `code`
  /// must outlive the module (kern/native.h); no compiler is needed.
  static Module load(const kern_native_code &code) {
    kern_module *made = nullptr;
    detail::check(kern_load_native(&code, &made));
    return Module(made);
  }
  static Module load(const kern_native_code &&) = KERN_DELETE_DANGLING;

  /// Throws if there is no such function; the message has the nearest name.
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
  /// Functions, signatures, loops and kernels as JSON. Lives as long as the
  /// module.
  std::string_view manifest() const &KERN_LIFETIME_BOUND {
    return kern_module_manifest(module.get());
  }
  std::string_view manifest() const && = KERN_DELETE_DANGLING;
  /// The text that was compiled; "" of a compiled file and of linked code.
  std::string_view source() const &KERN_LIFETIME_BOUND {
    return kern_module_source(module.get());
  }
  std::string_view source() const && = KERN_DELETE_DANGLING;
  /// 32 hexadecimal digits, the same for the same content.
  std::string_view hash() const &KERN_LIFETIME_BOUND {
    return kern_module_hash(module.get());
  }
  std::string_view hash() const && = KERN_DELETE_DANGLING;

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
