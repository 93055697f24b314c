//===- Peers.cpp - GPUs that reach one another's memory -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Peers.h"

using namespace kern::runtime::cuda;

/// Lets `reader` reach what `owner` allocates, from its pool too. Another
/// library may have done so.
static void grant(const Context &reader, const Context &owner) {
  const Driver &driver = reader.driver();
  CUdevice from = 0, to = 0;
  int can = 0;
  if (driver.cuDeviceGet(&from, reader.ordinal()) != CUDA_SUCCESS ||
      driver.cuDeviceGet(&to, owner.ordinal()) != CUDA_SUCCESS ||
      driver.cuDeviceCanAccessPeer(&can, from, to) != CUDA_SUCCESS || !can)
    return;
  ContextScope scope(reader);
  if (!scope.status)
    return;
  CaptureUndisturbed undisturbed(driver);
  driver.cuCtxEnablePeerAccess(owner.handle(), 0);
  if (!owner.pool())
    return;
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = reader.ordinal();
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  driver.cuMemPoolSetAccess(owner.pool(), &access, 1);
}

void Peers::connect(const Context &self, const Context &peer) {
  std::lock_guard lock(mutex);
  if (!known.insert(peer.key()).second)
    return;
  grant(self, peer);
  grant(peer, self);
}
