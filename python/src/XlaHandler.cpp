//===- XlaHandler.cpp - Kern's functions in XLA's programs ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XLA runs these on threads of its own. Nothing here touches Python.
//
//===----------------------------------------------------------------------===//
#include "XlaHandler.h"
#include "Pool.h"
#include "Reference.h"
#include "XlaFfi.h"

#include <atomic>
#include <bit>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>

using namespace kern::python;

namespace {

/// The functions that XLA's programs may call. They are kept until Python
/// exits, since it is unknown which programs still exist.
class Known {
public:
  /// A function during a call.
  class Entry {
  public:
    Entry(const FunctionObject &function, uint64_t dims)
        : function(function), dims(dims) {
      calls.fetch_add(1);
    }
    ~Entry() {
      calls.fetch_sub(1);
      calls.notify_all();
    }
    Entry(const Entry &) = delete;
    Entry &operator=(const Entry &) = delete;

    const FunctionObject &function;
    const uint64_t dims; ///< a bit for each `dim` parameter
  };

  void add(const std::string &name, FunctionObject &function, uint64_t dims) {
    std::unique_lock lock(mutex);
    if (functions.emplace(name, Row{&function, dims}).second)
      Py_INCREF(reinterpret_cast<PyObject *>(&function));
  }

  /// Fills `entry`, or leaves it empty.
  void find(std::string_view name, std::optional<Entry> &entry) const {
    std::shared_lock lock(mutex);
    auto at = functions.find(std::string(name));
    if (at != functions.end())
      entry.emplace(*at->second.function, at->second.dims);
  }

  /// Forgets all functions once no call is running.
  void clear() {
    std::unordered_map<std::string, Row> gone;
    PyThreadState *letGo = PyEval_SaveThread();
    {
      std::unique_lock lock(mutex);
      gone.swap(functions);
    }
    for (int now = calls; now != 0; now = calls)
      calls.wait(now);
    PyEval_RestoreThread(letGo);
    for (auto &[name, row] : gone)
      Py_DECREF(reinterpret_cast<PyObject *>(row.function));
  }

  static Known &all() {
    static Known *known = new Known; // outlives XLA's threads
    return *known;
  }

private:
  struct Row {
    FunctionObject *function;
    uint64_t dims;
  };
  mutable std::shared_mutex mutex;
  std::unordered_map<std::string, Row> functions;
  static inline std::atomic<int> calls = 0;
};

xla::Failure *fail(const xla::Call &call, xla::ErrorCode code,
                   const std::string &message) {
  xla::FailureRequest request = {sizeof request, nullptr, message.c_str(),
                                 code};
  return call.api->makeFailure(&request);
}

std::optional<kern_dtype> typeOf(xla::Type type) {
  switch (type) {
  case xla::Type::Bool:
    return KERN_BOOL;
  case xla::Type::I8:
    return KERN_I8;
  case xla::Type::I16:
    return KERN_I16;
  case xla::Type::I32:
    return KERN_I32;
  case xla::Type::I64:
    return KERN_I64;
  case xla::Type::U8:
    return KERN_U8;
  case xla::Type::U16:
    return KERN_U16;
  case xla::Type::U32:
    return KERN_U32;
  case xla::Type::U64:
    return KERN_U64;
  case xla::Type::F16:
    return KERN_F16;
  case xla::Type::F32:
    return KERN_F32;
  case xla::Type::F64:
    return KERN_F64;
  case xla::Type::C64:
    return KERN_C64;
  case xla::Type::BF16:
    return KERN_BF16;
  case xla::Type::C128:
    return KERN_C128;
  }
  return std::nullopt;
}

/// The value of an attribute of this name and kind; NULL if there is none.
const void *attribute(const xla::Call &call, std::string_view name,
                      xla::AttributeKind kind) {
  const xla::Attributes &all = call.attributes;
  for (int64_t i = 0; i < all.count; ++i)
    if (std::string_view(all.names[i]->data, all.names[i]->length) == name &&
        all.kinds[i] == kind)
      return all.values[i];
  return nullptr;
}

/// One call from XLA, as the C interface takes it.
class XlaCall {
public:
  XlaCall(const xla::Call &call, const Known::Entry &known)
      : call(call), function(known.function), dims(known.dims),
        tensors(size_t(call.arguments.count + call.results.count)) {}

  xla::Failure *make(DLDeviceType where);

private:
  bool read(const xla::Operands &operands, size_t i, DLTensor &tensor);
  xla::Failure *readOperands();
  xla::Failure *takeDevice(DLDeviceType where);

