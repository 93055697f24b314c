//===- Types.cpp - Kern's element types and NumPy's -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Types.h"
#include "Reference.h"

#include <array>
#include <atomic>
#include <string_view>

using namespace kern::python;

namespace {
struct TypeRow {
  std::string_view name;
  int number; ///< NumPy's; -1: of ml_dtypes
  unsigned size;
};
} // namespace

/// By kern_dtype.
static constexpr std::array<TypeRow, 15> rows = {{
    {"bool", NPY_BOOL, 1},
    {"i8", NPY_INT8, 1},
    {"u8", NPY_UINT8, 1},
    {"i16", NPY_INT16, 2},
    {"u16", NPY_UINT16, 2},
    {"i32", NPY_INT32, 4},
    {"u32", NPY_UINT32, 4},
    {"i64", NPY_INT64, 8},
    {"u64", NPY_UINT64, 8},
    {"f16", NPY_FLOAT16, 2},
    {"bf16", -1, 2},
    {"f32", NPY_FLOAT32, 4},
    {"f64", NPY_FLOAT64, 8},
    {"c64", NPY_COMPLEX64, 8},
    {"c128", NPY_COMPLEX128, 16},
}};

/// By NumPy's number; -1 for what Kern lacks. `long long` is a type of its own
/// in NumPy.
static constexpr auto byNumber = [] {
  std::array<signed char, NPY_NTYPES_LEGACY> table = {};
  table.fill(-1);
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].number >= 0)
      table[size_t(rows[i].number)] = static_cast<signed char>(i);
  table[NPY_LONGLONG] = KERN_I64;
  table[NPY_ULONGLONG] = KERN_U64;
  return table;
}();

/// ml_dtypes' number for bfloat16 once it has been met.
static std::atomic<int> bfloatNumber = -1;

/// Whether a dtype is ml_dtypes' bfloat16: by its type's name, so that nothing
/// is imported.
static bool isBfloat(PyArray_Descr *dtype) {
  int known = bfloatNumber.load(std::memory_order_relaxed);
  if (known >= 0)
    return dtype->type_num == known;
  if (dtype->type_num < NPY_USERDEF || PyDataType_ELSIZE(dtype) != 2 ||
      std::string_view(dtype->typeobj->tp_name).find("bfloat16") ==
          std::string_view::npos)
    return false;
  bfloatNumber.store(dtype->type_num, std::memory_order_relaxed);
  return true;
}

std::optional<kern_dtype> kern::python::typeOf(PyArray_Descr *dtype) {
  int number = dtype->type_num;
  if (number >= 0 && number < NPY_NTYPES_LEGACY) {
    int type = byNumber[size_t(number)];
    return type < 0 ? std::nullopt : std::optional(kern_dtype(type));
  }
  return isBfloat(dtype) ? std::optional(KERN_BF16) : std::nullopt;
}

PyArray_Descr *kern::python::dtypeOf(kern_dtype type) {
  int number = rows[type].number;
  if (number >= 0)
    return PyArray_DescrFromType(number);
  Reference module(PyImport_ImportModule("ml_dtypes"));
  if (!module)
    return nullptr;
  Reference scalar(PyObject_GetAttrString(module.get(), "bfloat16"));
  PyArray_Descr *dtype = nullptr;
  if (!scalar || !PyArray_DescrConverter(scalar.get(), &dtype))
    return nullptr;
  return dtype;
}

std::optional<kern_dtype> kern::python::typeFromObject(PyObject *object) {
  // "i8" and "u8" are types of eight bytes, as in NumPy; names that only Kern
  // has mean Kern's types.
  if (PyUnicode_Check(object)) {
    const char *text = PyUnicode_AsUTF8(object);
    if (!text)
      return std::nullopt;
    if (std::string_view(text) == "bf16")
      return KERN_BF16;
  }
  PyArray_Descr *dtype = nullptr;
  if (!PyArray_DescrConverter(object, &dtype))
    return std::nullopt;
  std::optional<kern_dtype> type = typeOf(dtype);
  if (!type)
    PyErr_Format(PyExc_TypeError, "Kern has no element type for %R",
                 (PyObject *)dtype);
  Py_DECREF(dtype);
  return type;
}

unsigned kern::python::itemSize(kern_dtype type) { return rows[type].size; }

const char *kern::python::typeName(kern_dtype type) {
  return rows[type].name.data(); // of a literal
}
