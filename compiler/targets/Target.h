//===- Target.h - what code is made for -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is a folder beside this file: an implementation of Target, its name
// in KERN_TARGETS (compiler/targets/CMakeLists.txt), and its rows in Stages.h.
// compiler/pipeline calls what is declared here in the order in which it is
// declared; compiler/driver knows targets by this interface alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "compiler/targets/Stages.h"
#include "runtime/code/CodeSource.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <span>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kern {

/// Which kernels to make of each function of a module.
struct KernelRequest {
  /// The one kernel to make; if there is none, those of a compiled file. One
  /// with checks is made in the strided form where another is wanted that may
  /// compute elements that are none.
  std::optional<KernelVariant> variant = std::nullopt;
  /// Without `variant`: every form that there is, not only contiguous and
  /// strided.
  bool allForms = false;
};

/// What an object file for a linker says of itself.
struct ObjectDescription {
  std::string symbol;               ///< of its kern_native_code
  std::string manifest;             ///< of its kernels, as JSON
  std::vector<std::string> kernels; ///< their symbols
};

struct CodegenOptions {
  /// Of the target: "sm_90", "x86-64-v3". "" for a CPU is this machine's.
  std::string arch = {};
  /// Forbids the contraction of `a * b + c`.
  bool isPrecise = false;
  /// Which part of a file this is: what code defines beside kernels is named
  /// by it, so that parts can be joined.
  unsigned part = 0;
  std::optional<ObjectDescription> object = {}; ///< of Stage::Object
  Timing *timing = nullptr; ///< gets the time of each step, if not NULL
};

/// What a target does with one module of LLVM IR. For one thread.
class Codegen {
public:
  virtual ~Codegen() = default;
  virtual llvm::TargetMachine &machine() = 0;
  /// Links what the module calls of the target's own library.
  virtual Status link(llvm::Module &) { return {}; }
  virtual void optimize(llvm::Module &module) = 0;
  /// The optimised module, which is consumed, as Assembly, Code or Object.
  virtual Expected<std::string> emit(llvm::Module &module, Stage stage) = 0;
};

/// Something of a module that is compiled by itself.
struct Part {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<KernelVariant> variant; ///< this form alone; else all
};

struct TargetFacts {
  llvm::StringLiteral name; ///< in manifests and in Stages.h
  /// The runtime's device that runs its code; nothing if no device does.
  std::optional<CodeTarget::Kind> device;
  /// The pass that makes entry points of kernels: "loop-to-gpu".
  llvm::StringLiteral lowering;
  /// Whether each loop element has one lane.
  bool isSequential;
  /// Whether kernels of ufuncs differ by KernelVariant::disjoint.
  bool tellsDisjoint;
  /// Whether code is PTX, which holds its manifest; else it is an object file.
  bool isText;
};

/// Stateless, and safe to use from several threads on different modules.
class Target {
public:
  explicit constexpr Target(TargetFacts facts) : facts(facts) {}
  virtual ~Target() = default;

  const TargetFacts facts;

  //===--------------------------------------------------------------------===//
  // Architectures
  //===--------------------------------------------------------------------===//

  /// The architecture whose code a device runs best: its own, or the nearest
  /// lower one that is known.
  virtual std::string archOf(CodeTarget device) const = 0;
  /// What files of a stage are made for where neither the user nor a device of
  /// this machine says it.
  virtual std::string defaultArch(Stage stage) const = 0;
  /// What code for an architecture relies on, by name. Code that is kept serves
  /// where all of it is the same.
  virtual std::vector<std::pair<std::string, std::string>>
  identity(llvm::StringRef arch) const = 0;

  //===--------------------------------------------------------------------===//
  // From kernels to code
  //===--------------------------------------------------------------------===//

  /// The variant whose code serves `wanted` as well.
  KernelVariant distinct(KernelVariant wanted) const {
    wanted.disjoint &= facts.tellsDisjoint && wanted.form != Form::General;
    return wanted;
  }
  /// The parts of a module of loop.kernels, which are moved out of it, in
  /// order; none if it is to be compiled as a whole.
  virtual std::vector<Part> split(mlir::ModuleOp, bool /*allForms*/) const {
    return {};
  }
  /// `facts.lowering`: makes entry points of the kernels of a module, which
  /// were distributed.
  virtual void lowerKernels(mlir::ModuleOp module, const KernelRequest &request,
                            llvm::StringRef arch) const = 0;
  /// The symbol of an elementary function ("exp") for "f32" or "f64"; "" if
  /// there is none. "fast." before a function asks for an approximation, where
  /// there is one.
  virtual llvm::StringRef functionSymbol(llvm::StringRef function,
                                         llvm::StringRef type) const = 0;
  /// The same for calls from Kern's own library.
  virtual llvm::StringRef librarySymbol(llvm::StringRef function,
                                        llvm::StringRef type) const {
    return functionSymbol(function, type);
  }
  /// KERN_ERROR_ARGUMENT for an architecture that there is not,
  /// KERN_ERROR_INTERNAL for other failures; of the Codegen as well.
  virtual Expected<std::unique_ptr<Codegen>>
  codegen(const CodegenOptions &options) const = 0;

  //===--------------------------------------------------------------------===//
  // With code
  //===--------------------------------------------------------------------===//

  /// The code of what split() made, in its order, as one.
  virtual std::string join(std::span<const std::string> codes) const;
  /// A compiled file: code with its manifest, if the two are one file.
  virtual std::string file(const Manifest &, std::string code) const {
    return code;
  }
  /// Makes code ready to run in this process, now or from a cache.
  /// KERN_ERROR_INTERNAL if it is no such code, KERN_ERROR_NOT_FOUND if it
  /// calls something that this process has not.
  virtual Expected<KernelCode>
  load(KernelInfo kernel, std::shared_ptr<const std::string> code) const = 0;
};

/// Those that Kern was built with. The first is what files are made for.
std::span<const Target *const> targets();
/// The target of a stage; NULL if there is none of that name.
const Target *findTarget(std::string_view name);
/// The target of a device's code.
const Target &targetOf(CodeTarget::Kind device);

} // namespace kern
