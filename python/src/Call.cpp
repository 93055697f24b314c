//===- Call.cpp - a call of a function from Python ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a call: sort positional arguments and keywords, read the
// arguments, pass the call to another library's `__array_ufunc__` if there is
// one, make the call, and return its results. Everything is on the stack: users
// notice each nanosecond that a small call on NumPy arrays takes.
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Errors.h"
#include "Overrides.h"
#include "Scope.h"
#include "Types.h"
#include "Wrap.h"

#include <algorithm>
#include <cstring>

using namespace kern::python;

/// Calls of at most this many elements keep the GIL once their code is made:
/// releasing and reacquiring it would cost more than they do.
static constexpr int64_t smallCall = 1 << 12;

/// A function of its own, to keep the stack frame of the fast path small.
[[gnu::noinline]] static PyObject *callAnew(FunctionObject &function,
                                            PyObject *const *arguments,
                                            size_t count, PyObject *keywords) {
  return Call(function).make(arguments, count, keywords);
}

PyObject *kern::python::call(PyObject *self, PyObject *const *arguments,
                             size_t flags, PyObject *keywords) {
  auto &function = *reinterpret_cast<FunctionObject *>(self);
  const auto count = size_t(PyVectorcall_NARGS(flags));
  PyObject *result = nullptr;
  if (!currentScope() &&
      function.known.make(function, arguments, count, keywords, result))
    return result;
  return callAnew(function, arguments, count, keywords);
}

PyObject *Call::make(PyObject *const *arguments, size_t count,
                     PyObject *keywords) {
  if (!sortOut(arguments, count, keywords))
    return nullptr;
  if (hasOverride())
    return callOverride(function, arguments, count, keywords,
                        {inputs.data(), function.inputCount},
                        {outputs.data(), function.outputCount}, options.where);
  if (!read())
    return nullptr;
  scope = currentScope();
  if (!scope && isPlain() && function.known.wants(layout()))
    learnt = std::make_unique<KnownCall>();
  if (!run())
    return nullptr;
  if (learnt)
    learn();
  return giveResults();
}

bool Call::readOurs(PyObject *const *arguments, size_t count,
                    PyObject *keywords, const char *method) {
  if (!sortOut(arguments, count, keywords))
    return false;
  if (hasOverride()) {
    PyErr_Format(PyExc_TypeError,
                 "%s.%s() takes arrays of numbers, not objects whose library "
                 "makes the call",
                 kern_function_name(function.function), method);
    return false;
  }
  scope = currentScope();
  return read();
}

/*--- Positions and keywords -------------------------------------------------*/

static const char *nameOf(const FunctionObject &function) {
  return kern_function_name(function.function);
}

bool Call::sortOut(PyObject *const *arguments, size_t count,
                   PyObject *keywords) {
  size_t maxCount = size_t(function.inputCount) + function.outputCount;
  if (count > maxCount) {
    PyErr_Format(PyExc_TypeError,
                 "%s() takes from %d to %zu positional arguments but %zu were "
                 "given",
                 nameOf(function), int(function.leastCount), maxCount, count);
    return false;
  }
  size_t given = std::min<size_t>(count, function.inputCount);
  std::copy_n(arguments, given, inputs.begin());
  std::fill(inputs.begin() + given, inputs.begin() + function.inputCount,
            nullptr);
  std::fill_n(outputs.begin(), function.outputCount, nullptr);
  for (size_t i = function.inputCount; i < count; ++i) {
    if (arguments[i] == Py_Ellipsis) {
      PyErr_SetString(PyExc_TypeError,
                      "out=... is only allowed as a keyword argument.");
      return false;
    }
    if (arguments[i] != Py_None)
      outputs[i - function.inputCount] = arguments[i];
  }
  bool hasPositionalOut = count > function.inputCount;
  for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i)
    if (!takeKeyword(PyTuple_GET_ITEM(keywords, i),
                     arguments[count + size_t(i)], hasPositionalOut))
      return false;
  for (size_t i = given; i < function.inputCount; ++i) {
    if (inputs[i])
      continue;
    inputs[i] = PyTuple_GET_ITEM(function.defaults, Py_ssize_t(i));
    if (inputs[i] == Py_None) {
      PyErr_Format(PyExc_TypeError,
                   "%s() missing required argument %R (position %zu)",
                   nameOf(function),
                   PyTuple_GET_ITEM(function.parameters, Py_ssize_t(i)), i + 1);
      return false;
    }
  }
  return true;
}

