//===- Prepared.cpp - the Python type kern.Prepared -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that is known by its layout (KnownCall.h), by itself: what does not
// fit it is an error.
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Errors.h"
#include "Scope.h"

#include <cstddef>
#include <structmember.h>

using namespace kern::python;

namespace {
struct PreparedObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *function;
  PyObject *arguments; ///< a tuple: the inputs, then `out`
  PyObject *keywords;  ///< a dict: the others
  const KnownCall *known;
  PyObject *weakReferences;
};
} // namespace

static PyTypeObject *type = nullptr;

static PreparedObject *self(PyObject *object) {
  return reinterpret_cast<PreparedObject *>(object);
}

static void destroy(PyObject *object) {
  PyObject_GC_UnTrack(object);
  PyTypeObject *ofObject = Py_TYPE(object);
  if (self(object)->weakReferences)
    PyObject_ClearWeakRefs(object);
  delete self(object)->known;
  Py_CLEAR(self(object)->arguments);
  Py_CLEAR(self(object)->keywords);
  Py_CLEAR(self(object)->function);
  ofObject->tp_free(object);
  Py_DECREF(ofObject);
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self(object)->function);
  Py_VISIT(self(object)->arguments);
  Py_VISIT(self(object)->keywords);
  return self(object)->known ? self(object)->known->traverse(visit, arg) : 0;
}

/// The keywords `out` and `stream`; false with an exception.
static bool takeKeyword(const FunctionObject &function, PyObject *name,
                        PyObject *value, GivenCall &given, PyObject *&stream) {
  if (PyUnicode_CompareWithASCIIString(name, "stream") == 0) {
    stream = value;
    return true;
  }
  if (PyUnicode_CompareWithASCIIString(name, "out") != 0) {
    PyErr_Format(PyExc_TypeError,
                 "a prepared call takes arguments by position, `out` and "
                 "`stream`, not %R",
                 name);
    return false;
  }
  if (!PyTuple_Check(value)) {
    given.outputs[0] = value;
    return true;
  }
  if (PyTuple_GET_SIZE(value) != function.outputCount) {
    PyErr_SetString(PyExc_ValueError,
                    "The 'out' tuple must have exactly one entry per ufunc "
                    "output");
    return false;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i)
    given.outputs[size_t(i)] = PyTuple_GET_ITEM(value, i);
  return true;
}

/// The stream of the call, else that of `with kern.on(…)`.
static bool takeStream(PyObject *stream, GivenCall &given) {
  Reference scope = currentScope();
  if (stream == Py_None && scope)
    stream = PyTuple_GET_ITEM(scope.get(), 1);
  if (stream == Py_None)
    return true;
  Options options;
  if (!options.takeScope(Py_None, stream, Py_None))
    return false;
  given.hasStream = true;
  given.stream = options.request.call.stream;
  return true;
}

/// The call as if it had not been prepared.
static PyObject *callPlainly(const PreparedObject &prepared,
                             const FunctionObject &function,
                             const GivenCall &given, PyObject *stream) {
  Reference keywords(PyDict_Copy(prepared.keywords));
  Reference out(PyTuple_New(function.outputCount));
  if (!keywords || !out)
    return nullptr;
  for (size_t i = 0; i < function.outputCount; ++i)
    PyTuple_SET_ITEM(out.get(), Py_ssize_t(i),
                     Reference::borrow(given.outputs[i]).release());
  if ((function.outputCount &&
       PyDict_SetItemString(keywords.get(), "out", out.get()) < 0) ||
      (stream != Py_None &&
       PyDict_SetItemString(keywords.get(), "stream", stream) < 0))
    return nullptr;
  return PyObject_VectorcallDict(prepared.function, given.inputs,
                                 function.inputCount, keywords.get());
}

static PyObject *launch(PyObject *object, PyObject *const *arguments,
                        size_t flags, PyObject *keywords) {
  const PreparedObject &prepared = *self(object);
  auto &function = *reinterpret_cast<FunctionObject *>(prepared.function);
  const auto count = size_t(PyVectorcall_NARGS(flags));
  if (count && (count < function.leastCount || count > function.inputCount)) {
    PyErr_Format(PyExc_TypeError,
                 "a prepared call of %s() takes no arguments or %d, not %zu",
                 kern_function_name(function.function),
                 int(function.inputCount), count);
    return nullptr;
  }
  PyObject *const *kept =
      reinterpret_cast<PyTupleObject *>(prepared.arguments)->ob_item;
  GivenCall given;
  if (count)
    given.setInputs(function, arguments, count);
  else
    given.inputs = kept;
  for (size_t i = 0; i < function.outputCount; ++i)
    given.set(i, kept[function.inputCount + i]);
  PyObject *stream = Py_None;
  for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i)
    if (!takeKeyword(function, PyTuple_GET_ITEM(keywords, i),
                     arguments[count + size_t(i)], given, stream))
      return nullptr;
  PyObject *result = nullptr;
  if (!takeStream(stream, given) ||
      prepared.known->make(function, given, result))
    return result;
  if (prepared.known->matches(function, given))
    return callPlainly(prepared, function, given, stream);
  PyErr_Format(PyExc_ValueError,
               "%s() was prepared for other arguments: for other types, "
               "shapes, strides or devices",
               kern_function_name(function.function));
  return nullptr;
}

