//===- Explain.cpp - how a call is made -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Errors.h"
#include "Types.h"

#include <cstring>
#include <string>

using namespace kern::python;

/// The most bytes of what the library says of the operands.
static constexpr size_t accessesSize = 1 << 14;

/// "f32, f64"; of what has no type, "".
template <typename Range, typename TypeOf>
static std::string listed(const Range &range, TypeOf typeAt) {
  std::string out;
  for (const auto &one : range)
    out += (out.empty() ? "" : ", ") + typeAt(one);
  return out;
}

static std::string counted(int64_t count, const char *noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// A call of cuBLAS has no block.
static std::string place(const kern_call_report &report) {
  std::string out = "cpu";
  if (report.device.device_type != kDLCPU)
    out = "cuda:" + std::to_string(report.device.device_id);
  if (!report.form[0])
    return out + ": no kernel ran";
  out += ": " + std::string(report.form) + ", ";
  if (report.device.device_type != kDLCPU && report.block == 0)
    return out + counted(report.grid, "call") + " of " + report.kernel;
  if (report.device.device_type == kDLCPU)
    out += counted(report.grid, "thread");
  else
    out += "grid " + std::to_string(report.grid) + ", block " +
           std::to_string(report.block) + ", group " +
           std::to_string(report.group);
  return out + ", " + counted(report.elements, "element") + ", kernel " +
         report.kernel;
}

PyObject *Call::explain(PyObject *const *arguments, size_t count,
                        PyObject *keywords) {
  kern_call_report done = {};
  done.size = sizeof done;
  std::vector<char> accesses(accessesSize);
  if (!readOurs(arguments, count, keywords, "explain"))
    return nullptr;
  options.request.explanation = accesses.data();
  options.request.explanation_size = accesses.size();
  report = &done;
  if (!run())
    return nullptr;
  std::vector<int> types(function.inputCount);
  std::vector<kern_result_form> forms(function.outputCount);
  if (kern_status status =
          kern_resolve(function.function, values.data(), function.inputCount,
                       tensors.data(), function.outputCount,
                       &options.request.call, types.data(), forms.data())) {
    raise(status);
    return nullptr;
  }
  std::string text = std::string(kern_function_name(function.function)) + "(" +
                     listed(types,
                            [](int type) -> std::string {
                              return type == KERN_ANY_DTYPE
                                         ? "dim"
                                         : typeName(kern_dtype(type));
                            }) +
                     ")";
  if (!forms.empty())
    text += " -> " + listed(forms, [](const kern_result_form &form) {
              return std::string(typeName(form.dtype));
            });
  text += "\n" + place(done) + "\n" + accesses.data();
  return PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size()));
}

PyObject *kern::python::explain(PyObject *self, PyObject *const *arguments,
                                Py_ssize_t count, PyObject *keywords) {
  return Call(*reinterpret_cast<FunctionObject *>(self))
      .explain(arguments, size_t(count), keywords);
}
