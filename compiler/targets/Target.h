//===- Target.h - the interface of targets ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is a folder beside this file: an implementation of Target, its name
// in KERN_TARGETS (compiler/targets/CMakeLists.txt), and its rows in Stages.h.
// compiler/pipeline calls these functions in the order of their declaration.
// compiler/driver knows targets only through this interface.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "compiler/library/Library.h"
#include "compiler/targets/Stages.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/LoopToHost/LoopToHost.h"
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

namespace kern::compiler {

/// Which kernels to make for each function of a module.
struct KernelRequest {
  /// The one kernel to make; if absent, those of a compiled file. A kernel with
  /// checks uses the strided form instead of one that may compute elements
  /// outside the arrays.
  std::optional<runtime::KernelVariant> variant = std::nullopt;
  /// Without `variant`: every form, not only contiguous and strided.
  bool allForms = false;
};

/// The description inside an object file.
struct ObjectDescription {
  std::string symbol;               ///< of its kern_native_code
  std::string manifest;             ///< of its kernels, as JSON
  std::vector<std::string> kernels; ///< their symbols
};

struct CodegenOptions {
  /// Of the target: "sm_90", "x86-64-v3". "" for a CPU is this machine's.
  std::string arch = {};
  /// Forbids contraction of `a * b + c`.
  bool isPrecise = false;
  /// Which part of a file this is. It distinguishes the names of what the code
  /// defines beside kernels, so that parts can be joined.
  unsigned part = 0;
  std::optional<ObjectDescription> object = {}; ///< for Stage::Object
  Timing *timing = nullptr; ///< receives the time of each step, if not null
};

/// Code generation for one module of LLVM IR. Not thread-safe.
class Codegen {
public:
  virtual ~Codegen() = default;
  virtual llvm::TargetMachine &machine() = 0;
  /// Links what the module needs from the target's own library.
  virtual runtime::Status link(llvm::Module &) { return {}; }
  virtual void optimize(llvm::Module &module) = 0;
  /// Emits the optimised module as Assembly, Code or Object and consumes it.
  virtual runtime::Expected<std::string> emit(llvm::Module &module,
                                              Stage stage) = 0;
};

/// A part of a module that is compiled separately.
struct Part {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<runtime::KernelVariant>
      variant; ///< only this form; otherwise all
};

struct TargetFacts {
  llvm::StringLiteral name; ///< in manifests and in Stages.h
  /// The runtime device that runs the code, if any.
  std::optional<runtime::CodeTarget::Kind> device;
  /// The pass that turns kernels into entry points: "loop-to-gpu".
  llvm::StringLiteral lowering;
  /// Whether each loop element has one lane.
  bool isSequential;
  /// Whether ufunc kernels differ by KernelVariant::disjoint.
  bool tellsDisjoint;
  /// Whether gufuncs have mappings.
  bool hasMappings;
  /// Whether code is PTX, which contains its manifest; otherwise an object
  /// file.
  bool isText;
};

/// Stateless. Threads may use it at the same time on different modules.
class Target {
public:
  explicit constexpr Target(TargetFacts facts) : facts(facts) {}
  virtual ~Target() = default;

  const TargetFacts facts;

  //===--------------------------------------------------------------------===//
  // Architectures
  //===--------------------------------------------------------------------===//

  /// Those that files can be made for.
  virtual std::vector<std::string> archs() const = 0;
  /// The best architecture for a device: its own, or the nearest known lower
  /// one.
  virtual std::string archOf(runtime::CodeTarget device) const = 0;
  /// Whether code for this device alone may use what PTX has for sm_90a, but
  /// not for later GPUs.
  virtual bool hasWarpgroups(runtime::CodeTarget) const { return false; }
  /// The halves that an architecture has an fma for.
  virtual ir::FmaOfHalves fmaOfHalves(llvm::StringRef) const { return {}; }
  /// The architecture for files of a stage if neither the user nor a device of
  /// this machine determines it.
  virtual std::string defaultArch(Stage stage) const = 0;
  /// What an architecture's code relies on, by name. Cached code is valid where
  /// all of it is the same.
  virtual std::vector<std::pair<std::string, std::string>>
  identity(llvm::StringRef arch) const = 0;

  //===--------------------------------------------------------------------===//
  // From kernels to code
  //===--------------------------------------------------------------------===//

  /// The variant whose kernel also serves `wanted`.
  runtime::KernelVariant distinct(runtime::KernelVariant wanted) const {
    wanted.disjoint &= facts.tellsDisjoint && !runtime::hasCores(wanted.form);
    if (!facts.hasMappings) {
      wanted.mapping = {};
      wanted.constants.clear();
      wanted.loopDims = runtime::maxKernelDims;
      wanted.groups = runtime::Groups::Any;
    }
    return wanted;
  }
  /// Moves the module's loop.kernels out into parts, in order. No parts if the
  /// module is to be compiled as a whole.
  virtual std::vector<Part> split(mlir::ModuleOp, bool /*allForms*/,
                                  llvm::StringRef /*arch*/) const {
    return {};
  }
  /// Maps the loops of all kernels, before they are distributed, where the
  /// target has one mapping for all calls.
  virtual void mapKernels(mlir::ModuleOp, const KernelRequest &) const {}
  /// The pass `facts.lowering`: turns a module's distributed kernels into entry
  /// points.
  virtual void lowerKernels(mlir::ModuleOp module, const KernelRequest &request,
                            llvm::StringRef arch) const = 0;
  /// How a CPU runs a kernel, which is not distributed and is left as
  /// it is.
  virtual ir::loop::VectorUse vectorUse(ir::loop::KernelOp) const { return {}; }
  /// The symbol of an elementary function of f32 or f64; "" if there is none.
  virtual llvm::StringRef
  functionSymbol(const library::ElementaryFunction &function) const = 0;
  /// The same for calls from Kern's own library.
  virtual llvm::StringRef
  librarySymbol(const library::ElementaryFunction &function) const {
    return functionSymbol(function);
  }
  /// KERN_ERROR_ARGUMENT for an unknown architecture, KERN_ERROR_INTERNAL for
  /// other failures. The Codegen's methods fail in the same way.
  virtual runtime::Expected<std::unique_ptr<Codegen>>
  codegen(const CodegenOptions &options) const = 0;

  //===--------------------------------------------------------------------===//
  // With code
  //===--------------------------------------------------------------------===//

  /// Joins the code of the parts of split(), in order.
  virtual std::string join(std::span<const std::string> codes) const;
  /// A compiled file: the code, with its manifest if both are in one file.
  virtual std::string file(const runtime::Manifest &, std::string code) const {
    return code;
  }
  /// Makes code, fresh or cached, ready to run in this process.
  /// KERN_ERROR_INTERNAL if the code is invalid, KERN_ERROR_NOT_FOUND if it
  /// calls a function that this process does not have.
  virtual runtime::Expected<runtime::KernelCode>
  load(runtime::KernelInfo kernel,
       std::shared_ptr<const std::string> code) const = 0;
};

/// The targets of this build. The first is the default for files.
std::span<const Target *const> targets();
/// The target of that name; null if there is none.
const Target *findTarget(std::string_view name);
/// The target for a device's code.
const Target &targetOf(runtime::CodeTarget::Kind device);

} // namespace kern::compiler
