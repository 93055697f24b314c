//===- Call.h - a call of a function from Python ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Frameworks.h"
#include "Function.h"
#include "Options.h"
#include "Pool.h"

namespace kern::python {

/// One call, from its arguments to its results. It lives on the stack. Only the
/// array entries that the function needs are touched. One class, since its
/// steps share all of this, and a small call has no time to pass it on.
class Call {
public:
  explicit Call(FunctionObject &function)
      : function(function),
        arrays(size_t(function.inputCount) + function.outputCount),
        converted(function.inputCount), made(function.outputCount) {}

  /// As a vectorcall: the results, or NULL with an exception.
  PyObject *make(PyObject *const *arguments, size_t count, PyObject *keywords);
  /// Makes the call and says how (Explain.cpp).
  PyObject *explain(PyObject *const *arguments, size_t count,
                    PyObject *keywords);
  /// A kern.Prepared for such calls; nothing is run (Prepared.cpp).
  PyObject *prepare(PyObject *const *arguments, size_t count,
                    PyObject *keywords);

private:
  /// What explain() and prepare() begin with: reads a call that no other
  /// library makes.
  bool readOurs(PyObject *const *arguments, size_t count, PyObject *keywords,
                const char *method);
  bool sortOut(PyObject *const *arguments, size_t count, PyObject *keywords);
  bool takeKeyword(PyObject *name, PyObject *value, bool hasPositionalOut);
  bool takeOut(PyObject *value);
  bool hasOverride() const;

  bool read();
  bool readInput(size_t i);
  bool readNumber(PyObject *object, size_t i);
  bool readRange(PyObject *object, size_t i);
  bool readLargeInteger(size_t i);
  bool readScalar(PyObject *object, kern_value &value);
  bool readArray(PyObject *object, Framework &from, size_t i);
  bool readOutput(size_t i);
  /// Notes the device, type, size and framework of an array.
  bool noteTensor(const DLTensor &tensor, Framework &from);
  /// New results are arrays of the arguments' framework, which is not NumPy.
  bool meet(Framework &other);
  void note(uint64_t word);
  void noteStream(const ArrayRef &array) {
    if (array.stream && !options.hasStream)
      options.request.call.stream = array.stream;
  }

  bool placeCall();
  void dropNeedlessDtype();
  bool run();
  bool writeBack();
  /// There is so little work that the GIL is kept once the code is made.
  bool isSmall() const;
  static void *allocate(void *context, size_t result, const DLTensor *form);
  static int checkSignals(void *context, uint64_t done, uint64_t total);

  // To recognise the call later (CallLayout.cpp).
  bool isPlain() const;
  uint64_t layout() const;
  bool describe(KnownCall &call) const;
  void keepResult(size_t output, const DLTensor &form, void *data);
  void learn();

  PyObject *giveResults();
  PyObject *result(size_t i);
  PyObject *wrapped(size_t i, Reference array);

  FunctionObject &function;
  Options options;
  Framework *framework = &numpyFramework();
  kern_device device = {kDLCPU, 0};
  bool hasDeviceArray = false, hasSubclass = false, hasRange = false;
  uint64_t large = 0; ///< a bit for each integer beyond int64
  bool hadLarge = false;
  bool areArraysKept = false; ///< `out=...`: no scalars
  int64_t maxElements = 0;
  uint64_t warmKey = 1;           ///< of the types met (WarmCalls)
  PyThreadState *letGo = nullptr; ///< while the GIL is not held
  std::array<PyObject *, maxOperands> inputs, outputs; ///< borrowed
  std::array<kern_value, maxOperands> values;
  std::array<kern_range, maxOperands> ranges;
  std::array<const DLTensor *, maxOperands> tensors; ///< of `outputs`
  Pool<ArrayRef, 6> arrays; ///< of inputs, then of outputs
  Pool<Reference, 6> converted, made;
  std::unique_ptr<KnownCall> learnt;  ///< if the call is worth preparing
  Reference scope;                    ///< currentScope()
  kern_call_report *report = nullptr; ///< filled by run()
  Reference wrap; ///< the `__array_wrap__` for new results, if one is needed
};

} // namespace kern::python
