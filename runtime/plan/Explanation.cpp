//===- Explanation.cpp - why operands are read as they are ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Explanation.h"
#include "runtime/error/Counted.h"

#include <algorithm>

using namespace kern;

static int64_t sizeOf(const KernelOperand &operand) {
  return int64_t(itemSize(operand.inMemory()));
}

static uint64_t addressOf(const KernelOperand &operand) {
  return uint64_t(reinterpret_cast<uintptr_t>(operand.data));
}

static std::string bytesText(int64_t bytes) {
  return counted(size_t(bytes), "byte");
}

static std::string apart(int64_t stride) {
  return "its elements lie " + bytesText(std::abs(stride)) + " apart";
}

/// Why an operand is no single row of elements side by side; "" if it is one.
static std::string fromOneRow(const Extents &strides, const Extents &extents,
                              int64_t size) {
  if (strides.empty())
    return "";
  if (strides[0] == 0)
    return "stands still along the innermost dimension";
  if (strides[0] == -size)
    return "runs backwards";
  if (strides[0] != size)
    return "has its elements " + bytesText(std::abs(strides[0])) + " apart";
  for (size_t d = 1; d < strides.size(); ++d) {
    int64_t row = strides[d - 1] * extents[d - 1];
    if (strides[d] == 0)
      return "is the same for " + std::to_string(extents[d]) + " rows of " +
             bytesText(row);
    if (strides[d] != row)
      return "has rows of " + bytesText(row) + " that begin " +
             bytesText(std::abs(strides[d])) + " apart";
  }
  return "";
}

/// The first operand that is not as the contiguous form wants all to be.
static void blame(Explanation &out, const Layout &layout,
                  std::span<const KernelOperand> operands, size_t alignment) {
  auto find = [&](auto obstacle) {
    for (size_t k = 0; k < operands.size() && out.why.empty(); ++k)
      if (!operands[k].isScalar) {
        out.why = obstacle(k);
        out.culprit = k;
      }
  };
  find([&](size_t k) {
    return fromOneRow(layout.strides[k], layout.extents, sizeOf(operands[k]));
  });
  find([&](size_t k) -> std::string {
    uint64_t beyond = addressOf(operands[k]) % alignment;
    return beyond ? "begins " + bytesText(int64_t(beyond)) +
                        " after a multiple of " + std::to_string(alignment)
                  : "";
  });
}

/// A chunk of as many elements of this operand as of the widest.
static Access chunkAccess(int64_t elements, int64_t size, size_t widest) {
  int64_t bytes = elements * size;
  return {bytes, bytes < int64_t(widest)
                     ? "another operand's elements are wider"
                     : ""};
}

/// The elements of one access of a contiguous kernel in this call.
static int64_t chunkOf(const KernelInfo &kernel,
                       std::span<const KernelOperand> operands) {
  int64_t widest = 1, widestArray = 1;
  bool isScalarCall = true;
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    widest = std::max(widest, sizeOf(operand));
    if (!operand.isScalar)
      widestArray = std::max(widestArray, sizeOf(operand));
    isScalarCall &=
        k == 0 || operand.isOutput || operand.isMask || operand.isScalar;
  }
  return contiguousChunk(kernel, widest, isScalarCall ? widestArray : widest);
}

namespace {
/// Whether chunks of the inner form, which begin where those of the first
/// output do, begin at multiples of their bytes in another operand too.
class ChunkPhase {
public:
  ChunkPhase(const Layout &layout, std::span<const KernelOperand> operands,
             int64_t elements)
      : layout(layout), operands(operands), elements(elements) {
    while (output + 1 < operands.size() && !operands[output].isOutput)
      ++output;
  }

  bool fits(size_t k) const {
    int64_t size = sizeOf(operands[k]);
    bool isReversed = layout.strides[k][0] < 0;
    // In a reversed row a chunk's lowest address is that of its last element.
    bool isWhole =
        agrees(int64_t(addressOf(operands[k])) / size + isReversed,
               int64_t(addressOf(operands[output])) / sizeOf(operands[output]),
               isReversed);
    for (size_t d = 1; d < layout.rank(); ++d)
      isWhole &= layout.strides[k][d] % size == 0 &&
                 agrees(layout.strides[k][d] / size,
                        layout.strides[output][d] / sizeOf(operands[output]),
                        isReversed);
    return isWhole;
  }

private:
  bool agrees(int64_t own, int64_t first, bool isReversed) const {
    return (isReversed ? own + first : own - first) % elements == 0;
  }

  const Layout &layout;
  std::span<const KernelOperand> operands;
  int64_t elements;
  size_t output = 0;
};
} // namespace

static Access innerAccess(const Layout &layout, const ChunkPhase &phase,
                          int64_t elements, size_t k, int64_t size) {
  int64_t stride = layout.strides[k][0];
  if (stride == 0)
    return {size, "one element serves a whole row"};
  if (std::abs(stride) != size)
    return {size, apart(stride)};
  if (!phase.fits(k))
    return {size, "its rows do not begin at multiples of " +
                      bytesText(elements * size) + " where the result's do"};
  return chunkAccess(elements, size, vectorBytes);
}

