//===- KernelVariant.cpp - which kernel of a loop -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/KernelVariant.h"

#include <algorithm>

using namespace kern::runtime;

std::optional<Form> kern::runtime::moreGeneral(Form form) {
  switch (form) {
  case Form::Contiguous:
  case Form::Inner:
  case Form::Tiled:
    return Form::Strided;
  case Form::Streamed:
    return Form::Contiguous;
  case Form::Across:
    return Form::General;
  case Form::Strided:
  case Form::General:
    break;
  }
  return std::nullopt;
}

/// The mappings whose kernels can serve a call that wants `mapping`, best
/// first.
static std::vector<Mapping> servingMappings(Mapping mapping) {
  std::vector<Mapping> list = {mapping};
  auto add = [&](Mapping other) {
    other.phase = mapping.phase;
    if (std::ranges::find(list, other) == list.end())
      list.push_back(other);
  };
  if (mapping.resident)
    for (unsigned more = mapping.chunks; more <= maxResidentChunks; ++more)
      add({.flat = mapping.flat,
           .sliced = mapping.sliced,
           .resident = true,
           .chunks = more,
           .recentred = mapping.recentred});
  if (mapping.spread)
    add({.staged = true});
  if (mapping.staged)
    add({.flat = true});
  if (mapping.privatised) {
    add({.flat = mapping.flat, .privatised = true});
    add({.flat = mapping.flat, .sliced = mapping.sliced});
  }
  if (mapping.across)
    add({.flat = mapping.flat, .across = true});
  if (mapping.recentred)
    add({.flat = mapping.flat, .sliced = true, .recentred = true});
  if (mapping.sliced)
    add({.flat = mapping.flat, .sliced = true});
  // A larger tile could compute much that nobody needs.
  if (mapping.tile)
    for (unsigned columns = mapping.tile; columns > 0; columns /= 2)
      add({.flat = true, .tile = columns});
  add({.flat = mapping.flat});
  add({});
  return list;
}

/// The kernel of exactly this form and mapping.
static std::optional<size_t> findKernel(std::span<const KernelInfo> kernels,
                                        Form form, Mapping mapping,
                                        bool disjoint) {
  std::optional<size_t> found;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const KernelInfo &kernel = kernels[i];
    if (kernel.form != form || kernel.mapping != mapping ||
        (kernel.disjoint && !disjoint))
      continue;
    if (!found || kernel.disjoint)
      found = i;
  }
  return found;
}

std::optional<size_t>
kern::runtime::bestKernel(std::span<const KernelInfo> kernels,
                          const KernelVariant &wanted) {
  for (std::optional<Form> form = wanted.form; form;
       form = moreGeneral(*form)) {
    if (*form != Form::General) {
      if (auto found =
              findKernel(kernels, *form, wanted.mapping, wanted.disjoint))
        return found;
      continue;
    }
    for (Mapping mapping : servingMappings(wanted.mapping))
      if (auto found = findKernel(kernels, *form, mapping, wanted.disjoint))
        return found;
  }
  // A flat kernel of a ufunc's form may be there as a gufunc's.
  if (wanted.mapping.flat && wanted.form != Form::General)
    return bestKernel(kernels, {.form = Form::General,
                                .disjoint = wanted.disjoint,
                                .mapping = wanted.mapping});
  return std::nullopt;
}
