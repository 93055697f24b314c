//===- Function.cpp - the Python type kern.Function -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every call needs is in C++; kern/_function.py adds the methods.
//
//===----------------------------------------------------------------------===//
#include "Function.h"
#include "Errors.h"
#include "Reference.h"
#include "Types.h"
#include "kern/reflection.h"

#include <cstddef>
#include <new>
#include <structmember.h>

using namespace kern::python;

static PyTypeObject *type = nullptr;
PyTypeObject *kern::python::functionType() { return type; }

static FunctionObject *self(PyObject *object) {
  return reinterpret_cast<FunctionObject *>(object);
}

static void destroy(PyObject *object) {
  PyObject_GC_UnTrack(object);
  FunctionObject *function = self(object);
  PyTypeObject *ofObject = Py_TYPE(object);
  if (function->weakReferences)
    PyObject_ClearWeakRefs(object);
  Py_CLEAR(function->module);
  Py_CLEAR(function->parameters);
  Py_CLEAR(function->defaults);
  Py_CLEAR(function->name);
  Py_CLEAR(function->alias);
  Py_CLEAR(function->dict);
  function->warm.~WarmCalls();
  function->known.~KnownCalls();
  ofObject->tp_free(object);
  Py_DECREF(ofObject);
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self(object)->module);
  Py_VISIT(self(object)->dict);
  Py_VISIT(self(object)->alias);
  return self(object)->known.traverse(visit, arg);
}

static int clear(PyObject *object) {
  Py_CLEAR(self(object)->dict);
  return 0;
}

static PyObject *nin(PyObject *object, void *) {
  return PyLong_FromLong(self(object)->inputCount);
}
static PyObject *nout(PyObject *object, void *) {
  return PyLong_FromLong(self(object)->outputCount);
}
static PyObject *nargs(PyObject *object, void *) {
  return PyLong_FromLong(self(object)->inputCount + self(object)->outputCount);
}
static PyObject *signature(PyObject *object, void *) {
  if (!self(object)->isGufunc)
    Py_RETURN_NONE;
  return PyUnicode_FromString(kern_function_signature(self(object)->function));
}
static PyObject *name(PyObject *object, void *) {
  return Reference::borrow(self(object)->name).release();
}
static PyObject *module(PyObject *object, void *) {
  return Reference::borrow(self(object)->module).release();
}
static PyObject *device(PyObject *object, void *) {
  if (!self(object)->isBound)
    Py_RETURN_NONE;
  const kern_device &device = self(object)->device;
  return device.device_type == kDLCPU
             ? PyUnicode_FromString("cpu")
             : PyUnicode_FromFormat("cuda:%d", int(device.device_id));
}
static PyObject *parameters(PyObject *object, void *) {
  return Reference::borrow(self(object)->parameters).release();
}

static PyObject *defaults(PyObject *object, void *) {
  return Reference::borrow(self(object)->defaults).release();
}

static PyObject *knownCalls(PyObject *object, void *) {
  return PyLong_FromSize_t(self(object)->known.count());
}

static PyGetSetDef properties[] = {
    {"nin", nin, nullptr, "The number of parameters.", nullptr},
    {"nout", nout, nullptr, "The number of results.", nullptr},
    {"nargs", nargs, nullptr, "nin + nout.", nullptr},
    {"signature", signature, nullptr,
     "The core dimensions of a gufunc, \"(m,k),(k,n)->(m,n)\"; None of a "
     "ufunc.",
     nullptr},
    {"__name__", name, nullptr, "The function's name.", nullptr},
    {"__qualname__", name, nullptr, "The same as __name__.", nullptr},
    {"module", module, nullptr, "The kern.Module that it belongs to.", nullptr},
    {"device", device, nullptr,
     "Where calls on host arrays and numbers run that do not say it, a str "
     "such "
     "as \"cuda:0\"; None: on the CPU.",
     nullptr},
    {"_parameters", parameters, nullptr, "The names of its parameters.",
     nullptr},
    {"_defaults", defaults, nullptr,
     "The numbers that stand for arguments that are not given; None where one "
     "must be.",
     nullptr},
    {"_known_calls", knownCalls, nullptr,
     "How many layouts of calls it knows by heart.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr,
     nullptr},
    {},
};

