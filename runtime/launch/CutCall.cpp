//===- CutCall.cpp - a call cut into pieces -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CutCall.h"

#include "runtime/device/cuda/Memory.h"
#include "runtime/launch/ResultMemory.h"
#include "runtime/plan/Layout.h"
#include "runtime/plan/Parts.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

using namespace kern::runtime;

namespace {
/// Where operands begin in staging memory, which lies at multiples of it too.
constexpr int64_t alignment = 256;
/// The most staging memory of a piece: more takes longer to page-lock than to
/// move. Only one element with large core dimensions has more.
constexpr size_t mostStaged = size_t(128) << 20;

/// The bytes of a piece that tests ask for.
std::optional<int64_t> askedPieceBytes() {
  const char *text = std::getenv("KERN_PIECE_BYTES");
  int64_t bytes = 0;
  if (text &&
      std::from_chars(text, text + std::strlen(text), bytes).ec == std::errc())
    return std::max<int64_t>(bytes, 1);
  return std::nullopt;
}

} // namespace

//===----------------------------------------------------------------------===//
// What is decided
//===----------------------------------------------------------------------===//

Expected<bool> CutCall::plan() {
  const Extents &shape = call.shapes.loopShape;
  if (shape.empty() || std::ranges::find(shape, 0) != shape.end())
    return false;
  Expected<bool> canTransfer = space.canTransfer();
  if (!canTransfer)
    return canTransfer.error();
  if (!*canTransfer)
    return false;
  if (Status status = gather(); !status)
    return status.error();
  if (overwritesLaterPieces())
    return false;
  if (Status status = gatherTravels(); !status)
    return status.error();
  constexpr uint64_t enough = uint64_t(1) << 62;
  uint64_t sum = 0;
  for (const Travel &travel : travels)
    sum = std::min(sum + distinctBytes(travel.host), enough);
  if (sum == 0)
    return false;
  const auto total = int64_t(sum);
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  const int64_t bytes = askedPieceBytes().value_or(pieceBytes(total));
  most = std::max<int64_t>(
      elements / std::max(ceilDivide(total, bytes), int64_t(1)), 1);
  cut.emplace(shape, order, most);
  return cut->count() > 1;
}

/// Whether a piece may write what a later one reads. It writes what it reads
/// itself where both are one array with the same core dimensions.
bool CutCall::overwritesLaterPieces() const {
  auto isSafe = [](const BoundOperand &read, const BoundOperand &written) {
    const Overlap overlap = overlapOf(*read.given, *written.given);
    return overlap == Overlap::None ||
           (overlap == Overlap::Exact && read.coreRank() == written.coreRank());
  };
  for (const BoundOperand &written : operands)
    for (const BoundOperand &read : operands)
      if (&read != &written && written.isWritten() && written.given &&
          read.given && !read.isScalar && !read.isWritten() &&
          !isSafe(read, written))
        return true;
  return call.mask &&
         std::ranges::any_of(operands, [&](const BoundOperand &operand) {
           return operand.isWritten() && operand.given &&
                  overlapOf(*operand.given, *call.mask) != Overlap::None;
         });
}

Status CutCall::gatherTravels() {
  auto add = [&](Travel travel) {
    places.push_back(travels.size());
    travels.push_back(std::move(travel));
  };
  for (BoundOperand &operand : operands) {
    Travel travel;
    travel.coreRank = operand.coreRank();
    travel.label = operand.label;
    if (operand.isMask)
      continue;
    if (operand.isScalar || operand.range) {
      places.emplace_back();
      continue;
    }
    if (operand.given) {
      travel.host = *operand.given;
    } else {
      const Extents &shape = call.shapes.results[indexOf(operand)];
      if (auto bytes = shapeResult(operand, shape, resultStrides(operand));
          !bytes)
        return bytes.error();
      travel.host = operand.used;
      travel.host.device = hostDevice();
    }
    // What a gufunc's body does not write keeps its value.
    const bool mayKeep =
        operand.isOutput && operand.given &&
        call.function->kind != FunctionKind::Ufunc && operand.coreRank() > 0 &&
        !call.loop->writesWhole(size_t(&operand - operands.data()));
    travel.goesUp = !operand.isOutput || mayKeep;
    travel.comesDown = operand.isWritten();
    travel.isCleared = operand.isOutput && !operand.given && call.mask;
    add(std::move(travel));
  }
  if (call.mask) {
    Travel travel;
    travel.host = *call.mask;
    travel.label = "`where`";
    travel.goesUp = true;
    add(std::move(travel));
  }
  return {};
}

