//===- Module.cpp - the extension module kern._kern -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What need not be fast: modules, devices and the library's settings, by
// nanobind. kern.Function is written by hand (Function.cpp, Call.cpp).
//
//===----------------------------------------------------------------------===//
#define KERN_NUMPY_HERE
#include "DeviceArray.h"
#include "Errors.h"
#include "Function.h"
#include "Methods.h"
#include "Options.h"
#include "Overrides.h"
#include "Reference.h"
#include "Resolve.h"
#include "Scope.h"
#include "TraceRecorder.h"
#include "Types.h"
#include "Ufunc.h"
#include "XlaHandler.h"
#include "kern/compile.h"
#include "kern/diagnostics.h"
#include "kern/reflection.h"
#include "kern/threads.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;
using namespace kern::python;

namespace {

/// Turns a failure into an exception.
void check(kern_status status) {
  if (status == KERN_OK)
    return;
  raise(status);
  throw nb::python_error();
}

/// Takes over a new reference; NULL is an exception that is set.
nb::object own(PyObject *object) {
  if (!object)
    throw nb::python_error();
  return nb::steal(object);
}

/// A kern_module. Its functions keep it alive.
class Handle {
public:
  explicit Handle(kern_module *module) : module(module) {}
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  ~Handle() {
    // This waits for GPUs, and other threads may have to run meanwhile.
    nb::gil_scoped_release released;
    kern_module_release(module);
  }

  kern_module *get() const { return module; }

private:
  kern_module *module;
};

/// Runs `make(kern_module **)` without the GIL.
template <typename Make> Handle *makeModule(Make make) {
  kern_module *module = nullptr;
  kern_status status;
  {
    nb::gil_scoped_release released;
    status = make(&module);
  }
  check(status);
  return new Handle(module);
}

/// `includePath` must outlive the options.
kern_compile_options optionsOf(bool isPrecise, unsigned checks, bool remarks,
                               const std::string &includePath) {
  kern_compile_options options = {};
  options.size = sizeof options;
  options.fp_mode = isPrecise ? KERN_FP_PRECISE : KERN_FP_DEFAULT;
  options.checks = checks;
  options.remarks = remarks;
  options.include_path = includePath.c_str();
  return options;
}

Handle *compileText(std::string_view text, const std::string &name,
                    bool isPrecise, unsigned checks, bool remarks,
                    const std::string &includePath) {
  kern_compile_options options =
      optionsOf(isPrecise, checks, remarks, includePath);
  return makeModule([&](kern_module **module) {
    return kern_compile_source_with(text.data(), text.size(), name.c_str(),
                                    &options, module);
  });
}

Handle *loadFile(const std::string &path) {
  return makeModule([&](kern_module **module) {
    return kern_load_file(path.c_str(), module);
  });
}

Handle *loadText(nb::bytes text) {
  return makeModule([&](kern_module **module) {
    return kern_load_text(text.c_str(), text.size(), module);
  });
}

nb::object functionAt(const Handle &handle, size_t index, nb::object module,
                      nb::tuple parameters, bool isGufunc, uint64_t inouts,
                      uint64_t dims) {
  kern_function *function = kern_module_function_at(handle.get(), index);
  if (!function)
    throw nb::index_error();
  return own(makeFunction(function, module.ptr(), parameters.ptr(), isGufunc,
                          inouts, dims));
}

nb::dict describeDevice(nb::object which) {
  kern_device device;
  if (!readDevice(which.ptr(), device))
    throw nb::python_error();
  kern_device_info info = {};
  info.size = sizeof info;
  kern_status status;
  {
    nb::gil_scoped_release released;
    status = kern_device_describe(device, &info);
  }
  check(status);
  nb::dict out;
  out["name"] = info.name;
  out["compute_capability"] = info.compute_capability;
  out["multiprocessors"] = info.multiprocessors;
  out["memory"] = info.memory;
  out["memory_free"] = info.memory_free;
  return out;
}

void synchronize(nb::object which) {
  kern_device device;
  if (!readDevice(which.ptr(), device))
    throw nb::python_error();
  kern_status status;
  {
    nb::gil_scoped_release released;
    status = kern_synchronize(device);
  }
  check(status);
}

/// The function in `object`, which must be one.
FunctionObject &functionIn(nb::handle object) {
  if (!PyObject_TypeCheck(object.ptr(), functionType()))
    throw nb::type_error("a kern.Function is needed");
  return *reinterpret_cast<FunctionObject *>(object.ptr());
}

nb::object boundFunction(nb::handle function, nb::handle which) {
  kern_device device;
  if (!readDevice(which.ptr(), device))
    throw nb::python_error();
  return own(boundTo(functionIn(function), device));
}

nb::object resolveCall(nb::handle function, nb::tuple arguments,
                       nb::tuple outputs, nb::kwargs keywords) {
  return own(resolve(functionIn(function), arguments.ptr(), outputs.ptr(),
                     keywords.ptr()));
}

nb::object resolveNames(nb::handle function, nb::tuple arguments,
                        nb::tuple outputs, nb::kwargs keywords) {
  return own(resolve(functionIn(function), arguments.ptr(), outputs.ptr(),
                     keywords.ptr(), Types::Names));
}

nb::object resolveReductionOf(nb::handle function, int method, nb::handle dtype,
                              nb::tuple shape, nb::handle strides, int start,
                              nb::handle output, nb::tuple axes,
                              nb::handle wanted, bool masked) {
  return own(
      resolveReduction(functionIn(function),
                       {method, dtype.ptr(), shape.ptr(), strides.ptr(), start,
                        output.ptr(), axes.ptr(), wanted.ptr(), masked}));
}

nb::object resolveAtOf(nb::handle function, nb::handle dtype, nb::handle second,
                       int rank) {
  return own(resolveAt(functionIn(function), dtype.ptr(), second.ptr(), rank));
}

int64_t findOutsideOf(nb::handle array, int64_t low, int64_t high) {
  const int64_t position = findOutside(array.ptr(), low, high);
  if (position < -1)
    throw nb::python_error();
  return position;
}

nb::object methodOverride(nb::handle function, const std::string &method,
                          nb::tuple inputs, nb::tuple outputs,
                          nb::dict keywords) {
  return own(callMethodOverride(functionIn(function), method.c_str(),
                                inputs.ptr(), outputs.ptr(), keywords.ptr()));
}

nb::object makeNumpyUfunc(nb::handle function, nb::handle handle,
                          nb::tuple loops, nb::str name, nb::handle doc,
                          nb::handle signature, nb::handle identity) {
  return own(makeUfunc(functionIn(function), handle.ptr(), loops.ptr(),
                       name.ptr(), doc.ptr(), signature.ptr(), identity.ptr()));
}

/// The events that are taken, as tuples.
nb::list takeEvents(TraceRecorder &recorder) {
  nb::list out;
  for (const TraceRecorder::Event &event : recorder.take()) {
    const kern_trace_event &told = event.told;
    out.append(nb::make_tuple(
        int(told.kind), event.step, event.name, int(told.device.device_type),
        told.device.device_id, told.begin, told.end, told.bytes, told.elements,
        event.thread, told.has_succeeded != 0));
  }
  return out;
}

} // namespace

