//===- XlaFfi.h - XLA's binary interface for functions of others -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What XLA passes to a function that it calls, and what such a function may ask
// for: as much of version 0.1 of the interface as Kern speaks. XLA takes every
// version from 0.1 on and only adds to the ends of these structs, so that one
// build serves every JAX; the layouts are those of xla/ffi/api/c_api.h.
// python/tests/test_xla_ffi.py compares them with the header of the installed
// JAX.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace kern::python::xla {

constexpr int majorVersion = 0, minorVersion = 1;
/// The name of the capsules in which functions are handed over.
constexpr const char *capsuleName = "xla._CUSTOM_CALL_TARGET";

/// What may be chained to a struct; `type` says what it is.
struct Extension {
  size_t size;
  int type;
  Extension *next;
};
constexpr int metadataExtension = 1;

struct Version {
  size_t size;
  Extension *extensions;
  int major, minor;
};

/// What XLA asks a function about itself, before it calls it.
struct Metadata {
  size_t size;
  Version version;
  uint32_t traits;
};
struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

/// XLA's element types, as far as Kern has them.
enum class Type : int {
  Bool = 1,
  I8 = 2,
  I16 = 3,
  I32 = 4,
  I64 = 5,
  U8 = 6,
  U16 = 7,
  U32 = 8,
  U64 = 9,
  F16 = 10,
  F32 = 11,
  F64 = 12,
  C64 = 15,
  BF16 = 16,
  C128 = 18
};

/// A dense array in C order.
struct Buffer {
  size_t size;
  Extension *extensions;
  Type type;
  void *data;
  int64_t rank;
  int64_t *shape;
};

struct Text {
  const char *data;
  size_t length;
};

/// An attribute of several numbers.
struct Numbers {
  Type type;
  size_t count;
  const void *data;
};

enum class AttributeKind : int { Numbers = 1, Dictionary, Number, Text };

/// Arguments or results: each is a Buffer, whose kind is 1.
struct Operands {
  size_t size;
  Extension *extensions;
  int64_t count;
  const int *kinds;
  void **values;
};
constexpr int bufferKind = 1;

/// Sorted by their names.
struct Attributes {
  size_t size;
  Extension *extensions;
  int64_t count;
  const AttributeKind *kinds;
  const Text *const *names;
  void **values;
};

struct Context; ///< XLA's own
struct Failure; ///< XLA's own; NULL is success

enum class ErrorCode : int { InvalidArgument = 3, NotFound = 5, Internal = 13 };

struct FailureRequest {
  size_t size;
  Extension *extensions;
  const char *message;
  ErrorCode code;
};

struct StreamRequest {
  size_t size;
  Extension *extensions;
  Context *context;
  void *stream; ///< is set
};

struct DeviceRequest {
  size_t size;
  Extension *extensions;
  Context *context;
  int32_t device; ///< is set
};

/// What XLA does for the functions that it calls. Members that Kern has no use
/// for have no type here. One record, since XLA lays it out.
struct Api {
  size_t size;
  Extension *extensions;
  Version version;
  const void *internal;
  Failure *(*makeFailure)(FailureRequest *request);
  void *failureMessage, *destroyFailure, *registerHandler;
  Failure *(*stream)(StreamRequest *request);
  void *registerType, *context, *setState, *state, *allocate, *free, *schedule,
      *threadCount, *makeFuture, *fulfil, *fail, *runId;
  /// Of version 0.2 on.
  Failure *(*device)(DeviceRequest *request);

  bool hasDevice() const { return size >= sizeof(Api); }
};

enum class Stage : int { Instantiate, Prepare, Initialize, Execute };

struct Call {
  size_t size;
  Extension *extensions;
  const Api *api;
  Context *context;
  Stage stage;
  Operands arguments, results;
  Attributes attributes;
};

} // namespace kern::python::xla
