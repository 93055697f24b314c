//===- CallOrder.h - the order of calls on several streams ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime::cuda {

class Capture;

/// One call on a stream, as long as it enqueues. It comes after what other
/// streams do with the arrays that it uses, if their memory is Kern's. While it
/// lives, this thread knows that the stream is there.
class CallOrder {
public:
  CallOrder(Context &context, CUstream stream);
  ~CallOrder();
  CallOrder(const CallOrder &) = delete;
  CallOrder &operator=(const CallOrder &) = delete;

  /// KERN_ERROR_DEVICE if the driver could not be asked about the stream.
  Status begin();
  /// Whether use() does anything.
  bool isNeeded() const { return known || recorded; }
  /// An array that the call reads, or also writes; before anything of the call
  /// is enqueued.
  Status use(const std::byte *address, bool isWritten);

  /// The stream of this thread's innermost call on the context, which lives.
  /// False if it is another one, or if there is none.
  static bool isCalling(const Context &context, CUstream stream);
  /// This thread's call on that stream has made an allocation.
  static void noteAllocation(Context &context, Region &region, CUstream stream);

private:
  Context &context;
  CUstream stream;
  CallOrder *outer;
  bool isOnly = true; ///< when the call began
  StreamTable::Stream known;
  std::shared_ptr<Capture> recorded; ///< the graph that the call is for
  bool hasUsed = false;              ///< memory of Kern's
};

} // namespace kern::runtime::cuda