static PyMethodDef methods[] = {
    {"explain",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(explain)),
     METH_FASTCALL | METH_KEYWORDS,
     "explain($self, /, *arguments, **keywords)\n--\n\n"
     "Makes a call and says how it was made, a str: the types of its loop, "
     "where\nand by which kernel it ran, and how that reads and writes each "
     "operand.\n\nThe arguments are those of the call; `out` is written to."},
    {"prepare",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(prepare)),
     METH_FASTCALL | METH_KEYWORDS,
     "prepare($self, /, *arguments, **keywords)\n--\n\n"
     "Plans a call and compiles its kernel without running it: a "
     "kern.Prepared, which\nmakes such calls with the least work.\n\nThe "
     "arguments are those of the call, with an array in `out` for each "
     "result;\nfixed are types, shapes, strides, the device and the options, "
     "and "
     "the values of\n`dim` parameters. Raises TypeError and "
     "kern.ArgumentError for calls that take\nmore than one launch: with "
     "`where`, lists, subclasses, copies to another device."},
    {},
};

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall),
     READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(FunctionObject, dict), READONLY,
     nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(FunctionObject, weakReferences),
     READONLY, nullptr},
    {},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char *>(
                    "A function of a Kern module, called over arrays with "
                    "NumPy's rules.\n\nFunctions come from kern.compile() and "
                    "its kin, or from the decorators kern.vectorize and "
                    "kern.guvectorize.")},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(clear)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {0, nullptr},
};