  const xla::Call &call;
  const FunctionObject &function;
  const uint64_t dims;
  kern_call_options options = {sizeof options, 1, {kDLCPU, 0}, nullptr};
  Pool<DLTensor, 8> tensors;
  std::array<kern_value, maxOperands> values;
  std::array<const DLTensor *, maxOperands> outputs;
};

bool XlaCall::read(const xla::Operands &operands, size_t i, DLTensor &tensor) {
  auto *buffer = static_cast<const xla::Buffer *>(operands.values[i]);
  std::optional<kern_dtype> type;
  if (operands.kinds[i] == xla::bufferKind)
    type = typeOf(buffer->type);
  if (!type)
    return false;
  tensor = {};
  tensor.data = buffer->data;
  tensor.device = options.device;
  tensor.ndim = int(buffer->rank);
  tensor.dtype = kern_dtype_to_dl(*type);
  tensor.shape = buffer->shape;
  return true;
}

xla::Failure *XlaCall::takeDevice(DLDeviceType where) {
  if (where == kDLCPU)
    return nullptr;
  options.device = {where, 0};
  xla::StreamRequest stream = {sizeof stream, nullptr, call.context, nullptr};
  if (xla::Failure *failure = call.api->stream(&stream))
    return failure;
  options.stream = stream.stream;
  if (!call.api->hasDevice())
    return nullptr;
  xla::DeviceRequest device = {sizeof device, nullptr, call.context, 0};
  if (xla::Failure *failure = call.api->device(&device))
    return failure;
  options.device.device_id = device.device;
  return nullptr;
}

xla::Failure *XlaCall::readOperands() {
  // Values of `dim` parameters come as an attribute, in their order.
  auto *sizes = static_cast<const xla::Numbers *>(
      attribute(call, "dims", xla::AttributeKind::Numbers));
  size_t arrays = size_t(call.arguments.count), array = 0, dim = 0;
  size_t dimCount = size_t(std::popcount(dims));
  bool hasSizes = dimCount == 0 || (sizes && sizes->type == xla::Type::I64 &&
                                    sizes->count == dimCount);
  if (!hasSizes || arrays + dimCount != function.inputCount ||
      size_t(call.results.count) != function.outputCount)
    return fail(call, xla::ErrorCode::InvalidArgument,
                std::string("`") + kern_function_name(function.function) +
                    "` is not the function that this program was made for");
  for (size_t i = 0; i < function.inputCount; ++i) {
    values[i] = {};
    if (dims >> i & 1) {
      values[i].kind = KERN_VALUE_WEAK_INT;
      values[i].as.integer = static_cast<const int64_t *>(sizes->data)[dim++];
      continue;
    }
    if (!read(call.arguments, array, tensors[array]))
      return fail(call, xla::ErrorCode::InvalidArgument,
                  "Kern has no such element type");
    values[i].kind = KERN_VALUE_ARRAY;
    values[i].as.array = &tensors[array++];
  }
  for (size_t i = 0; i < function.outputCount; ++i) {
    if (!read(call.results, i, tensors[arrays + i]))
      return fail(call, xla::ErrorCode::InvalidArgument,
                  "Kern has no such element type");
    outputs[i] = &tensors[arrays + i];
  }
  return nullptr;
}

xla::Failure *XlaCall::make(DLDeviceType where) {
  if (xla::Failure *failure = takeDevice(where))
    return failure;
  if (xla::Failure *failure = readOperands())
    return failure;
  kern_status status = kern_call(function.function, values.data(),
                                 function.inputCount, outputs.data(), nullptr,
                                 function.outputCount, &options, nullptr);
  if (status == KERN_OK)
    return nullptr;
  return fail(call,
              status == KERN_ERROR_INTERNAL ? xla::ErrorCode::Internal
                                            : xla::ErrorCode::InvalidArgument,
              kern_last_error());
}

template <DLDeviceType where> xla::Failure *handle(xla::Call *call) {
  if (call->extensions && call->extensions->type == xla::metadataExtension) {
    xla::Metadata &metadata =
        *reinterpret_cast<xla::MetadataExtension *>(call->extensions)->metadata;
    metadata.version = {sizeof metadata.version, nullptr, xla::majorVersion,
                        xla::minorVersion};
    metadata.traits = 0;
    return nullptr;
  }
  auto *name = static_cast<const xla::Text *>(
      attribute(*call, "function", xla::AttributeKind::Text));
  std::optional<Known::Entry> known;
  if (name)
    Known::all().find({name->data, name->length}, known);
  if (!known)
    return fail(*call, xla::ErrorCode::NotFound,
                "this program calls the Kern function " +
                    (name ? std::string(name->data, name->length)
                          : std::string("(unnamed)")) +
                    ", which this process does not have: compile its source, "
                    "and give it to kern.jax.wrap");
  return XlaCall(*call, *known).make(where);
}

PyObject *capsule(xla::Failure *(*handler)(xla::Call *)) {
  return PyCapsule_New(reinterpret_cast<void *>(handler), xla::capsuleName,
                       nullptr);
}

} // namespace

void kern::python::nameForXla(const std::string &name, FunctionObject &function,
                              uint64_t dims) {
  Known::all().add(name, function, dims);
}

void kern::python::forgetForXla() { Known::all().clear(); }

PyObject *kern::python::xlaHandlers() {
  Reference cpu(capsule(handle<kDLCPU>)), cuda(capsule(handle<kDLCUDA>));
  if (!cpu || !cuda)
    return nullptr;
  return Py_BuildValue("{sOsO}", "cpu", cpu.get(), "CUDA", cuda.get());
}
