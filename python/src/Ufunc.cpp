//===- Ufunc.cpp - a real numpy.ufunc of a function -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy does not copy a ufunc's tables, so a capsule in `ufunc->obj` owns them.
// Old-style loops cannot report errors. So the ufunc is made without loops and
// then gets new-style ones. Its tables of types are filled in afterwards, for
// `types` and for NumPy's choice of a loop.
//
//===----------------------------------------------------------------------===//
#include "Ufunc.h"
#include "Errors.h"
#include "Reference.h"
#include "Types.h"
#include "UfuncLoop.h"

#include <numpy/dtype_api.h>

#include <string>
#include <vector>

using namespace kern::python;

namespace {
/// What a ufunc's `obj` owns.
struct Tables {
  kern_function *function;
  Reference handle;
  std::string name, doc;
  std::vector<char> types;
  std::vector<PyUFuncGenericFunction> functions;
  std::vector<void *> data;
  std::vector<kern_dtype> someLoop; ///< types of one, for shapes
};

/// PyUFuncObject since NumPy 2.1.
struct NewerUfunc {
  PyUFuncObject base;
  PyUFunc_ProcessCoreDimsFunc *processCoreDims;
};
} // namespace

static constexpr const char *capsuleName = "kern ufunc";

/// Those of a ufunc of ours. Needs no GIL.
static Tables &tablesOf(PyUFuncObject *ufunc) {
  return *static_cast<Tables *>(
      const_cast<void *>(ufunc->data ? ufunc->data[0] : nullptr));
}

static int fail(kern_status status) {
  PyGILState_STATE state = PyGILState_Ensure();
  raise(status);
  PyGILState_Release(state);
  return -1;
}

/*--- The loop ---------------------------------------------------------------*/

static int loop(PyArrayMethod_Context *context, char *const *data,
                const npy_intp *dimensions, const npy_intp *strides,
                NpyAuxData *) {
  auto *ufunc = reinterpret_cast<PyUFuncObject *>(context->caller);
  size_t operandCount = size_t(ufunc->nargs);
  std::vector<LoopOperand> operands(operandCount);
  const npy_intp *coreStrides = strides + operandCount;
  for (size_t i = 0; i < operandCount; ++i) {
    LoopOperand &operand = operands[i];
    operand.data = data[i];
    operand.type = *typeOf(context->descriptors[i]);
    operand.stride = strides[i];
    operand.rank = ufunc->core_enabled ? ufunc->core_num_dims[i] : 0;
    for (size_t k = 0; k < size_t(operand.rank); ++k) {
      int dimension = ufunc->core_dim_ixs[size_t(ufunc->core_offsets[i]) + k];
      operand.extent[k] = dimensions[1 + dimension];
      operand.coreStride[k] = *coreStrides++;
    }
  }
  kern_status status = runLoop(tablesOf(ufunc).function, operands,
                               size_t(ufunc->nin), dimensions[0]);
  return status == KERN_OK ? 0 : fail(status);
}

/// For tables that have to name an old-style loop. Never called: each entry has
/// a new-style loop.
static void oldLoop(char **, const npy_intp *, const npy_intp *, void *) {}

static int initialOf(PyArrayMethod_Context *context, npy_bool, void *initial) {
  auto *ufunc = reinterpret_cast<PyUFuncObject *>(context->caller);
  if (ufunc->identity != PyUFunc_IdentityValue)
    return 0;
  return PyArray_Pack(context->descriptors[0], initial, ufunc->identity_value) <
                 0
             ? -1
             : 1;
}

/*--- Core dimensions --------------------------------------------------------*/

/// Fills in the dimensions that only results have.
static int processCoreDims(PyUFuncObject *ufunc, npy_intp *sizes) {
  const Tables &tables = tablesOf(ufunc);
  size_t inputCount = size_t(ufunc->nin), outputCount = size_t(ufunc->nout);
  std::vector<std::vector<int64_t>> shapes(inputCount + outputCount);
  std::vector<DLTensor> tensors(shapes.size());
  std::vector<kern_value> values(inputCount);
  std::vector<const DLTensor *> outputs(outputCount, nullptr);
  for (size_t i = 0; i < shapes.size(); ++i) {
    bool isKnown = true;
    for (int k = 0; k < ufunc->core_num_dims[i]; ++k) {
      int dimension = ufunc->core_dim_ixs[ufunc->core_offsets[i] + k];
      shapes[i].push_back(sizes[dimension]);
      isKnown &= sizes[dimension] >= 0;
    }
    DLTensor &tensor = tensors[i];
    tensor.ndim = int(shapes[i].size());
    tensor.shape = shapes[i].data();
    tensor.device = {kDLCPU, 0};
    tensor.dtype = kern_dtype_to_dl(tables.someLoop[i]);
    if (i < inputCount) {
      values[i].kind = KERN_VALUE_ARRAY;
      values[i].as.array = &tensor;
    } else if (isKnown) {
      outputs[i - inputCount] = &tensor;
    }
  }
  std::vector<kern_result_form> results(outputCount);
  if (kern_status status = kern_resolve(tables.function, values.data(),
                                        inputCount, outputs.data(), outputCount,
                                        nullptr, nullptr, results.data()))
    return fail(status);
  for (size_t i = 0; i < outputCount; ++i) {
    size_t operand = inputCount + i;
    for (int k = 0; k < ufunc->core_num_dims[operand]; ++k) {
      npy_intp &size =
          sizes[ufunc->core_dim_ixs[ufunc->core_offsets[operand] + k]];
      if (size < 0)
        size = results[i].shape[k];
    }
  }
  return 0;
}

