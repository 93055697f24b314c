//===- Options.cpp - the keywords of a call -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "Types.h"

#include <algorithm>
#include <string>
#include <string_view>

using namespace kern::python;

namespace {
struct Choice {
  std::string_view name;
  int value;
};
} // namespace

static constexpr Choice castings[] = {{"no", KERN_CASTING_NO},
                                      {"equiv", KERN_CASTING_EQUIV},
                                      {"safe", KERN_CASTING_SAFE},
                                      {"same_kind", KERN_CASTING_SAME_KIND},
                                      {"unsafe", KERN_CASTING_UNSAFE}};
static constexpr Choice orders[] = {{"K", KERN_ORDER_K}, {"k", KERN_ORDER_K},
                                    {"C", KERN_ORDER_C}, {"c", KERN_ORDER_C},
                                    {"F", KERN_ORDER_F}, {"f", KERN_ORDER_F},
                                    {"A", KERN_ORDER_A}, {"a", KERN_ORDER_A}};

/// The text of a string; empty with a TypeError for any other object.
static std::string_view textOf(PyObject *value, const char *keyword) {
  if (PyUnicode_Check(value)) {
    Py_ssize_t length = 0;
    const char *text = PyUnicode_AsUTF8AndSize(value, &length);
    return text ? std::string_view(text, size_t(length)) : std::string_view();
  }
  PyErr_Format(PyExc_TypeError, "%s must be str, not %.200s", keyword,
               Py_TYPE(value)->tp_name);
  return {};
}

template <typename Enum, size_t count>
static bool choose(PyObject *value, const char *keyword,
                   const Choice (&choices)[count], Enum &out) {
  std::string_view text = textOf(value, keyword);
  if (PyErr_Occurred())
    return false;
  for (const Choice &choice : choices)
    if (choice.name == text) {
      out = Enum(choice.value);
      return true;
    }
  std::string known;
  for (const Choice &choice : choices)
    if (choice.name.size() > 1 || choice.name[0] < 'a')
      known += (known.empty() ? "'" : ", '") + std::string(choice.name) + "'";
  PyErr_Format(PyExc_ValueError, "%s must be one of %s (got %R)", keyword,
               known.c_str(), value);
  return false;
}

/// One integer or a tuple of them.
static bool readIndices(PyObject *value, const char *keyword,
                        std::vector<int64_t> &out) {
  auto add = [&](PyObject *item) {
    // NumPy takes no bool for an integer here.
    Reference index(PyBool_Check(item) ? nullptr : PyNumber_Index(item));
    int64_t number = index ? PyLong_AsLongLong(index.get()) : -1;
    if (!index || (number == -1 && PyErr_Occurred())) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError,
                   "%s takes integers and tuples of integers, not %R", keyword,
                   value);
      return false;
    }
    out.push_back(number);
    return true;
  };
  if (!PyTuple_Check(value))
    return add(value);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
    if (!add(PySequence_Fast_GET_ITEM(value, i)))
      return false;
  return true;
}

Options::Lists &Options::lists() {
  if (!made)
    made = std::make_unique<Lists>();
  return *made;
}

bool Options::takeAxis(PyObject *value) {
  Lists &to = lists();
  request.axis = &to.axis;
  if (value == Py_None) // all of them
    return true;
  if (!readIndices(value, "axis", to.axisIndices))
    return false;
  static constexpr int64_t none = 0; // an address for no axes
  to.axis = {to.axisIndices.empty() ? &none : to.axisIndices.data(),
             to.axisIndices.size()};
  return true;
}

bool Options::takeShape(PyObject *value) {
  Lists &to = lists();
  if (!readIndices(value, "shape", to.shape))
    return false;
  static constexpr int64_t none = 0; // an address for no extents
  request.shape = to.shape.empty() ? &none : to.shape.data();
  request.shape_ndim = int(to.shape.size());
  return true;
}