/// Raises a TypeError for a name that neither a parameter nor an option has.
static void refuseKeyword(const FunctionObject &function, PyObject *name) {
  auto is = [&](const char *text) {
    return PyUnicode_CompareWithASCIIString(name, text) == 0;
  };
  const int isParameter = PySequence_Contains(function.parameters, name);
  if (isParameter < 0)
    return;
  PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument %R%s",
               nameOf(function), name,
               isParameter ? ": calls have an option of that name, so give "
                             "this argument by position"
               : !function.isGufunc && (is("axis") || is("axes"))
                   ? ": it is for gufuncs"
                   : "");
}

bool Call::takeKeyword(PyObject *name, PyObject *value, bool hasPositionalOut) {
  if (PyUnicode_CompareWithASCIIString(name, "out") == 0) {
    if (hasPositionalOut) {
      PyErr_SetString(PyExc_TypeError,
                      "cannot specify 'out' as both a positional and keyword "
                      "argument");
      return false;
    }
    return takeOut(value);
  }
  if (Py_ssize_t i = parameterNamed(function, name); i >= 0) {
    if (inputs[size_t(i)]) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument %R",
                   nameOf(function), name);
      return false;
    }
    inputs[size_t(i)] = value;
    return true;
  }
  int taken = options.take(function, name, value);
  if (taken == 0)
    refuseKeyword(function, name);
  return taken > 0;
}

bool Call::takeOut(PyObject *value) {
  if (!PyTuple_Check(value)) {
    if (value == Py_None)
      return true;
    if (value ==
        Py_Ellipsis) { // results are arrays, even those without dimensions
      areArraysKept = true;
      return true;
    }
    if (function.outputCount != 1) {
      PyErr_Format(PyExc_TypeError,
                   "'out' must be a tuple of %d arrays, one for each result",
                   int(function.outputCount));
      return false;
    }
    outputs[0] = value;
    return true;
  }
  if (PyTuple_GET_SIZE(value) != function.outputCount) {
    PyErr_SetString(PyExc_ValueError,
                    "The 'out' tuple must have exactly one entry per ufunc "
                    "output");
    return false;
  }
  for (Py_ssize_t i = 0; i < function.outputCount; ++i) {
    PyObject *item = PyTuple_GET_ITEM(value, i);
    if (item == Py_Ellipsis) {
      PyErr_SetString(PyExc_TypeError,
                      "must use `...` as `out=...` and not per-operand/in a "
                      "tuple");
      return false;
    }
    if (item != Py_None)
      outputs[size_t(i)] = item;
  }
  return true;
}

bool Call::hasOverride() const {
  auto wants = [](PyObject *object) {
    if (!object || PyArray_CheckExact(object) || PyFloat_CheckExact(object) ||
        PyLong_CheckExact(object))
      return false;
    ArgumentKind::Way way = kindOf(object).way;
    return way == ArgumentKind::Override || way == ArgumentKind::Refusing;
  };
  return std::any_of(inputs.begin(), inputs.begin() + function.inputCount,
                     wants) ||
         std::any_of(outputs.begin(), outputs.begin() + function.outputCount,
                     wants) ||
         wants(options.where);
}

/*--- The call ---------------------------------------------------------------*/

void *Call::allocate(void *context, size_t result, const DLTensor *form) {
  Call &call = *static_cast<Call *>(context);
  if (call.letGo)
    PyEval_RestoreThread(call.letGo);
  void *data = nullptr;
  call.made[result] = Reference(call.framework->allocate(*form, &data));
  // An array without elements may have no address.
  if (!data && call.made[result])
    data = reinterpret_cast<void *>(uintptr_t(64));
  if (data && call.learnt)
    call.keepResult(result, *form, data);
  if (call.letGo)
    call.letGo = PyEval_SaveThread();
  return data;
}

/// Lets Python handle signals after each piece of a long call on GPUs; Ctrl-C
/// ends it there.
int Call::checkSignals(void *context, uint64_t, uint64_t) {
  Call &call = *static_cast<Call *>(context);
  const bool hadLetGo = call.letGo != nullptr;
  if (hadLetGo)
    PyEval_RestoreThread(call.letGo);
  const int raised = PyErr_CheckSignals();
  if (hadLetGo)
    call.letGo = PyEval_SaveThread();
  return raised;
}

bool Call::isSmall() const { return maxElements <= smallCall; }