/// False with an exception where NumPy is too old for them.
static bool addComputedDimensions(PyUFuncObject *ufunc) {
  if (!ufunc->core_enabled)
    return true;
  std::vector<bool> isGiven(size_t(ufunc->core_num_dim_ix));
  bool hasComputed = false;
  for (int i = 0; i < ufunc->nargs; ++i)
    for (int k = 0; k < ufunc->core_num_dims[i]; ++k) {
      size_t dimension =
          size_t(ufunc->core_dim_ixs[ufunc->core_offsets[i] + k]);
      if (i < ufunc->nin || ufunc->core_dim_sizes[dimension] >= 0)
        isGiven[dimension] = true;
      else
        hasComputed |= !isGiven[dimension];
    }
  if (!hasComputed)
    return true;
  if (PyArray_GetNDArrayCFeatureVersion() < NPY_2_1_API_VERSION) {
    PyErr_SetString(PyExc_NotImplementedError,
                    "results with dimensions of their own need NumPy 2.1");
    return false;
  }
  reinterpret_cast<NewerUfunc *>(ufunc)->processCoreDims = processCoreDims;
  return true;
}

/*--- Making one -------------------------------------------------------------*/

static bool addLoop(PyUFuncObject *ufunc, Tables &tables, PyObject *types,
                    bool isReorderable) {
  std::vector<PyArray_DTypeMeta *> classes;
  std::vector<kern_dtype> loopTypes;
  bool isOld = true; // of NumPy's own types, which have small numbers
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(types); ++i) {
    PyObject *item = PyTuple_GET_ITEM(types, i);
    auto *dtype = reinterpret_cast<PyArray_Descr *>(item);
    std::optional<kern_dtype> type =
        PyArray_DescrCheck(item) ? typeOf(dtype) : std::nullopt;
    if (!type) {
      PyErr_Format(PyExc_TypeError, "Kern has no element type for %R", item);
      return false;
    }
    loopTypes.push_back(*type);
    classes.push_back(NPY_DTYPE(dtype));
    isOld &= dtype->type_num < NPY_NTYPES_LEGACY;
  }
  if (classes.size() != size_t(ufunc->nargs)) {
    PyErr_SetString(PyExc_ValueError, "a loop has a type for each operand");
    return false;
  }
  std::vector<PyType_Slot> slots = {
      {NPY_METH_strided_loop, reinterpret_cast<void *>(loop)}};
  if (ufunc->nin == 2 && ufunc->nout == 1 && !ufunc->core_enabled)
    slots.push_back(
        {NPY_METH_get_reduction_initial, reinterpret_cast<void *>(initialOf)});
  slots.push_back({0, nullptr});
  int flags = NPY_METH_NO_FLOATINGPOINT_ERRORS;
  if (isReorderable)
    flags |= NPY_METH_IS_REORDERABLE;
  PyArrayMethod_Spec spec = {};
  spec.name = tables.name.c_str();
  spec.nin = ufunc->nin;
  spec.nout = ufunc->nout;
  spec.casting = NPY_NO_CASTING;
  spec.flags = NPY_ARRAYMETHOD_FLAGS(flags);
  spec.dtypes = classes.data();
  spec.slots = slots.data();
  if (PyUFunc_AddLoopFromSpec(reinterpret_cast<PyObject *>(ufunc), &spec) < 0)
    return false;
  if (tables.someLoop.empty())
    tables.someLoop = loopTypes;
  if (isOld)
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(types); ++i)
      tables.types.push_back(
          char(reinterpret_cast<PyArray_Descr *>(PyTuple_GET_ITEM(types, i))
                   ->type_num));
  return true;
}

PyObject *kern::python::makeUfunc(FunctionObject &function, PyObject *handle,
                                  PyObject *loops, PyObject *name,
                                  PyObject *doc, PyObject *signature,
                                  PyObject *identity) {
  auto textOf = [](PyObject *text) {
    return text == Py_None ? nullptr : PyUnicode_AsUTF8(text);
  };
  const char *nameText = textOf(name), *docText = textOf(doc),
             *signatureText = textOf(signature);
  if (PyErr_Occurred())
    return nullptr;
  auto *tables = new Tables{};
  Reference owner(PyCapsule_New(tables, capsuleName, [](PyObject *capsule) {
    delete static_cast<Tables *>(PyCapsule_GetPointer(capsule, capsuleName));
  }));
  if (!owner) {
    delete tables;
    return nullptr;
  }
  tables->function = function.function;
  tables->handle = Reference::borrow(handle);
  tables->name = nameText;
  tables->doc = docText ? docText : "";
  // A text says that the order does not matter.
  const bool isValue = identity != Py_None && !PyUnicode_Check(identity);
  Reference made(PyUFunc_FromFuncAndDataAndSignatureAndIdentity(
      nullptr, nullptr, nullptr, 0, function.inputCount, function.outputCount,
      identity == Py_None ? PyUFunc_None
      : !isValue          ? PyUFunc_ReorderableNone
                          : PyUFunc_IdentityValue,
      tables->name.c_str(), tables->doc.c_str(), 0, signatureText,
      isValue ? identity : nullptr));
  if (!made)
    return nullptr;
  auto *ufunc = reinterpret_cast<PyUFuncObject *>(made.get());
  ufunc->obj = owner.release();
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(loops); ++i)
    if (!addLoop(ufunc, *tables, PyTuple_GET_ITEM(loops, i),
                 identity != Py_None))
      return nullptr;
  size_t count = tables->types.size() / size_t(ufunc->nargs);
  tables->functions.assign(count, oldLoop);
  tables->data.assign(std::max<size_t>(count, 1), tables);
  ufunc->functions = tables->functions.data();
  ufunc->data = tables->data.data();
  ufunc->types = tables->types.data();
  ufunc->ntypes = int(count);
  if (!addComputedDimensions(ufunc))
    return nullptr;
  return made.release();
}