static PyObject *function(PyObject *object, void *) {
  return Reference::borrow(self(object)->function).release();
}

static PyObject *represent(PyObject *object) {
  return PyUnicode_FromFormat("<prepared call of %R>", self(object)->function);
}

static PyGetSetDef properties[] = {
    {"function", function, nullptr, "The kern.Function that it calls.",
     nullptr},
    {},
};

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(PreparedObject, vectorcall),
     READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PreparedObject, weakReferences),
     READONLY, nullptr},
    {},
};

static constexpr char doc[] =
    "A planned call, from kern.Function.prepare().\n\n"
    "    p(*arguments, out=None, stream=None)\n\n"
    "Its arguments are like those that were prepared, by position; without "
    "any, and\nwithout `out`, they are those themselves, which it keeps alive. "
    "`stream` is as that\nof a call. Nothing is planned, compiled or loaded "
    "any "
    "more, so that such a call can\nbe captured in a CUDA graph.\n\n"
    "Gives what the call gives: `out`, or a tuple of them. Raises ValueError, "
    "and runs\nnothing, for arguments of other types, shapes, strides, "
    "alignments, devices or\noverlaps. Threads: any number at once.\n\n"
    "    >>> import kern, numpy as np\n"
    "    >>> add = kern.compile(\"ufunc add(x, y): return x + y\").add\n"
    "    >>> x, out = np.arange(3.0), np.zeros(3)\n"
    "    >>> p = add.prepare(x, 1, out=out)\n"
    "    >>> out\n"
    "    array([0., 0., 0.])\n"
    "    >>> p(), p(x, 5)\n"
    "    (array([5., 6., 7.]), array([5., 6., 7.]))\n";

static PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char *>(doc)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_repr, reinterpret_cast<void *>(represent)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_getset, properties},
    {Py_tp_members, members},
    {0, nullptr},
};

static PyType_Spec spec = {"kern.Prepared", sizeof(PreparedObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                               Py_TPFLAGS_HAVE_VECTORCALL |
                               Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           slots};

PyObject *kern::python::makePreparedType() {
  PyObject *made = PyType_FromSpec(&spec);
  type = reinterpret_cast<PyTypeObject *>(made);
  return made;
}

/// The keywords of a call that are neither inputs nor `out`, as a dict.
static Reference optionsOf(const FunctionObject &function,
                           PyObject *const *values, PyObject *names) {
  Reference out(PyDict_New());
  for (Py_ssize_t i = 0; out && names && i < PyTuple_GET_SIZE(names); ++i) {
    PyObject *name = PyTuple_GET_ITEM(names, i);
    const bool isInput = parameterNamed(function, name) >= 0;
    if (PyErr_Occurred() ||
        (!isInput && PyUnicode_CompareWithASCIIString(name, "out") != 0 &&
         PyDict_SetItem(out.get(), name, values[i]) < 0))
      return {};
  }
  return out;
}

PyObject *Call::prepare(PyObject *const *given, size_t count,
                        PyObject *keywords) {
  if (!readOurs(given, count, keywords, "prepare"))
    return nullptr;
  const char *name = kern_function_name(function.function);
  auto refuse = [&](const char *why) {
    PyErr_Format(PyExc_TypeError, "%s.prepare() %s", name, why);
    return nullptr;
  };
  for (size_t i = 0; i < function.outputCount; ++i)
    if (!outputs[i])
      return refuse("needs an array in `out` for each result");
  auto known = std::make_unique<KnownCall>();
  if (hasSubclass || hadLarge || !describe(*known))
    return refuse("takes arrays, numbers and ranges as they are: no lists, "
                  "subclasses or arrays that have to be copied");
  if (!placeCall())
    return nullptr;
  if (options.request.has_dtype && !options.request.signature)
    dropNeedlessDtype();
  letGo = PyEval_SaveThread();
  kern_status status = kern_prepare(
      function.function, values.data(), function.inputCount, tensors.data(),
      function.outputCount, &options.request.call, &known->prepared);
  PyEval_RestoreThread(std::exchange(letGo, nullptr));
  if (status != KERN_OK) {
    raise(status);
    return nullptr;
  }
  Reference kept(
      PyTuple_New(Py_ssize_t(function.inputCount) + function.outputCount));
  for (size_t i = 0; kept && i < function.inputCount; ++i)
    PyTuple_SET_ITEM(kept.get(), Py_ssize_t(i),
                     Reference::borrow(inputs[i]).release());
  for (size_t i = 0; kept && i < function.outputCount; ++i)
    PyTuple_SET_ITEM(kept.get(), Py_ssize_t(function.inputCount + i),
                     Reference::borrow(outputs[i]).release());
  Reference others = optionsOf(function, given + count, keywords);
  PyObject *object = kept && others ? type->tp_alloc(type, 0) : nullptr;
  if (!object)
    return nullptr;
  self(object)->vectorcall = launch;
  self(object)->function =
      Reference::borrow(reinterpret_cast<PyObject *>(&function)).release();
  self(object)->arguments = kept.release();
  self(object)->keywords = others.release();
  self(object)->known = known.release();
  return object;
}

PyObject *kern::python::prepare(PyObject *self, PyObject *const *arguments,
                                Py_ssize_t count, PyObject *keywords) {
  return Call(*reinterpret_cast<FunctionObject *>(self))
      .prepare(arguments, size_t(count), keywords);
}