bool Call::placeCall() {
  kern_call_options &call = options.request.call;
  call.size = sizeof options.request;
  // A scope's device is for arrays on the host.
  if (scope &&
      !options.takeScope(
          hasDeviceArray ? Py_None : PyTuple_GET_ITEM(scope.get(), 0),
          PyTuple_GET_ITEM(scope.get(), 1), PyTuple_GET_ITEM(scope.get(), 2)))
    return false;
  if (function.isBound && !hasDeviceArray && !options.hasDevice()) {
    call.has_device = 1;
    call.device = function.device;
  }
  if (hasDeviceArray && !options.hasStream)
    return framework->currentStream(device, &call.stream);
  return true;
}

/// `dtype` has no effect where the results have that type anyway: a comparison
/// always gives bool, and the first loop that gives bool may round the
/// arguments.
void Call::dropNeedlessDtype() {
  kern_call_request request = options.request;
  request.has_dtype = 0;
  if (request.casting == KERN_CASTING_UNSAFE ||
      request.casting == KERN_CASTING_SAFE)
    request.casting = KERN_CASTING_DEFAULT;
  auto forms = std::make_unique<kern_result_form[]>(function.outputCount);
  if (kern_resolve(function.function, values.data(), function.inputCount,
                   tensors.data(), function.outputCount, &request.call, nullptr,
                   forms.get()) != KERN_OK)
    return;
  for (size_t i = 0; i < function.outputCount; ++i)
    if (forms[i].dtype != request.dtype)
      return;
  options.request.has_dtype = 0;
}

bool Call::run() {
  if (!placeCall())
    return false;
  if (options.request.has_dtype && !options.request.signature)
    dropNeedlessDtype();
  if (!framework->keepsStrides())
    options.request.order = KERN_ORDER_C;
  kern_allocator allocator = {this, allocate};
  options.request.allocator = &allocator;
  const kern_progress progress = {this, checkSignals};
  options.request.progress = &progress;
  if (!isSmall() || !function.warm.contains(warmKey))
    letGo = PyEval_SaveThread();
  kern_status status = kern_call(
      function.function, values.data(), function.inputCount, tensors.data(),
      nullptr, function.outputCount, &options.request.call, report);
  if (letGo)
    PyEval_RestoreThread(std::exchange(letGo, nullptr));
  if (status != KERN_OK) {
    if (!PyErr_Occurred())
      raise(status);
    return false;
  }
  function.warm.add(warmKey);
  return writeBack();
}

bool Call::writeBack() {
  for (size_t i = 0; i < size_t(function.inputCount) + function.outputCount;
       ++i) {
    bool isArray = i < function.inputCount
                       ? values[i].kind == KERN_VALUE_ARRAY
                       : tensors[i - function.inputCount] != nullptr;
    if (isArray && arrays[i].isCopiedBack &&
        PyArray_ResolveWritebackIfCopy(
            reinterpret_cast<PyArrayObject *>(arrays[i].owner.get())) < 0)
      return false;
  }
  return true;
}

/*--- Results ----------------------------------------------------------------*/

PyObject *Call::result(size_t i) {
  if (outputs[i]) {
    Reference given = Reference::borrow(outputs[i]);
    if (PyArray_CheckExact(outputs[i]) || !PyArray_Check(outputs[i]))
      return given.release();
    return wrapped(i, std::move(given));
  }
  if (wrap)
    return wrapped(i, std::move(made[i]));
  PyObject *array = made[i].release();
  if (framework == &numpyFramework() && !areArraysKept)
    return PyArray_Return(reinterpret_cast<PyArrayObject *>(array));
  return framework->finish(array);
}

PyObject *Call::wrapped(size_t i, Reference array) {
  return wrapResult(reinterpret_cast<PyObject *>(&function),
                    {inputs.data(), function.inputCount},
                    {outputs.data(), function.outputCount}, i, wrap.get(),
                    areArraysKept, std::move(array));
}

PyObject *Call::giveResults() {
  if (hasSubclass && options.isSubclassKept && framework == &numpyFramework()) {
    wrap = Reference(findWrap({inputs.data(), function.inputCount}));
    if (!wrap)
      return nullptr;
  }
  if (function.outputCount == 1)
    return result(0);
  Reference tuple(PyTuple_New(function.outputCount));
  for (size_t i = 0; tuple && i < function.outputCount; ++i) {
    PyObject *one = result(i);
    if (!one)
      return nullptr;
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), one);
  }
  return tuple.release();
}
