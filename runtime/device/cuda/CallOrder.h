//===- CallOrder.h - the order of calls on several streams ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Captures.h"

namespace kern::runtime::cuda {

/// One call on a stream, as long as it enqueues. It comes after what other
/// streams do with the arrays that it uses, if their memory is Kern's. While it
/// lives, this thread knows that the stream is there.
class CallOrder {
public:
  CallOrder(Context &context, CUstream stream)
      : context(context), stream(stream), isAlone(isAloneNow()) {
    if (!isAlone)
      enter();
  }
  ~CallOrder() {
    if (!isAlone || !isAloneNow())
      leave();
  }
  CallOrder(const CallOrder &) = delete;
  CallOrder &operator=(const CallOrder &) = delete;

  /// KERN_ERROR_DEVICE if the driver could not be asked about the stream.
  Status begin() { return isAlone ? Status() : beginBesides(); }
  /// Whether use() does anything.
  bool isNeeded() const { return known || recorded; }
  /// An array that the call reads, or also writes; before anything of the call
  /// is enqueued.
  Status use(const std::byte *address, bool isWritten);

  /// Whether this thread is in a call on that stream, which lives then. Not
  /// known of a stream that is alone.
  static bool isCalling(const Context &context, CUstream stream);
  /// This thread's call on that stream has made an allocation.
  static void noteAllocation(Context &context, Region &region, CUstream stream);

private:
  /// Nothing is to be noted: all calls are on this stream, which surely lives.
  bool isAloneNow() const {
    return context.streams().isSurelyOnly(stream) &&
           !context.captures().areAny();
  }
  void enter();
  void leave();
  Status beginBesides();

  Context &context;
  CUstream stream;
  const bool isAlone; ///< when the call began
  bool isOnly = true; ///< likewise, of a stream that may have ended
  CallOrder *outer = nullptr;
  KnownStream *known = nullptr; ///< what arrays are used on, if that is noted
  StreamTable::Stream owner;    ///< of one that may end meanwhile
  std::shared_ptr<Capture> recorded; ///< the graph that the call is for
  bool hasUsed = false;              ///< memory of Kern's
};

} // namespace kern::runtime::cuda
