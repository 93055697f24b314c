//===- Manifest.h - what a compiled file holds -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The manifest is the interface between compiler and runtime: functions, their
// signatures, their loops, and the kernels of each loop. In a PTX file it is
// JSON in comment lines before the code.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/array/DType.h"
#include "runtime/artefact/KernelFacts.h"
#include "runtime/artefact/Nest.h"
#include "runtime/error/Expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace kern::runtime {

/// As a signature writes it: "n - k + 1".
std::string text(const DimExpr &);

/// The number that stands for an argument that is not given.
struct DefaultArgument {
  ArgType type;     ///< usually weak
  Value value = {}; ///< in `type.carrier()`
  std::string text; ///< as in the source: "pi / 2"
};

/// One parameter or result.
struct OperandInfo {
  std::string name;
  std::vector<DimExpr> core; ///< core dimensions; empty: a scalar
  bool isInout = false;
  bool isDim = false;     ///< a `dim` parameter: one non-negative integer
  bool isGeneric = false; ///< takes the type of its argument
  std::string type;       ///< as written in the header: "T", "f32", "" if none
  std::optional<DefaultArgument> defaultArgument = std::nullopt;
};

/// Memory that a kernel's local arrays need, beside its operands.
struct ScratchInfo {
  DimExpr bytes;          ///< a multiple of 16
  bool isPerLane = false; ///< of each thread, not of each loop element
  /// One for each slice of a loop element, and one more.
  bool isPerSlice = false;
  bool isCleared = false; ///< 0 at first
};

/// A kernel of a loop. One record, since it is one object of the JSON.
struct KernelInfo {
  Form form = Form::Contiguous;
  /// Valid only for calls in which no written operand overlaps another operand.
  bool disjoint = false;
  std::string symbol;
  /// GPU, of a gufunc. With the form General, and with `flat` alone with the
  /// forms of ufuncs.
  Mapping mapping = {};
  /// Of a sliced kernel: the launches of a call, and how many of them, the
  /// first, run in slices.
  unsigned launches = 1, slicedLaunches = 0;
  unsigned block = 0; ///< threads per block the kernel was made for
  /// Per thread (contiguous, strided), of a chunk (inner), of a tile's side
  /// (tiled); host, general form: loop elements that run at once.
  unsigned elements = 1;
  unsigned rows = 1;      ///< rows per thread (inner form)
  unsigned alignment = 1; ///< bytes to which contiguous arrays must be aligned
  /// GPU: the kernel itself waits for its predecessor in the stream, so that it
  /// may be launched while that one still runs.
  bool waits = false;
  /// GPU, general form, flat: a word to divide by each range follows those of
  /// the ranges.
  bool hasDivisors = false;
  /// Host, general form: a call runs a part of a loop element's iterations. Two
  /// words after those of the dimensions say which, and how many there are.
  bool inParts = false;
  /// Host: estimated picoseconds of one core for one loop element; in the
  /// general form for each index of its dimensions. 0: unknown.
  unsigned work = 0;
  /// General form: the extents of the loops that a group of threads shares.
  /// Empty: one thread for each loop element.
  std::vector<DimExpr> sharedExtents;
  /// Dimensions that must be at least 1: they are reduced by `min`, `argmax` ….
  std::vector<DimExpr> nonEmpty;
  /// Extents that constant indices and slices need.
  std::vector<LeastExtent> leastExtents;
  /// General form: memory for local arrays, in the order of its words.
  std::vector<ScratchInfo> scratch;
  /// By number. If there are any, the last word is the address of a record.
  std::vector<CheckInfo> checks;
};

/// One typed implementation. `inputs` has one entry for each parameter that is
/// not a `dim`, in order; for a generic function they may be weak.
struct LoopInfo {
  std::vector<ArgType> inputs;
  std::vector<DType> outputs;
  std::vector<KernelInfo> kernels; ///< empty: known, but not compiled
  /// Of a gufunc that was compiled for a GPU.
  Nest nest = {};
  /// For each weak integer among `inputs` the integer types that its value
  /// converts to and must fit. Empty, or as long as `inputs`; not in the JSON,
  /// since compiled files have no loops for weak arguments.
  std::vector<DTypeSet> meets = {};
};
/// "f32(f32, f32)".
std::string text(const LoopInfo &);

enum class FunctionKind : uint8_t { Ufunc, Gufunc };

struct FunctionInfo {
  std::string name;
  FunctionKind kind = FunctionKind::Ufunc;
  std::string doc;
  std::string identity; ///< of `@associative`, as in the source; "" without
  std::vector<OperandInfo> parameters;
  std::vector<OperandInfo> results;
  std::vector<std::string> dims; ///< core dimensions and `dim`s, in order
  /// Those of `dims` that an array may lack (`m?`); they are 1 then.
  std::vector<std::string> optionalDims;
  /// True when some parameter is generic: loops are made on demand, and
  /// `loops` lists those that were made ahead of time.
  bool isGeneric = false;
  std::vector<LoopInfo> loops;

  /// Whether a core dimension is an optional one.
  bool isOptional(const DimExpr &) const;
  /// NumPy's form: "(m?,k),(k,n?)->(m?,n?)"; "(),()->()" for a ufunc.
  std::string coreSignature() const;
};

/// What runs a kernel.
enum class TargetKind : uint8_t { Host, Cuda };
/// In manifests and options: "host" or "nvptx".
std::string_view name(TargetKind);

struct TargetInfo {
  std::optional<TargetKind> kind; ///< nothing: kernels are made on demand
  std::string arch;               ///< "sm_90"; the CPU's name
  /// The kind's name; "" without one.
  std::string_view kindName() const { return kind ? name(*kind) : ""; }
};

struct Manifest {
  std::string compiler; ///< kern_version()
  std::string source;   ///< the file's name, for messages
  TargetInfo target;
  std::vector<FunctionInfo> functions;

  const FunctionInfo *find(std::string_view name) const;
};

/// The words of a check record that a launch passes, and those that libraries
/// passed that read only version 1 of the manifest.
inline constexpr unsigned maxRecordWords = 32, firstRecordWords = 8;
/// The largest number of words that a kernel's checks write; 0 without checks.
unsigned recordWords(const KernelInfo &, const FunctionInfo &);

/// The newest version of a manifest that this library reads.
inline constexpr int newestManifestVersion = 4;
/// The version that a manifest is written in, the first one that has all of it:
/// 4 where some kernel needs extents that an older library would not check; 3
/// where some kernel has a mapping or goes in parts, whose words an older
/// library would not give it; 2 where some kernel writes more than
/// `firstRecordWords`, which an older library would let it write beyond the
/// record's end; else 1.
int versionOf(const Manifest &);

/// JSON in ASCII, on one line.
std::string toJson(const Manifest &);
/// Every malformed text is an error (KERN_ERROR_ARTEFACT), never a crash. So is
/// a text of a newer version, and a kernel that needs a larger check record
/// than this library gives.
Expected<Manifest> manifestFromJson(std::string_view);

/// PTX after its manifest, which is in comment lines that ptxas ignores.
std::string embedManifest(const Manifest &, std::string_view ptx);
/// Reads the manifest of a PTX text. Text without one is an error that says
/// how to make a file that has one.
Expected<Manifest> extractManifest(std::string_view ptx);

} // namespace kern::runtime
