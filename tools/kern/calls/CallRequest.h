//===- CallRequest.h - what a call of kern run asks for ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/error/Expected.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// As kern_device_named().
runtime::Expected<kern_device> parseDevice(const std::string &name);

/// "bool", "i8", … "c128".
std::vector<std::string> dtypeNames();

/// A kern_call_request made from NumPy's options as text.
class CallRequest {
public:
  // KERN_ERROR_ARGUMENT says what the text should be.

  /// "1", "(0, 1)", or "all" for every axis.
  runtime::Status setAxis(std::string_view text);
  /// One entry for each operand: "(0, 1), (1, 2), 0".
  runtime::Status setAxes(std::string_view text);
  /// "f32".
  runtime::Status setDtype(std::string_view text);
  /// "no", "equiv", "safe", "same_kind" or "unsafe".
  runtime::Status setCasting(std::string_view text);
  /// "K", "C", "F" or "A".
  runtime::Status setOrder(std::string_view text);
  /// "10", "10,20" or "(10, 20)"; "()" has no dimensions.
  runtime::Status setShape(std::string_view text);
  /// `progress` must outlive this.
  void setProgress(const kern_progress *progress) {
    options.progress = progress;
  }
  void keepDimensions() { options.keepdims = 1; }
  /// `mask` must outlive this.
  void setWhere(const DLTensor *mask) { options.where = mask; }
  void setDevice(kern_device device) {
    options.call.has_device = 1;
    options.call.device = device;
  }

  /// Requests an explanation of how the call reaches its operands.
  void explain();
  /// The last call's explanation, each line after `indent`.
  std::string explanation(std::string_view indent) const;

  /// Valid as long as this lives and stays as it is.
  const kern_call_options *get();

private:
  kern_call_request options = {};
  std::string said;                       ///< the memory of the explanation
  std::deque<std::vector<int64_t>> lists; ///< the memory of axes and shape
  std::optional<kern_axes> axis;
  std::optional<std::vector<kern_axes>> axes;
};

} // namespace kern::cli