/// NumPy's tables of functions; false with an exception.
static bool importNumpy() {
  import_array1(false);
  import_umath1(false);
  return true;
}

NB_MODULE(_kern, m) {
  if (!importNumpy() || !makeScopes())
    throw nb::python_error();
  // Caches of other libraries, such as torch's compiled code, keep functions
  // alive until after Python's exit.
  nb::set_leak_warnings(false);
  m.doc() = "The library's functions. Use the package `kern`.";
  m.attr("Function") = own(makeFunctionType());
  m.attr("Prepared") = own(makePreparedType());
  m.attr("DeviceArray") = own(makeDeviceArrayType());

  nb::class_<Handle>(m, "ModuleHandle", "A compiled or loaded module.")
      .def("manifest",
           [](const Handle &handle) {
             return kern_module_manifest(handle.get());
           })
      .def("hash",
           [](const Handle &handle) { return kern_module_hash(handle.get()); })
      .def("diagnostics",
           [](const Handle &handle) {
             return own(diagnosticsList(kern_module_diagnostics(handle.get())));
           })
      .def("function_at", functionAt);

  nb::class_<TraceRecorder>(m, "TraceRecorder", "Keeps the library's events.")
      .def(nb::init<>())
      .def("start", [](TraceRecorder &recorder) { check(recorder.start()); })
      .def("stop", &TraceRecorder::stop)
      .def("take", takeEvents);

  m.def("compile_text", compileText);
  m.def("load_file", loadFile);
  m.def("load_text", loadText);
  m.def("set_include_path", [](const std::string &folders) {
    check(kern_set_include_path(folders.c_str()));
  });
  m.def("version", kern_version);
  m.def("cache_problem", kern_cache_problem);
  m.def("cuda_device_count", [] {
    nb::gil_scoped_release released;
    return kern_cuda_device_count();
  });
  m.def("cuda_unavailable_reason", kern_cuda_unavailable_reason);
  m.def("get_num_threads", kern_get_num_threads);
  m.def("set_num_threads",
        [](int count) { check(kern_set_num_threads(count)); });
  m.def(
      "enter_scope",
      [](nb::handle device, nb::handle stream, nb::handle threads,
         bool isDefault) {
        return own(
            enterScope(device.ptr(), stream.ptr(), threads.ptr(), isDefault));
      },
      nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg() = false);
  m.def("leave_scope", [](nb::handle token) {
    if (!leaveScope(token.ptr()))
      throw nb::python_error();
  });
  m.def("scope_is_elsewhere", [] {
    Reference scope = currentScope();
    return scope && namesAnotherDevice(PyTuple_GET_ITEM(scope.get(), 0));
  });
  m.def("scope_has_stream", [] {
    Reference scope = currentScope();
    return scope && PyTuple_GET_ITEM(scope.get(), 1) != Py_None;
  });
  m.def("describe_device", describeDevice);
  m.def("synchronize", synchronize);
  m.def("bound_to", boundFunction);
  m.def("resolve", resolveCall);
  m.def("resolve_names", resolveNames);
  m.def("resolve_reduction", resolveReductionOf, nb::arg(), nb::arg(),
        nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg().none(),
        nb::arg(), nb::arg().none(), nb::arg());
  m.def("resolve_at", resolveAtOf, nb::arg(), nb::arg(), nb::arg().none(),
        nb::arg());
  m.def("find_outside", findOutsideOf);
  m.def("method_override", methodOverride);
  m.def("foreign_form",
        [](nb::handle array) { return own(foreignForm(array.ptr())); });
  m.def("make_ufunc", makeNumpyUfunc, nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none());
  m.def("xla_handlers", [] { return own(xlaHandlers()); });
  m.def("forget_for_xla", forgetForXla);
  m.def("name_for_xla",
        [](const std::string &name, nb::handle function, uint64_t dims) {
          nameForXla(name, functionIn(function), dims);
        });
}
