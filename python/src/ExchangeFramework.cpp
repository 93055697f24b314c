//===- ExchangeFramework.cpp - DLPack's C exchange, as of torch -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "Frameworks.h"
#include "kern/kern.h"

#include <algorithm>

using namespace kern::python;

namespace {

void setError(void *, const char *kind, const char *message) {
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_RuntimeError, "%s: %s", kind, message);
}

/// Any library with the table of DLPack 1.3.
class Exchange : public Framework {
public:
  Exchange(const dlpack::ExchangeApi &api, const char *package)
      : api(api), package(package) {}

  const char *name() const override { return package; }

  bool read(PyObject *object, Access access, ArrayRef &array) override {
    if (api.viewOf && access == Access::Read)
      return api.viewOf(object, &array.tensor) == 0;
    if (api.fromObject(object, &array.managed) != 0)
      return false;
    array.tensor = array.managed->tensor;
    if (access == Access::Write &&
        array.managed->flags & dlpack::readOnlyFlag) {
      PyErr_SetString(PyExc_ValueError, "output array is read-only");
      return false;
    }
    return true;
  }

  bool keepsStrides() const override { return true; }

  PyObject *allocate(const DLTensor &form, void **data) override {
    dlpack::ManagedTensor *made =
        isCompact(form) ? memoryFor(form) : Rearranged::make(*this, form);
    if (!made)
      return nullptr;
    *data = static_cast<char *>(made->tensor.data) + made->tensor.byte_offset;
    void *object = nullptr;
    if (api.toObject(made, &object) != 0)
      return nullptr;
    return static_cast<PyObject *>(object);
  }

  bool currentStream(DLDevice device, void **stream) override {
    return api.currentStream(device.device_type, device.device_id, stream) == 0;
  }

private:
  /// NULL with an exception.
  dlpack::ManagedTensor *memoryFor(const DLTensor &form) const {
    DLTensor prototype = form;
    dlpack::ManagedTensor *made = nullptr;
    if (api.allocate(&prototype, &made, nullptr, setError) == 0)
      return made;
    if (!PyErr_Occurred())
      PyErr_NoMemory();
    return nullptr;
  }

  /// The exchange's allocator makes only C order. This allocates as many
  /// elements by it and sets other strides.
  struct Rearranged {
    dlpack::ManagedTensor tensor;
    dlpack::ManagedTensor *memory;
    std::array<int64_t, maxDimensions> shape, strides;

    static dlpack::ManagedTensor *make(const Exchange &exchange,
                                       const DLTensor &form) {
      int64_t count = 1, unit = 1;
      for (int i = 0; i < form.ndim; ++i)
        count *= form.shape[i];
      DLTensor flat = form;
      flat.ndim = 1;
      flat.shape = &count;
      flat.strides = &unit;
      dlpack::ManagedTensor *memory = exchange.memoryFor(flat);
      if (!memory)
        return nullptr;
      auto *made = new Rearranged{*memory, memory, {}, {}};
      std::copy_n(form.shape, form.ndim, made->shape.begin());
      std::copy_n(form.strides, form.ndim, made->strides.begin());
      DLTensor &tensor = made->tensor.tensor;
      tensor.ndim = form.ndim;
      tensor.shape = made->shape.data();
      tensor.strides = made->strides.data();
      made->tensor.managerContext = made;
      made->tensor.deleter = [](dlpack::ManagedTensor *self) {
        auto *whole = static_cast<Rearranged *>(self->managerContext);
        whole->memory->deleter(whole->memory);
        delete whole;
      };
      return &made->tensor;
    }
  };

  const dlpack::ExchangeApi &api;
  const char *package;
};

