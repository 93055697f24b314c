//===- HostKernel.h - a kernel of the Loop dialect, run ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/host/Linker.h"
#include "dialects/LoopToLLVM/Entry.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kern::test {

/// A loop.kernel from MLIR text, compiled for the host. A failure of any step
/// fails the test that makes it.
class HostKernel {
public:
  explicit HostKernel(std::string_view mlir);
  /// Calls `symbol` with words as docs/explanation/kernel-abi.md says.
  void run(std::string_view symbol, std::vector<int64_t> words);

  /// One operand of a ufunc: where it is, and the bytes of an element.
  struct Run {
    void *data;
    size_t itemSize;
  };
  template <typename T> static Run runOf(std::vector<T> &data) {
    return {data.data(), sizeof(T)};
  }
  /// Calls the contiguous form of a ufunc `f` for `count` elements, the last of
  /// which are padded to a block as the runtime does; results come last.
  void map(std::string_view f, int64_t count, std::vector<Run> operands,
           size_t results = 1);
  /// Elements of a block of `symbol`.
  int64_t elementsOf(std::string_view symbol) const;

private:
  std::shared_ptr<compiler::host::Code> code;
  std::vector<ir::loop::Entry> entries;
};

/// A pointer as a word.
template <typename T> int64_t word(const T *pointer) {
  return reinterpret_cast<int64_t>(pointer);
}

/// A gufunc with one array input of `element`, the dimension n, and one scalar
/// output of `result`: the reduction of kind `kind` over the array.
std::string reductionOf(std::string_view kind, std::string_view element,
                        std::string_view result);

} // namespace kern::test