bool Options::takeAxes(PyObject *value) {
  if (!PyList_Check(value)) {
    PyErr_SetString(PyExc_TypeError,
                    "axes must be a list with an entry for each operand");
    return false;
  }
  Lists &to = lists();
  Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
  to.axesIndices.resize(size_t(count));
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!readIndices(PySequence_Fast_GET_ITEM(value, i), "axes",
                     to.axesIndices[size_t(i)]))
      return false;
  for (const std::vector<int64_t> &one : to.axesIndices) {
    static constexpr int64_t none = 0; // an address for no axes
    to.axes.push_back({one.empty() ? &none : one.data(), one.size()});
  }
  static constexpr kern_axes nobody = {}; // and one for no operands
  request.axes = to.axes.empty() ? &nobody : to.axes.data();
  request.axes_count = to.axes.size();
  return true;
}

/// The type of a loop. Of a dtype only the type counts; as in NumPy, one that
/// says more is refused.
static std::optional<kern_dtype> loopType(PyObject *value) {
  if (PyArray_DescrCheck(value) || PyUnicode_Check(value)) {
    PyArray_Descr *dtype = nullptr;
    if (PyArray_DescrConverter(value, &dtype)) {
      bool isSwapped = PyDataType_ISBYTESWAPPED(dtype);
      Py_DECREF(dtype);
      if (isSwapped) {
        PyErr_Format(PyExc_TypeError,
                     "`dtype` and `signature` name types, not byte orders: %R",
                     value);
        return std::nullopt;
      }
    } else {
      PyErr_Clear(); // of a name of Kern's
    }
  }
  return typeFromObject(value);
}

bool Options::takeDtype(PyObject *value) {
  std::optional<kern_dtype> type = loopType(value);
  if (!type)
    return false;
  request.has_dtype = 1;
  request.dtype = *type;
  return true;
}

/// A tuple with a type or None for each operand, or NumPy's text "ff->f".
bool Options::takeSignature(const FunctionObject &function, PyObject *value) {
  size_t operands = size_t(function.inputCount) + function.outputCount;
  std::vector<int> &types = lists().types;
  auto add = [&](PyObject *item) {
    std::optional<kern_dtype> type;
    if (item != Py_None && !(type = loopType(item)))
      return false;
    types.push_back(type ? int(*type) : KERN_ANY_DTYPE);
    return true;
  };
  if (PyTuple_Check(value)) {
    if (PyTuple_GET_SIZE(value) == 1) {
      PyErr_SetString(
          PyExc_TypeError,
          "a signature of one type: use `dtype` for the type of the "
          "results");
      return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i)
      if (!add(PyTuple_GET_ITEM(value, i)))
        return false;
  } else if (PyUnicode_Check(value)) {
    std::string_view text = textOf(value, "signature");
    size_t arrow = text.find("->");
    if (arrow == text.npos && text.size() == 1) {
      PyErr_SetString(
          PyExc_TypeError,
          "a signature of one type: use `dtype` for the type of the "
          "results");
      return false;
    }
    if (arrow != function.inputCount) {
      PyErr_Format(PyExc_ValueError,
                   "signature %R has not one letter for each of %d parameters",
                   value, int(function.inputCount));
      return false;
    }
    for (size_t i = 0; i < text.size(); ++i) {
      if (i == arrow || i == arrow + 1)
        continue;
      Reference letter(PyUnicode_FromStringAndSize(&text[i], 1));
      if (!letter || !add(letter.get()))
        return false;
    }
  } else {
    PyErr_SetString(PyExc_TypeError,
                    "signature must be a tuple of types or a str like 'ff->f'");
    return false;
  }
  if (types.size() != operands) {
    PyErr_Format(PyExc_ValueError,
                 "signature %R has %zu types, but there are %zu operands",
                 value, types.size(), operands);
    return false;
  }
  // `dtype` means one type for all results and none for arguments.
  auto results = types.begin() + function.inputCount;
  if (std::all_of(types.begin(), results,
                  [](int one) { return one == KERN_ANY_DTYPE; }) &&
      results != types.end() && *results != KERN_ANY_DTYPE &&
      std::all_of(results, types.end(),
                  [&](int one) { return one == *results; })) {
    request.has_dtype = 1;
    request.dtype = kern_dtype(*results);
    return true;
  }
  request.signature = types.data();
  return true;
}

