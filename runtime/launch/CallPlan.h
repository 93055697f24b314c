//===- CallPlan.h - a call, planned, to be made again -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a call once everything that its key decides (CallKey.h) has
// been decided: where each operand's address or value comes from, how the
// arrays must lie to one another, the new results to make, and one launch;
// none (without a kernel) where there is nothing to compute.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/space/Space.h"
#include "runtime/transfer/Array.h"

#include <array>

namespace kern {

/// What a call gives its plan: the addresses of arrays (of the element at
/// index 0, 0, …) and the bits of numbers, by operand.
struct CallOperands {
  static constexpr size_t most = 64;
  std::array<std::byte *, most> addresses;
  std::array<Value, most> values;
};

class CallPlan {
public:
  /// Where an operand comes from.
  struct Operand {
    enum class Source : uint8_t {
      Input,     ///< an array among the inputs
      Number,    ///< a number among the inputs
      Element,   ///< a host array of one element, passed by value
      Output,    ///< an array among the outputs
      NewResult, ///< memory that the call makes
      Mask,      ///< the array `where`
    };
    Source source = Source::Input;
    size_t index = 0;      ///< among the inputs or outputs of the call
    ArgType type;          ///< of the argument; of a number, how it is given
    DType to = DType::F64; ///< the loop's
    int64_t offset = 0;    ///< from its address to the first element visited
    /// The bytes that the array covers, counted from its address.
    int64_t low = 0, high = 0;
    uint64_t addressMask = 0, lowBits = 0; ///< (CallKey.h)
    uint8_t integerClass = 0;              ///< of a weak integer (CallKey.h)

    bool isGiven() const {
      return source == Source::Input || source == Source::Output ||
             source == Source::Mask;
    }
    bool isValue() const {
      return source == Source::Number || source == Source::Element;
    }
  };
  /// How two given arrays must lie, one of which is written: apart, or exactly
  /// `distance` bytes from the first to the second.
  struct Relation {
    size_t first = 0, second = 0;
    bool isApart = true;
    int64_t distance = 0;
  };
  /// A result to be made, with byte strides.
  struct NewResult {
    size_t operand = 0;
    StridedView view;
    size_t bytes = 0;
    bool isCleared = false; ///< before the launch
  };

  std::string function; ///< its name
  std::vector<Operand> operands;
  std::vector<Relation> relations;
  std::vector<NewResult> newResults;
  FrozenLaunch launch;
  bool isEmpty() const { return launch.kernel == nullptr; }
  std::shared_ptr<cuda::Context> context; ///< NULL: the host

  /// Takes what the plan needs from the arguments of a call with its key.
  void gather(const kern_value *inputs, const DLTensor *const *outputs,
              const DLTensor *where, CallOperands &given) const;
  /// Where two arrays do not lie to one another as they did when the call was
  /// planned; NULL if all do.
  const Relation *brokenBy(const CallOperands &given) const;
  /// A number for operand `k`, from the bits of its own type.
  Value numberAs(size_t k, const void *bits) const;
  /// Makes the call. `given` must fit; the addresses of new results are filled
  /// in. `results` has room for each of `newResults`, in order.
  /// `report` may be NULL.
  Status run(CallOperands &given, CUstream stream,
             std::span<ManagedArray> results, kern_call_report *report) const;

private:
  /// Returns the number of threads.
  Expected<unsigned> launchOnHost(CallOperands &given) const;
  Status launchOnGpu(const CallOperands &given, CUstream stream) const;
};

} // namespace kern