/// Decides, for the present pieces, which operands stay on the device, and
/// which are moved from and to where they are.
void CutCall::decideMoves(const cuda::Context &context) {
  const Extents &loop = call.shapes.loopShape;
  for (Travel &travel : travels) {
    const StridedView &host = travel.host;
    const size_t rank = host.rank() - travel.coreRank;
    const Strides strides =
        broadcastStrides(std::span(host.shape).first(rank),
                         std::span(host.strides).first(rank), loop);
    bool moves = false, repeats = false;
    for (size_t d = 0; d < loop.size(); ++d)
      if (cut->isCut(d))
        (strides[d] ? moves : repeats) = true;
    const bool staysSmall = distinctBytes(host) <= mostKept;
    travel.isCut = moves;
    travel.isKept = !travel.comesDown && (!moves || (repeats && staysSmall));
    // A bool that is moved through the CPU is 0 or 1 afterwards, and what a
    // mask leaves out is not written.
    const bool isPlain = host.dtype != DType::Bool &&
                         !(travel.comesDown && call.mask && !travel.isCleared);
    const auto memory = memoryOf(host);
    travel.isDirect = isPlain && isPacked(hostPart(travel, 0)) &&
                      isPacked(hostPart(travel, cut->count() - 1)) && memory &&
                      cuda::isPinned(context, memory->first, memory->second);
  }
  staged = 0;
  for (Travel &travel : travels) {
    if (travel.isKept || travel.isDirect)
      continue;
    travel.offset = staged;
    staged +=
        size_t(roundUp(int64_t(distinctBytes(hostPart(travel, 0))), alignment));
  }
  goesInTurn = isMemoryShort || staged > mostStaged;
}

uint64_t CutCall::bytesInAll() const {
  uint64_t bytes = 0;
  for (const Travel &travel : travels)
    bytes += uint64_t(distinctBytes(travel.host)) *
             (unsigned(travel.goesUp) + unsigned(travel.comesDown));
  return bytes;
}

bool CutCall::needLess() {
  size_t largest = 0;
  for (const Travel &travel : travels)
    if (travel.isKept && travel.isCut)
      largest = std::max(largest, distinctBytes(travel.host));
  if (largest) {
    mostKept = largest - 1;
    return true;
  }
  if (most == 1) {
    const bool wasShort = std::exchange(isMemoryShort, true);
    return !wasShort && call.function->kind != FunctionKind::Ufunc;
  }
  most /= 2;
  cut.emplace(call.shapes.loopShape, order, most);
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Status CutCall::makeResult(const BoundOperand &operand, Travel &travel) {
  const size_t index = indexOf(operand);
  const StridedView view = resultView(operand, travel.host);
  if (call.allocator) {
    Expected<std::byte *> data = kern::runtime::allocateResult(
        *call.allocator, call.function->name, index, view);
    if (!data)
      return data.error();
    travel.host.data = *data;
    return {};
  }
  Expected<ManagedArray> array =
      newHostArray(view.dtype, view.shape, view.strides);
  if (!array)
    return array.error();
  travel.host.data = static_cast<std::byte *>((*array)->dl_tensor.data);
  made[index] = std::move(*array);
  return {};
}

Status CutCall::makeResults() {
  made.resize(call.outputs.size());
  for (const BoundOperand &operand : operands)
    if (operand.isOutput && !operand.given)
      if (Status status = makeResult(
              operand, travels[*places[size_t(&operand - operands.data())]]);
          !status)
        return status;
  return {};
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

StridedView CutCall::hostPart(const Travel &travel, int64_t number) const {
  return partOf(travel.host, travel.coreRank, (*cut)[number]);
}

StridedView CutCall::devicePart(const Travel &travel, int64_t number,
                                DLDevice device, std::byte *memory) const {
  return travel.isKept ? partOf(packed(travel.host, memory, device),
                                travel.coreRank, (*cut)[number])
                       : packed(hostPart(travel, number), memory, device);
}

PieceCall CutCall::callOf(int64_t number, DLDevice device,
                          std::span<std::byte *const> memory) const {
  const Piece piece = (*cut)[number];
  auto there = [&](size_t travel) {
    return devicePart(travels[travel], number, device, memory[travel]);
  };
  PieceCall out;
  out.arguments.assign(call.arguments.begin(), call.arguments.end());
  out.outputs.resize(call.outputs.size());
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    Argument &argument = out.arguments[i];
    if (places[i]) {
      argument.view = there(*places[i]);
    } else if (argument.range) {
      argument.range->start =
          argument.range->at(partOffset(argument.view, 0, piece));
      argument.view = partOf(argument.view, 0, piece);
    }
  }
  for (size_t i = 0; i < out.outputs.size(); ++i)
    out.outputs[i] = there(*places[call.arguments.size() + i]);
  out.call.function = call.function;
  out.call.loop = call.loop;
  out.call.arguments = out.arguments;
  out.call.outputs = out.outputs;
  out.call.shapes.loopShape = piece.extents;
  out.call.shapes.dims = call.shapes.dims;
  for (Extents shape : call.shapes.results) {
    std::ranges::copy(piece.extents, shape.begin());
    out.call.shapes.results.push_back(std::move(shape));
  }
  out.call.resultsOnHost = false;
  out.call.resultAxes = call.resultAxes;
  if (call.mask)
    out.call.mask = there(travels.size() - 1);
  return out;
}
