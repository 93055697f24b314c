//===- CallPlan.h - a call, planned, to be made again -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call with everything decided that follows from its key (CallKey.h): where
// each operand's address or value comes from, how the arrays must overlap, the
// new results, and the launches of one kernel, which is missing if there is
// nothing to compute.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/CallOrder.h"
#include "runtime/launch/Bind.h"
#include "runtime/space/Space.h"
#include "runtime/trace/Trace.h"
#include "runtime/transfer/Array.h"

#include <array>

namespace kern::runtime {

/// What a call passes to its plan for each operand: an array's address (of the
/// element at index 0, 0, …) or a number's bits.
struct CallOperands {
  static constexpr size_t maxCount = 64;
  std::array<std::byte *, maxCount> addresses;
  std::array<Value, maxCount> values;
};

/// Where an operand of a planned call comes from. One record, since a call
/// reads all of it together.
struct PlannedOperand {
  enum class Source : uint8_t {
    Input,     ///< an array among the inputs
    Number,    ///< a number among the inputs
    Element,   ///< a host array of one element, passed by value
    Output,    ///< an array among the outputs
    NewResult, ///< memory that the call allocates
    Mask,      ///< the array `where`
    Range,     ///< a range among the inputs: its first number
  };
  Source source = Source::Input;
  size_t index = 0;      ///< among the inputs or outputs of the call
  ArgType type;          ///< of the argument, before conversion
  DType to = DType::F64; ///< the loop's
  int64_t offset = 0;    ///< from its address to the first element visited,
                         ///< or from a range's first number
  /// The bytes that the array covers, counted from its address.
  int64_t low = 0, high = 0;
  uint64_t addressMask = 0, lowBits = 0; ///< (CallKey.h)
  uint8_t integerClass = 0;              ///< of a weak integer (CallKey.h)
  bool isWritten = false;
  int64_t first = 0; ///< of a range, in the call that was planned

  bool isGiven() const {
    return source == Source::Input || source == Source::Output ||
           source == Source::Mask;
  }
  bool isValue() const {
    return source == Source::Number || source == Source::Element;
  }
};

/// How two given arrays must overlap, one of which is written: not at all, or
/// with exactly `distance` bytes from the first to the second.
struct OverlapRelation {
  size_t first = 0, second = 0;
  bool isDisjoint = true;
  int64_t distance = 0;
};

class CallPlan {
public:
  /// A result to be made, with byte strides.
  struct NewResult {
    size_t operand = 0;
    StridedView view;
    size_t bytes = 0;
    bool isCleared = false; ///< before the launch
  };

  /// The plan, or what prevents the call from being one launch.
  struct Attempt {
    std::shared_ptr<const CallPlan> plan;
    Obstacle obstacle; ///< where there is no plan
  };
  /// Decides everything about a call that can be decided before it runs. Fails
  /// as execute() does. Nothing runs. `context` is the GPU of `space`, or NULL.
  static Expected<Attempt> make(const BoundCall &call, Space &space,
                                std::shared_ptr<cuda::Context> context);

  std::string function; ///< its name
  std::vector<PlannedOperand> operands;
  std::vector<OverlapRelation> relations;
  std::vector<NewResult> newResults;
  LaunchTemplate launch;
  bool isEmpty() const { return !launch.kernel && !launch.product; }
  std::shared_ptr<cuda::Context> context; ///< NULL: the host

  /// Reads what the plan needs from the arguments of a call with the plan's
  /// key.
  void gather(const kern_value *inputs, const DLTensor *const *outputs,
              const DLTensor *where, CallOperands &given) const;
  /// Two arrays whose overlap differs from the planned call's; NULL if there
  /// are none.
  const OverlapRelation *brokenBy(const CallOperands &given) const;
  /// The value of a number for operand `k`, from the bits of its own type.
  Value numberAs(size_t k, const void *bits) const;
  /// Runs the call. `given` must fit the plan; the addresses of new results are
  /// filled in. `results` has room for each of `newResults`, in order; with an
  /// `allocator` they stay empty. `allocator` and `report` may be NULL.
  Status run(CallOperands &given, CUstream stream,
             const kern_allocator *allocator, std::span<ManagedArray> results,
             kern_call_report *report) const;

private:
  /// Allocates a new result's memory, and its array if the memory is ours.
  Expected<std::byte *> allocate(const NewResult &result, CUstream stream,
                                 const kern_allocator *allocator,
                                 ManagedArray &array) const;
  /// Orders the call after other streams' uses of its arrays.
  Status orderUses(cuda::CallOrder &order, const CallOperands &given) const;
  TraceLabel traceLabel(const char *step) const;
  /// Returns the number of threads.
  Expected<unsigned> launchOnHost(CallOperands &given) const;
  Status launchOnGpu(const CallOperands &given, CUstream stream) const;
  Status launchOnGpu(const LaunchTemplate &launch, const CallOperands &given,
                     CUstream stream) const;
};

} // namespace kern::runtime
