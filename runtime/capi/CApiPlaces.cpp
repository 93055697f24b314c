//===- CApiPlaces.cpp - where calls over host arrays run ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/places.h"
#include "runtime/capi/SizedStruct.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/DefaultDevice.h"
#include "runtime/transfer/LinkRates.h"

using namespace kern::runtime;

extern "C" kern_device kern_default_device(void) {
  kern_device device = hostDevice();
  guarded([&]() -> Status {
    if (Expected<DLDevice> named = defaultDevice())
      device = *named;
    return {};
  });
  return device;
}

extern "C" kern_status kern_device_named(const char *name,
                                         kern_device *device) {
  return guarded([&]() -> Status {
    if (!name)
      return Error(ErrorCode::null_pointer, {"the name"});
    if (!device)
      return Error(ErrorCode::null_pointer, {"the place for the device"});
    Expected<DLDevice> named = deviceNamed(name);
    if (!named)
      return named.error();
    *device = *named;
    return {};
  });
}

static constexpr size_t ratesSizes[] = {sizeof(kern_rates)};
static constexpr StructVersions ratesVersions = {"kern_rates", ratesSizes};

extern "C" kern_status kern_device_rates(kern_device gpu, int measures,
                                         kern_rates *rates) {
  return guarded([&]() -> Status {
    if (!rates)
      return Error(ErrorCode::null_pointer, {"the place for the rates"});
    if (Status status = checkSizedPlace(ratesVersions, rates); !status)
      return status;
    if (int(rawValue(gpu.device_type)) != kDLCUDA)
      return Error(ErrorCode::no_device_of_type,
                   {int(rawValue(gpu.device_type)), gpu.device_id});
    Expected<std::shared_ptr<cuda::Context>> context =
        cuda::Platform::current()->context(gpu.device_id);
    if (!context)
      return context.error();
    LinkRates &link = (*context)->resource<LinkRates>();
    MachineRates found;
    if (measures) {
      Expected<MachineRates> measured = link.get();
      if (!measured)
        return (*context)->attribute(measured.error());
      found = *measured;
    } else {
      Expected<std::optional<MachineRates>> known = link.known();
      if (!known)
        return known.error();
      found = known->value_or(MachineRates());
    }
    const kern_rates filled = {sizeof filled, found.toDevice, found.toHost,
                               found.copied, found.start};
    writeSized(ratesVersions, &filled, rates);
    return {};
  });
}
