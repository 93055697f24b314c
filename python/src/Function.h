//===- Function.h - the Python type kern.Function ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "KnownCalls.h"
#include "Numpy.h"
#include "kern/options.h"

#include <array>
#include <atomic>

namespace kern::python {

/// The types of calls whose code has been made: a small call with these types
/// keeps the GIL. A forgotten entry only costs a release of the GIL.
class WarmCalls {
public:
  bool contains(uint64_t key) const {
    return keys[key % keys.size()].load(std::memory_order_relaxed) == key;
  }
  void add(uint64_t key) {
    keys[key % keys.size()].store(key, std::memory_order_relaxed);
  }

private:
  std::array<std::atomic<uint64_t>, 8> keys = {};
};

/// kern.Function: a function of a module. Immutable except for its `__dict__`.
/// One record, since CPython lays an object out as one.
struct FunctionObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  kern_function *function;
  PyObject *module;     ///< keeps `function` alive
  PyObject *parameters; ///< a tuple of interned names
  PyObject *defaults;   ///< a tuple of their numbers; None where there is none
  PyObject *name;
  PyObject *alias; ///< made when first asked for (aliasOf)
  PyObject *dict;
  PyObject *weakReferences;
  uint16_t inputCount, outputCount;
  bool isGufunc;
  uint16_t leastCount; ///< of arguments: the others have defaults
  uint64_t inouts;     ///< a bit for each parameter that is written
  uint64_t dims;       ///< a bit for each `dim` parameter
  /// A bit for each parameter that has the name of an option of calls.
  uint64_t positionalOnly;
  bool isBound; ///< calls on host arrays run on `device` if not told
  kern_device device;
  WarmCalls warm;
  KnownCalls known;
};

/// The type; NULL with an exception. Made once, by the module's import.
PyObject *makeFunctionType();
PyTypeObject *functionType();

/// The parameter that an argument named `name` is for; -1 if there is none.
Py_ssize_t parameterNamed(const FunctionObject &function, PyObject *name);

/// A new function. `parameters` is a tuple of strings, `inouts` and `dims` as
/// above.
PyObject *makeFunction(kern_function *function, PyObject *module,
                       PyObject *parameters, bool isGufunc, uint64_t inouts,
                       uint64_t dims);

/// The function with a device for calls on host arrays that name none. A new
/// reference; NULL with an exception.
PyObject *boundTo(FunctionObject &function, kern_device device);

/// The function under the name "module.name": for libraries that look functions
/// up by name and would mistake ours for their own `add`. Borrowed; NULL with
/// an exception.
PyObject *aliasOf(FunctionObject &function);

/// Makes a call: the vectorcall of the type (Call.cpp).
PyObject *call(PyObject *self, PyObject *const *arguments, size_t flags,
               PyObject *keywords);

/// The methods `explain` (Explain.cpp) and `prepare` (Prepared.cpp), with the
/// arguments of a call.
PyObject *explain(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                  PyObject *keywords);
PyObject *prepare(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                  PyObject *keywords);

/// The type kern.Prepared; NULL with an exception. Made once.
PyObject *makePreparedType();

} // namespace kern::python