static bool takeTruth(PyObject *value, const char *keyword, bool &truth) {
  if (!PyBool_Check(value)) {
    PyErr_Format(PyExc_TypeError, "'%s' must be a boolean", keyword);
    return false;
  }
  truth = value == Py_True;
  return true;
}

bool kern::python::asksNothing(const FunctionObject &function, PyObject *name,
                               PyObject *value) {
  auto is = [](PyObject *string, const char *text) {
    return PyUnicode_CompareWithASCIIString(string, text) == 0;
  };
  if (value == Py_True)
    return is(name, "subok") || (!function.isGufunc && is(name, "where"));
  return PyUnicode_Check(value) &&
         ((is(name, "casting") && is(value, "same_kind")) ||
          (is(name, "order") && is(value, "K")));
}

bool kern::python::isLasting(PyObject *dtype) {
  return PyType_Check(dtype) || PyArray_DescrCheck(dtype) ||
         (PyUnicode_CheckExact(dtype) && PyUnicode_CHECK_INTERNED(dtype));
}

int Options::take(const FunctionObject &function, PyObject *name,
                  PyObject *value) {
  if (asksNothing(function, name, value))
    return 1;
  const char *given = PyUnicode_AsUTF8(name);
  if (!given)
    return -1;
  std::string_view text = given;
  bool isNone = value == Py_None;
  auto done = [](bool isFine) { return isFine ? 1 : -1; };
  if (text == "dtype" && isLasting(value)) {
    lastingDtype = value;
    return done(takeDtype(value));
  }
  isPlain = false;
  if (text == "where" && !function.isGufunc) {
    where = value == Py_True || isNone ? nullptr : value;
    return 1;
  }
  if (text == "shape")
    return isNone ? 1 : done(takeShape(value));
  if (text == "dtype")
    return isNone ? 1 : done(takeDtype(value));
  if (text == "casting")
    return done(choose(value, "casting", castings, request.casting));
  if (text == "order")
    return isNone ? 1 : done(choose(value, "order", orders, request.order));
  if (text == "signature" || text == "sig")
    return isNone ? 1 : done(takeSignature(function, value));
  if (text == "device")
    return isNone ? 1 : done(takeDevice(value));
  if (text == "stream")
    return isNone ? 1 : done(takeStream(value));
  if (text == "threads")
    return isNone ? 1 : done(takeThreads(value));
  if (text == "subok")
    return done(takeTruth(value, "subok", isSubclassKept));
  if (!function.isGufunc)
    return 0;
  if (text == "axis")
    return done(takeAxis(value));
  if (text == "axes")
    return isNone ? 1 : done(takeAxes(value));
  if (text == "keepdims") {
    bool isKept = false;
    bool isFine = takeTruth(value, "keepdims", isKept);
    request.keepdims = isKept;
    return done(isFine);
  }
  return 0;
}

bool Options::readMask() {
  if (!where)
    return true;
  ArgumentKind kind = kindOf(where);
  Lists &to = lists();
  to.maskObject = Reference::borrow(where);
  if (kind.way != ArgumentKind::Array) {
    to.maskObject =
        Reference(PyArray_FROM_OTF(where, NPY_BOOL, NPY_ARRAY_DEFAULT));
    if (!to.maskObject)
      return false;
    kind.framework = &numpyFramework();
  }
  if (!kind.framework->read(to.maskObject.get(), Access::Read, to.mask))
    return false;
  request.where = &to.mask.tensor;
  return true;
}
