//===- Explanation.cpp - how operands are accessed, and why ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Explanation.h"
#include "runtime/error/Counted.h"

#include <algorithm>

using namespace kern::runtime;

static int64_t sizeOf(const KernelOperand &operand) {
  return int64_t(itemSize(operand.inMemory()));
}

/// Of what is in memory; ranges may begin anywhere.
static uint64_t addressOf(const KernelOperand &operand) {
  if (operand.rangeStep)
    return 0;
  return uint64_t(reinterpret_cast<uintptr_t>(operand.data));
}

static std::string bytesText(int64_t bytes) {
  return counted(size_t(bytes), "byte");
}

static Obstacle apart(int64_t stride) {
  return {ObstacleKind::elements_apart, {bytesText(std::abs(stride))}};
}

/// Why an operand's elements are not one contiguous row, if they are not.
static Obstacle fromOneRow(const Strides &strides, const Extents &extents,
                           int64_t size) {
  if (strides.empty())
    return {};
  if (strides[0] == 0)
    return ObstacleKind::row_stands_still;
  if (strides[0] == -size)
    return ObstacleKind::row_backwards;
  if (strides[0] != size)
    return {ObstacleKind::row_with_gaps, {bytesText(std::abs(strides[0]))}};
  for (size_t d = 1; d < strides.size(); ++d) {
    int64_t row = strides[d - 1] * extents[d - 1];
    if (strides[d] == 0)
      return {ObstacleKind::rows_repeat, {extents[d], bytesText(row)}};
    if (strides[d] != row)
      return {ObstacleKind::rows_apart,
              {bytesText(row), bytesText(std::abs(strides[d]))}};
  }
  return {};
}

/// The first operand that does not meet the contiguous form's requirements.
static void findCulprit(Explanation &out, const Layout &layout,
                        std::span<const KernelOperand> operands,
                        size_t alignment) {
  auto find = [&](auto obstacleOf) {
    for (size_t k = 0; k < operands.size() && !out.obstacle; ++k)
      if (!operands[k].isScalar) {
        out.obstacle = obstacleOf(k);
        out.culprit = k;
      }
  };
  find([&](size_t k) {
    return fromOneRow(layout.strides[k], layout.extents,
                      operands[k].denseStride());
  });
  find([&](size_t k) -> Obstacle {
    uint64_t beyond = addressOf(operands[k]) % alignment;
    if (!beyond)
      return {};
    return {ObstacleKind::begins_unaligned,
            {bytesText(int64_t(beyond)), alignment}};
  });
}

/// A chunk of this operand with as many elements as the widest operand's.
static Access chunkAccess(int64_t elements, int64_t size, size_t widest) {
  int64_t bytes = elements * size;
  return {bytes, bytes < int64_t(widest) ? ObstacleKind::wider_operand
                                         : ObstacleKind::none};
}

/// The elements per access of a contiguous kernel in this call.
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
/// Chunks of the inner form begin where the first output's do. Tells whether
/// they are aligned in another operand too.
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
    // In a reversed row, the lowest address of a chunk is that of its last
    // element.
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
    return {size, ObstacleKind::one_for_row};
  if (std::abs(stride) != size)
    return {size, apart(stride)};
  if (!phase.fits(k))
    return {size,
            {ObstacleKind::rows_out_of_step, {bytesText(elements * size)}}};
  return chunkAccess(elements, size, vectorBytes);
}

static Access stridedAccess(const Strides &strides, int64_t size) {
  if (strides.empty() || strides[0] == size)
    return {size, ObstacleKind::no_vector_rows};
  if (strides[0] == 0)
    return {size, ObstacleKind::stands_still};
  return {size, apart(strides[0])};
}

/// The access to a gufunc's operand, which a reduction along its last dimension
/// can widen.
static Access coreAccess(const KernelInfo &kernel, const KernelOperand &operand,
                         const Strides &loopStrides) {
  int64_t size = sizeOf(operand), bytes = kernel.elements * size;
  if (!operand.hasCore)
    return {size, ObstacleKind::one_for_element};
  if (kernel.elements == 1 || operand.isOutput)
    return {size, ObstacleKind::no_reduction};
  if (operand.coreStrides.back() != size)
    return {size, apart(operand.coreStrides.back())};
  bool isWhole = addressOf(operand) % uint64_t(bytes) == 0;
  for (const Strides &strides :
       {loopStrides,
        Strides(operand.coreStrides.begin(), operand.coreStrides.end() - 1)})
    for (int64_t stride : strides)
      isWhole &= stride % bytes == 0;
  if (!isWhole)
    return {size, {ObstacleKind::rows_unaligned, {bytesText(bytes)}}};
  return {bytes, {}};
}

