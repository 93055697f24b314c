//===- CodeSource.h - where kernels' code comes from ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface through which the runtime asks for the code of a kernel. A
// compiled file looks it up in its manifest; the JIT compiles it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/KernelVariant.h"
#include "runtime/artefact/Manifest.h"
#include "runtime/code/MethodGufunc.h"

#include <memory>
#include <span>

namespace kern::runtime {

/// The target of a kernel's code.
struct CodeTarget {
  using Kind = TargetKind;
  Kind kind = Kind::Host;
  int computeCapability = 0; ///< 90 for sm_90; Cuda only
  auto operator<=>(const CodeTarget &) const = default;
};

/// `void kernel(const int64_t *words)`; docs/explanation/kernel-abi.md.
using HostEntry = void (*)(const int64_t *words);

/// Code of one kernel on one target. Immutable and shared.
struct KernelCode {
  KernelInfo kernel;
  /// Cuda: PTX text with the kernel's symbol (zero-terminated), and perhaps
  /// others.
  std::shared_ptr<const std::string> ptx;
  /// Host: its entry point, and the compiler's object file with it, or NULL if
  /// there is none.
  HostEntry entry = nullptr;
  std::shared_ptr<const std::string> object;
  /// Keeps the memory behind `entry` alive.
  std::shared_ptr<void> keepAlive;
};

/// Thread-safe. Two threads that ask for the same code at once get the same
/// kernel.
class CodeSource {
public:
  virtual ~CodeSource() = default;
  /// Functions and signatures. `loops` of a function lists the declared loops,
  /// whether or not code for them exists yet.
  virtual const Manifest &manifest() const = 0;
  /// The text that is compiled; "" if the code was made before. Lives as long
  /// as this.
  virtual const char *originalText() const { return ""; }
  /// 32 hexadecimal digits of all that decides the code, but for the compiler.
  /// Lives as long as this.
  virtual const char *digest() const = 0;
  /// The loop of a generic function for exactly these argument types, one for
  /// each parameter that is not a `dim`. Ignore its `kernels`.
  virtual Expected<LoopInfo> specialise(const FunctionInfo &function,
                                        std::span<const ArgType> arguments) = 0;
  /// The compiler's warnings and remarks on the source, always the same object;
  /// NULL if there are none.
  virtual std::shared_ptr<const kern_diagnostics> diagnostics() const {
    return nullptr;
  }
  /// Whether kernels can be made that convert elements or read a mask.
  virtual bool makesVariants() const { return false; }
  /// The loops of a gufunc, for the choice of a mapping on a GPU. It is empty
  /// where nothing is known of them.
  virtual Expected<Nest> nest(const FunctionInfo & /*function*/,
                              const LoopInfo &loop) {
    return loop.nest;
  }
  /// A source whose last function is the gufunc of a method of `function`, a
  /// ufunc. Only a source that compiles has one.
  virtual Expected<std::shared_ptr<CodeSource>>
  method(const FunctionInfo &function, const MethodGufunc &wanted) {
    return Error(ErrorCode::method_without_source,
                 {name(wanted.method), function.name, manifest().source});
  }
  /// Code for a loop, which is one of `function.loops` or came from
  /// specialise(). A source that compiles gives exactly the kernel that is
  /// wanted; one with a fixed set gives the bestKernel() of them.
  virtual Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         const KernelVariant &wanted, CodeTarget target) = 0;
};

} // namespace kern::runtime