static PyType_Spec spec = {"kern.Function", sizeof(FunctionObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                               Py_TPFLAGS_HAVE_VECTORCALL |
                               Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           slots};

PyObject *kern::python::makeFunctionType() {
  PyObject *made = PyType_FromSpec(&spec);
  type = reinterpret_cast<PyTypeObject *>(made);
  return made;
}

/// The default of a parameter as Python has it; None if there is none. NULL
/// with an exception.
static PyObject *defaultOf(const kern_function *function, size_t index) {
  if (!*kern_function_default_text(function, index))
    return Reference::borrow(Py_None).release();
  kern_value value = {};
  if (kern_status status = kern_function_default(function, index, &value)) {
    raise(status);
    return nullptr;
  }
  switch (value.kind) {
  case KERN_VALUE_WEAK_INT:
    return PyLong_FromLongLong(value.as.integer);
  case KERN_VALUE_WEAK_FLOAT:
    return PyFloat_FromDouble(value.as.real);
  case KERN_VALUE_WEAK_COMPLEX:
    return PyComplex_FromDoubles(value.as.complex_parts[0],
                                 value.as.complex_parts[1]);
  default:
    break;
  }
  if (value.dtype == KERN_BOOL)
    return PyBool_FromLong(value.as.bits[0]);
  PyArray_Descr *dtype = dtypeOf(value.dtype);
  PyObject *scalar =
      dtype ? PyArray_Scalar(value.as.bits, dtype, nullptr) : nullptr;
  Py_XDECREF(dtype);
  return scalar;
}

/// Whether calls have an option of this name (docs/reference/language.md).
static bool isCallOption(PyObject *name) {
  for (const char *option :
       {"out", "where", "axis", "axes", "keepdims", "dtype", "casting", "order",
        "signature", "device", "stream"})
    if (PyUnicode_CompareWithASCIIString(name, option) == 0)
      return true;
  return false;
}

Py_ssize_t kern::python::parameterNamed(const FunctionObject &function,
                                        PyObject *name) {
  for (Py_ssize_t i = 0; i < function.inputCount; ++i) {
    PyObject *parameter = PyTuple_GET_ITEM(function.parameters, i);
    if ((parameter == name || PyUnicode_Compare(parameter, name) == 0) &&
        !(function.positionalOnly >> i & 1))
      return i;
  }
  return -1;
}

PyObject *kern::python::makeFunction(kern_function *function, PyObject *module,
                                     PyObject *parameters, bool isGufunc,
                                     uint64_t inouts, uint64_t dims) {
  auto inputs = PyTuple_GET_SIZE(parameters);
  size_t outputs = kern_function_output_count(function);
  if (size_t(inputs) + outputs > maxOperands) {
    PyErr_Format(PyExc_ValueError,
                 "`%s` has %zu parameters and results; at most %zu can be "
                 "called from Python",
                 kern_function_name(function), size_t(inputs) + outputs,
                 maxOperands);
    return nullptr;
  }
  Reference names(PyTuple_New(inputs));
  if (!names)
    return nullptr;
  for (Py_ssize_t i = 0; i < inputs; ++i) {
    PyObject *text =
        Reference::borrow(PyTuple_GET_ITEM(parameters, i)).release();
    PyUnicode_InternInPlace(&text);
    PyTuple_SET_ITEM(names.get(), i, text);
  }
  Reference numbers(PyTuple_New(inputs));
  uint16_t least = 0;
  for (Py_ssize_t i = 0; numbers && i < inputs; ++i) {
    PyObject *number = defaultOf(function, size_t(i));
    if (!number)
      return nullptr;
    PyTuple_SET_ITEM(numbers.get(), i, number);
    if (number == Py_None)
      least = uint16_t(i + 1);
  }
  if (!numbers)
    return nullptr;
  Reference name(PyUnicode_FromString(kern_function_name(function)));
  PyObject *object = name ? type->tp_alloc(type, 0) : nullptr;
  if (!object)
    return nullptr;
  FunctionObject *made = self(object);
  new (&made->warm) WarmCalls;
  new (&made->known) KnownCalls;
  made->vectorcall = call;
  made->function = function;
  made->module = Reference::borrow(module).release();
  made->parameters = names.release();
  made->defaults = numbers.release();
  made->leastCount = least;
  made->name = name.release();
  made->inputCount = uint16_t(inputs);
  made->outputCount = uint16_t(outputs);
  made->isGufunc = isGufunc;
  for (Py_ssize_t i = 0; i < inputs; ++i)
    made->positionalOnly |=
        uint64_t(isCallOption(PyTuple_GET_ITEM(made->parameters, i))) << i;
  made->inouts = inouts;
  made->dims = dims;
  return object;
}

/// Another object for the same function, with these attributes: a dict.
static Reference copyOf(FunctionObject &function, Reference dict) {
  Reference copy(makeFunction(function.function, function.module,
                              function.parameters, function.isGufunc,
                              function.inouts, function.dims));
  if (!copy || !dict)
    return {};
  self(copy.get())->isBound = function.isBound;
  self(copy.get())->device = function.device;
  Py_XSETREF(self(copy.get())->dict, dict.release());
  return copy;
}

static Reference dictOf(FunctionObject &function) {
  return Reference(PyObject_GenericGetDict(
      reinterpret_cast<PyObject *>(&function), nullptr));
}

PyObject *kern::python::aliasOf(FunctionObject &function) {
  if (function.alias)
    return function.alias;
  Reference module(PyObject_GetAttrString(function.module, "name"));
  Reference alias = module ? copyOf(function, dictOf(function)) : Reference();
  PyObject *name =
      alias ? PyUnicode_FromFormat("%S.%S", module.get(), function.name)
            : nullptr;
  if (!name)
    return nullptr;
  Py_SETREF(self(alias.get())->name, name);
  if (!function.alias)
    function.alias = alias.release();
  return function.alias;
}

PyObject *kern::python::boundTo(FunctionObject &function, kern_device device) {
  Reference dict = dictOf(function);
  Reference bound =
      dict ? copyOf(function, Reference(PyDict_Copy(dict.get()))) : Reference();
  if (!bound)
    return nullptr;
  self(bound.get())->isBound = true;
  self(bound.get())->device = device;
  return bound.release();
}