Explanation kern::runtime::explainCuda(const KernelInfo &kernel,
                                       const Layout &layout,
                                       std::span<const KernelOperand> operands,
                                       uint64_t across) {
  Explanation out;
  bool isUfunc = !hasCores(kernel.form);
  // If nothing prevents 16-byte accesses, the kernel's were wider.
  for (size_t alignment : {vectorBytes, widestVectorBytes})
    if (isUfunc && kernel.form != Form::Contiguous && !out.obstacle)
      findCulprit(out, layout, operands, alignment);
  auto elements = int64_t(std::max(kernel.elements, 1u));
  ChunkPhase phase(layout, operands, elements);
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    int64_t size = sizeOf(operand);
    Access access;
    if (operand.rangeStep)
      access = {0, ObstacleKind::computed};
    else if (operand.isMask && kernel.form == Form::Tiled)
      access = {size, ObstacleKind::mask_in_place};
    else if (!operand.isScalar)
      switch (kernel.form) {
      case Form::Contiguous:
        access = chunkAccess(chunkOf(kernel, operands), size, kernel.alignment);
        break;
      case Form::Inner:
        access = innerAccess(layout, phase, elements, k, size);
        break;
      case Form::Tiled:
        access = {size, across >> k & 1 ? ObstacleKind::transposed_tiles
                                        : ObstacleKind::element_tiles};
        break;
      case Form::Strided:
        access = stridedAccess(layout.strides[k], size);
        break;
      case Form::General:
        access = coreAccess(kernel, operand, layout.strides[k]);
        break;
      case Form::Streamed: // only on the host
      case Form::Across:   // likewise
        break;
      }
    out.accesses.push_back(std::move(access));
  }
  return out;
}

Explanation kern::runtime::explainHost(const KernelInfo &kernel,
                                       const Layout &layout,
                                       std::span<const KernelOperand> operands,
                                       const HostTiling &tiling) {
  Explanation out;
  bool isUfunc = !hasCores(kernel.form);
  if (isUfunc)
    findCulprit(out, layout, operands, 1);
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    int64_t size = sizeOf(operand);
    HostWalk walk =
        k < tiling.walks.size() ? tiling.walks[k] : HostWalk::Direct;
    Access access;
    if (operand.isScalar) {
    } else if (operand.rangeStep) {
      access = {0, ObstacleKind::computed};
    } else if (operand.isMask) {
      access = {size, ObstacleKind::mask_of_results};
    } else if (!isUfunc) {
      bool isDense = operand.hasCore && operand.coreStrides.back() == size;
      access = {size, walk == HostWalk::Packed ? ObstacleKind::buffered
                      : !operand.hasCore       ? ObstacleKind::one_for_element
                      : isDense || kernel.form == Form::Across
                          ? Obstacle()
                          : apart(operand.coreStrides.back())};
    } else if (walk == HostWalk::Uniform) {
      access = {size, ObstacleKind::one_for_row};
    } else {
      bool isBuffered =
          walk == HostWalk::Packed || passesBuffer(operand, hasMask(operands));
      access = {int64_t(std::max(kernel.elements, 1u)) * size,
                isBuffered ? ObstacleKind::buffered : ObstacleKind::none};
    }
    out.accesses.push_back(std::move(access));
  }
  return out;
}

std::string kern::runtime::text(const Explanation &explanation,
                                std::span<const std::string> labels) {
  std::string out;
  if (explanation.obstacle)
    out += "not contiguous: " + labels[explanation.culprit] + " " +
           explanation.obstacle.text() + "\n";
  for (size_t k = 0; k < explanation.accesses.size(); ++k) {
    const Access &access = explanation.accesses[k];
    out += labels[k] + ": ";
    if (access.obstacle.kind() == ObstacleKind::computed) {
      out += access.obstacle.text() + "\n";
      continue;
    }
    out += access.bytes ? bytesText(access.bytes) + " at a time" : "by value";
    if (access.obstacle)
      out += "; " + access.obstacle.text();
    out += "\n";
  }
  return out;
}