/// A property of a type's objects: an attribute, or a method without arguments.
/// If the type implements it in C, it is called without a look-up.
class Fact {
public:
  /// `object`'s type is `type`.
  Fact(PyTypeObject *type, const char *text) : name(text) {
    Reference found(
        PyObject_GetAttr(reinterpret_cast<PyObject *>(type), name.get()));
    if (!found) {
      PyErr_Clear();
    } else if (Py_IS_TYPE(found.get(), &PyGetSetDescr_Type)) {
      getter =
          reinterpret_cast<PyGetSetDescrObject *>(found.release())->d_getset;
    } else if (Py_IS_TYPE(found.get(), &PyMethodDescr_Type)) {
      auto *descriptor = reinterpret_cast<PyMethodDescrObject *>(found.get());
      if (descriptor->d_method->ml_flags == METH_NOARGS) {
        method = descriptor->d_method->ml_meth;
        found.release();
      }
    }
  }

  /// As an attribute; an empty reference with an exception.
  Reference get(PyObject *object) const {
    return getter ? Reference(getter->get(object, getter->closure))
                  : attribute(object, name);
  }
  /// As a method.
  Reference ask(PyObject *object) const {
    return Reference(method ? method(object, nullptr)
                            : PyObject_CallMethodNoArgs(object, name.get()));
  }

private:
  Name name;
  const PyGetSetDef *getter = nullptr; ///< of a type that is kept for ever
  PyCFunction method = nullptr;
};

/// torch, and what its exchange does not tell.
class Torch : public Exchange {
public:
  Torch(const dlpack::ExchangeApi &api, PyTypeObject *type)
      : Exchange(api, "torch"), requiresGrad(type, "requires_grad"),
        isConj(type, "is_conj"), isNeg(type, "is_neg") {}

  bool read(PyObject *object, Access, ArrayRef &array) override {
    // No tensor is read-only, so one that will be written is borrowed too.
    if (hasGradient(object) || !Exchange::read(object, Access::Read, array))
      return false;
    switch (array.tensor.dtype.code) {
    case kDLComplex:
      return !isLazy(object, isConj, "conj") && !isLazy(object, isNeg, "neg");
    case kDLFloat: // the imaginary part of a conjugate, say
    case kDLBfloat:
      return !isLazy(object, isNeg, "neg");
    default:
      return true;
    }
  }

private:
  /// Refuses a tensor whose gradient would be lost.
  bool hasGradient(PyObject *object) const {
    Reference answer = requiresGrad.get(object);
    if (!answer || answer.get() != Py_True)
      return !answer;
    Reference torch(PyImport_ImportModule("torch"));
    Reference recording(
        torch ? PyObject_CallMethod(torch.get(), "is_grad_enabled", nullptr)
              : nullptr);
    if (recording && recording.get() == Py_True)
      PyErr_SetString(PyExc_RuntimeError,
                      "a tensor that requires grad was given to a Kern "
                      "function, which records no gradient: call .detach(), "
                      "use torch.no_grad(), or make an operator with "
                      "kern.torch.op");
    return PyErr_Occurred() != nullptr;
  }

  /// torch may only mark a tensor as conjugated or negated, without changing
  /// its memory.
  static bool isLazy(PyObject *object, const Fact &fact, const char *what) {
    Reference answer = fact.ask(object);
    if (answer && answer.get() == Py_False)
      return false;
    if (answer)
      PyErr_Format(PyExc_ValueError,
                   "a tensor with torch's lazy %s was given; call "
                   ".resolve_%s()",
                   what, what);
    return true;
  }

  Fact requiresGrad, isConj, isNeg;
};

} // namespace

Framework *kern::python::exchangeFrameworkOf(PyTypeObject *type) {
  Reference capsule(PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                           "__dlpack_c_exchange_api__"));
  auto *api = capsule && PyCapsule_IsValid(capsule.get(), dlpack::exchangeName)
                  ? static_cast<dlpack::ExchangeApi *>(PyCapsule_GetPointer(
                        capsule.get(), dlpack::exchangeName))
                  : nullptr;
  PyErr_Clear();
  while (api && api->version.major > 1)
    api = api->previous;
  if (!api || api->version.major != 1)
    return nullptr;
  // One for each table, never freed; the caller remembers it.
  if (isOf(type, "torch"))
    return new Torch(*api, type);
  return new Exchange(*api, type->tp_name);
}
