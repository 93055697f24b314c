//===- Options.h - the keywords of a call -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Frameworks.h"
#include "Function.h"

#include <memory>
#include <vector>

namespace kern::python {

/// Whether a keyword asks for what holds without it: where=True, subok=True,
/// casting="same_kind", order="K".
bool asksNothing(const FunctionObject &function, PyObject *name,
                 PyObject *value);

/// Whether an object for `dtype` means the same whenever it is given: a class,
/// a numpy.dtype, or an interned text, as those in a program are.
bool isLasting(PyObject *dtype);

/// The keywords of a call that are neither arguments nor `out`, as the C
/// interface takes them.
class Options {
public:
  /// Takes one keyword: 1 if it is one of ours, 0 if not, -1 with an exception.
  int take(const FunctionObject &function, PyObject *name, PyObject *value);
  /// What the call asks for. The masks, axes and types that it points to live
  /// as long as this object.
  kern_call_request request = {};
  bool hasDevice() const { return request.call.has_device != 0; }
  bool hasStream = false;
  bool isPlain = true; ///< nothing was asked for, but perhaps a dtype
  PyObject *lastingDtype = nullptr; ///< of a plain call, borrowed
  bool isSubclassKept = true;       ///< `subok`
  /// The array `where`, read later with the other arrays; NULL if not given.
  PyObject *where = nullptr;

  /// Takes a device, a stream and a number of threads that the call itself does
  /// not name; None is nothing. False with an exception.
  bool takeScope(PyObject *device, PyObject *stream, PyObject *threads);

  /// Reads `where`; false with an exception.
  bool readMask();

private:
  struct Lists {
    std::vector<int64_t> axisIndices;
    kern_axes axis = {};
    std::vector<std::vector<int64_t>> axesIndices;
    std::vector<kern_axes> axes;
    std::vector<int> types;
    std::vector<int64_t> shape;
    ArrayRef mask;
    Reference maskObject;
  };
  Lists &lists();
  bool takeAxis(PyObject *value);
  bool takeAxes(PyObject *value);
  bool takeShape(PyObject *value);
  bool takeDtype(PyObject *value);
  bool takeSignature(const FunctionObject &function, PyObject *value);
  bool takeDevice(PyObject *value);
  bool takeStream(PyObject *value);
  bool takeThreads(PyObject *value);

  std::unique_ptr<Lists> made; ///< most calls have none
};

/// "cpu", "cuda", "cuda:1", or an object with `type` and `id`; false with an
/// exception.
bool readDevice(PyObject *object, kern_device &device);

} // namespace kern::python