static Access stridedAccess(const Extents &strides, int64_t size) {
  if (strides.empty() || strides[0] == size)
    return {size, "not all operands have rows for vectors"};
  if (strides[0] == 0)
    return {size, "it stands still along the innermost dimension"};
  return {size, apart(strides[0])};
}

/// A gufunc's operand: what a reduction along its last dimension can do.
static Access coreAccess(const KernelInfo &kernel, const KernelOperand &operand,
                         const Extents &loopStrides) {
  int64_t size = sizeOf(operand), bytes = kernel.elements * size;
  if (!operand.hasCore)
    return {size, "one element for each element of the loop"};
  if (kernel.elements == 1 || operand.isOutput)
    return {size, "no reduction reads its elements side by side"};
  if (operand.coreStrides.back() != size)
    return {size, apart(operand.coreStrides.back())};
  bool isWhole = addressOf(operand) % uint64_t(bytes) == 0;
  for (const Extents &strides :
       {loopStrides,
        Extents(operand.coreStrides.begin(), operand.coreStrides.end() - 1)})
    for (int64_t stride : strides)
      isWhole &= stride % bytes == 0;
  if (!isWhole)
    return {size, "its rows do not begin at multiples of " + bytesText(bytes)};
  return {bytes, ""};
}

Explanation kern::explainCuda(const KernelInfo &kernel, const Layout &layout,
                              std::span<const KernelOperand> operands,
                              uint64_t across) {
  Explanation out;
  bool isUfunc = kernel.form != Form::General;
  // Nothing is in the way of accesses of 16 bytes: the kernel's were wider.
  for (size_t alignment : {vectorBytes, widestVectorBytes})
    if (isUfunc && kernel.form != Form::Contiguous && out.why.empty())
      blame(out, layout, operands, alignment);
  auto elements = int64_t(std::max(kernel.elements, 1u));
  ChunkPhase phase(layout, operands, elements);
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    int64_t size = sizeOf(operand);
    Access access;
    if (operand.isMask && kernel.form == Form::Tiled)
      access = {size, "it is read where it lies"};
    else if (!operand.isScalar)
      switch (kernel.form) {
      case Form::Contiguous:
        access = chunkAccess(chunkOf(kernel, operands), size, kernel.alignment);
        break;
      case Form::Inner:
        access = innerAccess(layout, phase, elements, k, size);
        break;
      case Form::Tiled:
        access = {size, across >> k & 1
                            ? "it lies across the result: through shared memory"
                            : "tiles are taken element by element"};
        break;
      case Form::Strided:
        access = stridedAccess(layout.strides[k], size);
        break;
      case Form::General:
        access = coreAccess(kernel, operand, layout.strides[k]);
        break;
      case Form::Streamed: // the host's
        break;
      }
    out.accesses.push_back(std::move(access));
  }
  return out;
}

Explanation kern::explainHost(const KernelInfo &kernel, const Layout &layout,
                              std::span<const KernelOperand> operands,
                              const HostTiling &tiling) {
  Explanation out;
  bool isUfunc = kernel.form != Form::General;
  if (isUfunc)
    blame(out, layout, operands, 1);
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    int64_t size = sizeOf(operand);
    HostWalk walk =
        k < tiling.walks.size() ? tiling.walks[k] : HostWalk::Direct;
    Access access;
    if (operand.isScalar) {
    } else if (operand.isMask) {
      access = {size, "it is looked at where results are written"};
    } else if (!isUfunc) {
      bool isDense = operand.hasCore && operand.coreStrides.back() == size;
      access = {size, !operand.hasCore ? "one element for each of the loop"
                      : isDense        ? ""
                                       : apart(operand.coreStrides.back())};
    } else if (walk == HostWalk::Uniform) {
      access = {size, "one element serves a whole row"};
    } else {
      bool isBuffered =
          walk == HostWalk::Packed || passesBuffer(operand, hasMask(operands));
      access = {int64_t(std::max(kernel.elements, 1u)) * size,
                isBuffered ? "by way of a buffer" : ""};
    }
    out.accesses.push_back(std::move(access));
  }
  return out;
}

std::string kern::text(const Explanation &explanation,
                       std::span<const std::string> labels) {
  std::string out;
  if (!explanation.why.empty())
    out += "not contiguous: " + labels[explanation.culprit] + " " +
           explanation.why + "\n";
  for (size_t k = 0; k < explanation.accesses.size(); ++k) {
    const Access &access = explanation.accesses[k];
    out += labels[k] + ": ";
    out += access.bytes ? bytesText(access.bytes) + " at a time" : "by value";
    if (!access.why.empty())
      out += "; " + access.why;
    out += "\n";
  }
  return out;
}
