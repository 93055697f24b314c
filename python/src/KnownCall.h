//===- KnownCall.h - a call that is known by its layout ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Frameworks.h"
#include "kern/options.h"

#include <array>
#include <vector>

namespace kern::python {

struct FunctionObject;

/// The most parameters and results of one function.
constexpr size_t maxOperands = 64;

/// The arguments of a plain call: inputs by position, and `out`.
struct GivenCall {
  PyObject *const *inputs = nullptr;
  std::array<PyObject *, maxOperands> completed; ///< where defaults stand in
  std::array<PyObject *, maxOperands> outputs;   ///< NULL where there is none
  uint64_t mask = 0;                             ///< of those that there are
  PyObject *dtype = nullptr; ///< the option, borrowed; NULL if not given
  bool hasStream = false; ///< else the stream is the arrays' or their library's
  void *stream = nullptr;

  /// From a vectorcall; false if it is not plain.
  bool sortOut(const FunctionObject &function, PyObject *const *arguments,
               size_t count, PyObject *keywords);

  /// `count` arguments, and the defaults of the parameters after them; false if
  /// some have none.
  bool setInputs(const FunctionObject &function, PyObject *const *arguments,
                 size_t count);
  /// What `out` gives; false if that is not known here.
  bool setOutputs(PyObject *out, bool hasOutputs, size_t outputCount);
  void set(size_t output, PyObject *object) {
    outputs[output] = object == Py_None ? nullptr : object;
    mask |= uint64_t(object != Py_None) << output;
  }
};

/// The type and layout of one operand of a known call. One record, since a call
/// compares all of it at once.
struct KnownOperand {
  enum Kind : uint8_t {
    Numpy,   ///< an ndarray, not of a subclass
    Foreign, ///< an array of another framework
    Float,   ///< Python numbers
    Integer,
    Bool,
    Complex,
    Scalar, ///< of NumPy
    Range,
  };
  Kind kind = Numpy;
  bool isOutput = false;
  bool isWritten = false;
  bool isFixed = false;    ///< an integer whose value decides shapes
  bool hasStrides = false; ///< of another framework's array
  size_t index = 0;        ///< among the inputs or outputs
  uint32_t at = 0;         ///< of its shape, then its strides, in `extents`
  int rank = 0;
  PyArray_Descr *dtype = nullptr; ///< of an ndarray
  /// Of a NumPy scalar, or of another framework's arrays.
  PyTypeObject *type = nullptr;
  Framework *framework = nullptr;
  DLDataType element = {};
  DLDevice device = {kDLCPU, 0};
  int64_t value = 0;         ///< of a fixed integer
  PyObject *range = nullptr; ///< an equal one makes the same call
};

/// A result that a known call makes.
struct KnownResult {
  size_t output = 0;
  PyArray_Descr *dtype = nullptr; ///< of an ndarray
  DLTensor form = {};             ///< refers to the vectors
  std::vector<int64_t> shape, strides;
  std::vector<int64_t> byteStrides; ///< of an ndarray that is not in C order
};

/// A prepared call, and what identifies it. It keeps the types that it compares
/// with alive, so that no other type gets their addresses. One record, since a
/// call compares all of it at once.
struct KnownCall {
  KnownCall() = default;
  KnownCall(const KnownCall &) = delete;
  KnownCall &operator=(const KnownCall &) = delete;
  /// Requires the GIL.
  ~KnownCall();
  int traverse(visitproc visit, void *arg) const;
  /// Makes the call if the arguments match: `result` is then its result, or
  /// NULL with an exception. False if they do not match.
  bool make(const FunctionObject &function, const GivenCall &given,
            PyObject *&result) const;
  /// Whether types, shapes, strides and devices match. What then may still not
  /// fit is an alignment, an overlap or the range of an integer.
  bool matches(const FunctionObject &function, const GivenCall &given) const;

  uint64_t given = 0;        ///< a bit for each output that the caller passes
  PyObject *dtype = nullptr; ///< the option's very object
  bool keepsGil = true;
  bool isForeign = false; ///< an operand or a result is
  bool isOnDevice = false;
  int threads = 0; ///< kern_get_num_threads() when it was prepared
  DLDevice device = {kDLCPU, 0};
  Framework *framework = nullptr;     ///< of results
  std::vector<KnownOperand> operands; ///< inputs, then given outputs
  std::vector<int64_t> extents;
  std::vector<KnownResult> results;
  kern_prepared *prepared = nullptr;
};

} // namespace kern::python
