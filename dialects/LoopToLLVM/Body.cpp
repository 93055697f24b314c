//===- Body.cpp - a kernel as an llvm.func --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Body.h"

#include "dialects/LoopToLLVM/Accumulation.h"
#include "dialects/LoopToLLVM/Chunk.h"
#include "dialects/LoopToLLVM/EmitCheck.h"
#include "dialects/LoopToLLVM/KernelFacts.h"
#include "dialects/LoopToLLVM/Locals.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {
/// An array in a body.
struct Array {
  Value pointer;
  SmallVector<Value> strides;
  /// In shared memory, for each thread: the first thread's, and the bytes from
  /// one to the next.
  Value tiles, pitch;
  LLVM::AliasScopeAttr scope; ///< likewise: of a thread's own accesses
};

class BodyLowering {
public:
  BodyLowering(KernelBuilder &b, GroupLowering &group) : b(b), group(group) {}

  void findResultType(KernelOp kernel);
  Type resultType() const { return result; }
  void lowerArguments(Block &entry, unsigned extraCount, size_t slots,
                      bool hasChecks);
  void placeLocal(LocalOp local, Block &entry);
  void placeShared(SharedOp op);
  void lower(Operation &op);

private:
  /// The elements are contiguous along the dimension `dense`, if there is one.
  Value address(Value array, ValueRange indices,
                std::optional<uint64_t> dense = std::nullopt) {
    const Array &place = arrays[array];
    Value bytes = b.i64(0);
    for (auto [d, index, stride] : llvm::enumerate(indices, place.strides)) {
      Value step = d == dense ? b.i64(storedSize(elementOf(array))) : stride;
      bytes = b.add(bytes, b.mul(index, step));
    }
    return b.offset(place.pointer, bytes);
  }
  Value addressOf(Operation *access, Value array, ValueRange indices,
                  std::optional<uint64_t> dense = std::nullopt);
  static Type elementOf(Value array) {
    return cast<ArrayType>(array.getType()).getElementType();
  }
  template <typename Op> void lowerMove(Op op);
  void separate(Value array, Operation *access);
  void lowerReturn(ReturnOp op);
  Value hasChunks(HasChunksOp op);
  void lowerLoadChunk(LoadChunkOp op);
  void lowerStoreChunk(StoreChunkOp op);
  bool lowerByUnits(Operation &op);

  KernelBuilder &b;
  GroupLowering &group;
  llvm::DenseMap<Value, Array> arrays;
  SmallVector<Value> slots;
  LLVM::AliasScopeDomainAttr scopes;
  Value sharedEnd; ///< of the arrays in shared memory so far, in bytes
  Value record;    ///< of checks
  Type result;     ///< of the function
};

} // namespace

void BodyLowering::findResultType(KernelOp kernel) {
  SmallVector<Type> types;
  for (Attribute type : kernel.getResultTypes())
    types.push_back(valueType(cast<TypeAttr>(type).getValue()));
  if (types.empty())
    result = LLVM::LLVMVoidType::get(b.getContext());
  else if (types.size() == 1)
    result = types.front();
  else
    result = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
}

/// Appends the function's arguments to the kernel's. The old argument of an
/// array stays until its loads and stores are lowered.
void BodyLowering::lowerArguments(Block &entry, unsigned extraCount,
                                  size_t slotCount, bool hasChecks) {
  SmallVector<BlockArgument> old(entry.getArguments());
  for (BlockArgument argument : old) {
    auto array = dyn_cast<ArrayType>(argument.getType());
    if (!array) {
      argument.replaceAllUsesWith(
          entry.addArgument(valueType(argument.getType()), argument.getLoc()));
      continue;
    }
    Array &place = arrays[argument];
    place.pointer = entry.addArgument(b.pointerType(), argument.getLoc());
    for (unsigned i = 0; i < array.getRank(); ++i)
      place.strides.push_back(
          entry.addArgument(b.getI64Type(), argument.getLoc()));
  }
  SmallVector<Value> extra;
  SmallVector<Type> types = group.extraArguments(b);
  for (Type type : ArrayRef(types).take_front(extraCount))
    extra.push_back(entry.addArgument(type, b.getLoc()));
  group.begin(extra);
  for (size_t i = 0; i < slotCount; ++i)
    slots.push_back(entry.addArgument(b.pointerType(), b.getLoc()));
  if (hasChecks)
    record = entry.addArgument(b.pointerType(), b.getLoc());
}

/// Gives a local array its slot, a part of shared memory, or stack memory in
/// the function's entry block that all iterations reuse.
void BodyLowering::placeLocal(LocalOp local, Block &entry) {
  Array &place = arrays[local.getResult()];
  Type element = cast<ArrayType>(local.getResult().getType()).getElementType();
  b.setLoc(local.getLoc());
  if (local.getShared()) {
    b.setInsertionPoint(local);
    if (!sharedEnd)
      sharedEnd = b.i64(0);
    place.pointer = b.offset(group.sharedMemory(b), sharedEnd);
  } else if (local.getSlot()) {
    place.pointer = slots[size_t(*local.getSlot())];
  } else {
    uint64_t bytes = std::max<uint64_t>(*constantBytes(local), 1);
    b.setInsertionPointToStart(&entry);
    place.pointer = LLVM::AllocaOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext()), b.getI8Type(),
        b.i64(int64_t(bytes)), /*alignment=*/16);
    b.setInsertionPoint(local);
    if (local.getZeroed())
      LLVM::MemsetOp::create(
          b, place.pointer, arith::ConstantOp::create(b, b.getI8IntegerAttr(0)),
          b.i64(int64_t(bytes)), /*isVolatile=*/false);
  }
  b.setInsertionPoint(local);
  Value stride = b.i64(storedSize(element));
  place.strides.resize(local.getExtents().size());
  for (size_t d = place.strides.size(); d-- > 0;) {
    place.strides[d] = stride;
    if (d)
      stride = b.mul(stride, local.getExtents()[d]);
  }
  if (!local.getShared())
    return;
  Value bytes = b.mul(local.getExtents()[0], place.strides[0]);
  if (local.getPerLane()) {
    place.pitch = threadPitch(b, local, bytes);
    BlockPlace in = group.placeInBlock(b, local->hasAttr(spreadAttribute));
    if (!scopes)
      scopes = LLVM::AliasScopeDomainAttr::get(b.getContext());
    place.scope = LLVM::AliasScopeAttr::get(scopes);
    place.tiles = place.pointer;
    place.pointer = b.offset(place.tiles, b.mul(in.number, place.pitch));
    bytes = b.mul(in.count, place.pitch);
  }
  bytes = b.bitAnd(b.add(bytes, b.i64(15)), b.i64(-16));
  sharedEnd = b.add(sharedEnd, bytes);
}

/// Says that a thread's accesses to one of its arrays in shared memory do not
/// meet those to its others. LLVM could not tell their addresses apart.
void BodyLowering::separate(Value array, Operation *access) {
  LLVM::AliasScopeAttr own = arrays[array].scope;
  if (!own || !access)
    return;
  SmallVector<Attribute> others;
  for (const auto &[other, place] : arrays)
    if (place.scope && place.scope != own)
      others.push_back(place.scope);
  auto annotate = [&](auto op) {
    op.setAliasScopesAttr(b.getArrayAttr(own));
    op.setNoaliasScopesAttr(b.getArrayAttr(others));
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    annotate(load);
  else if (auto store = dyn_cast<LLVM::StoreOp>(access))
    annotate(store);
}

/// The address of a load's or store's element, or of a stored chunk. Offsets
/// are added one by one, so that accesses have the sums of the first ones in
/// common.
Value BodyLowering::addressOf(Operation *access, Value array,
                              ValueRange indices,
                              std::optional<uint64_t> dense) {
  if (access->hasAttr(denseAttribute))
    dense = indices.size() - 1;
  Value place = address(array, indices, dense);
  auto offsets = access->getAttrOfType<DenseI64ArrayAttr>(offsetAttribute);
  if (!offsets)
    return place;
  for (auto [d, offset] : llvm::enumerate(offsets.asArrayRef())) {
    if (!offset)
      continue;
    Value bytes = d == dense ? b.i64(offset * storedSize(elementOf(array)))
                             : b.mul(arrays[array].strides[d], b.i64(offset));
    place = b.offset(place, bytes);
  }
  return place;
}

template <typename Op> void BodyLowering::lowerMove(Op op) {
  const Array &tile = arrays[op.getTile()], &array = arrays[op.getArray()];
  Move move;
  move.op = op;
  move.isFetch = std::is_same_v<Op, StageInOp>;
  move.element = cast<ArrayType>(op.getArray().getType()).getElementType();
  move.pointer = address(op.getArray(), op.getIndices());
  move.strides = array.strides;
  move.extents = SmallVector<Value>(op.getExtents());
  move.tiles = tile.tiles;
  move.pitch = tile.pitch;
  move.at = op.getAt();
  move.size = unsigned(op.getSize());
  move.isChunked = op.getTile().getDefiningOp()->hasAttr(chunkedAttribute);
  group.move(b, move);
}

/// Gives an array its place in the group's shared memory.
void BodyLowering::placeShared(SharedOp op) {
  Array &place = arrays[op.getResult()];
  b.setLoc(op.getLoc());
  b.setInsertionPoint(op);
  Type element = op.getType().getElementType();
  place.pointer = b.offset(group.sharedMemory(b), b.i64(int64_t(op.getAt())));
  place.strides = {b.i64(storedSize(element))};
}

void BodyLowering::lowerReturn(ReturnOp op) {
  ValueRange values = op.getValues();
  if (values.size() < 2) {
    LLVM::ReturnOp::create(b, values);
    return;
  }
  SmallVector<Type> types(values.getTypes());
  Value result = LLVM::UndefOp::create(
      b, LLVM::LLVMStructType::getLiteral(b.getContext(), types));
  for (auto [i, value] : llvm::enumerate(values))
    result = LLVM::InsertValueOp::create(b, result, value,
                                         ArrayRef<int64_t>{int64_t(i)});
  LLVM::ReturnOp::create(b, result);
}

Value BodyLowering::hasChunks(HasChunksOp op) {
  Value array = op.getArray();
  unsigned size = storedSize(elementOf(array));
  Value isDense =
      b.compare(KernelBuilder::Predicate::eq,
                arrays[array].strides[size_t(op.getDimension())], b.i64(size));
  Value low = b.bitAnd(b.addressOf(address(array, op.getIndices())),
                       b.i64(size * op.getSize() - 1));
  return b.bitAnd(isDense,
                  b.compare(KernelBuilder::Predicate::eq, low, b.i64(0)));
}

void BodyLowering::lowerLoadChunk(LoadChunkOp op) {
  Type element = elementOf(op.getArray());
  ChunkAccess access{b, unsigned(op.getElements().size())};
  Value vector =
      access.load(element, addressOf(op, op.getArray(), op.getIndices(),
                                     op.getDimension()));
  op.replaceAllUsesWith(ValueRange(access.unpack(element, vector)));
}

void BodyLowering::lowerStoreChunk(StoreChunkOp op) {
  ChunkAccess access{b, unsigned(op.getElements().size())};
  access.store(
      Chunk(op.getElements()),
      addressOf(op, op.getArray(), op.getIndices(), op.getDimension()));
}

bool BodyLowering::lowerByUnits(Operation &op) {
  MatrixUnits *units = group.matrixUnits();
  auto at = [&](Value array, Value index) { return address(array, index); };
  return units && units->lower(b, op, at);
}

void BodyLowering::lower(Operation &op) {
  b.setInsertionPoint(&op);
  b.setLoc(op.getLoc());
  if (lowerComplexParts(b, op))
    return;
  for (Value result : op.getResults())
    if (!isa<LoadOp, LoadChunkOp>(op))
      result.setType(valueType(result.getType()));
  if (auto load = dyn_cast<LoadOp>(op)) {
    Value value = b.load(load.getType(),
                         addressOf(load, load.getArray(), load.getIndices()));
    separate(load.getArray(), value.getDefiningOp());
    load.replaceAllUsesWith(value);
  } else if (auto chunk = dyn_cast<LoadChunkOp>(op)) {
    lowerLoadChunk(chunk);
  } else if (auto stored = dyn_cast<StoreChunkOp>(op)) {
    lowerStoreChunk(stored);
  } else if (auto test = dyn_cast<HasChunksOp>(op)) {
    test.replaceAllUsesWith(hasChunks(test));
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    b.store(store.getValue(),
            addressOf(store, store.getArray(), store.getIndices()));
    separate(store.getArray(), op.getPrevNode());
  } else if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
    emitAtomic(b, accumulate.getKind(), accumulate.getValue(),
               address(accumulate.getArray(), accumulate.getIndices()));
  } else if (Value ofLane = laneValue(b, group, op)) {
    op.getResult(0).replaceAllUsesWith(ofLane);
  } else if (auto combine = dyn_cast<CombineOp>(op)) {
    group.combine(b, combine);
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    group.transpose(b, transpose);
  } else if (auto fetch = dyn_cast<StageInOp>(op)) {
    lowerMove(fetch);
  } else if (auto flush = dyn_cast<StageOutOp>(op)) {
    lowerMove(flush);
  } else if (auto wait = dyn_cast<StageWaitOp>(op)) {
    group.waitForStage(b, wait);
  } else if (auto stride = dyn_cast<StrideOp>(op)) {
    stride.replaceAllUsesWith(
        arrays[stride.getArray()].strides[size_t(stride.getDimension())]);
  } else if (auto fetch = dyn_cast<FetchOp>(op)) {
    Value source =
        b.offset(arrays[fetch.getSource()].pointer, fetch.getBytes());
    group.fetch(b, fetch, source, address(fetch.getTarget(), fetch.getIndex()));
  } else if (auto part = dyn_cast<FetchPartOp>(op)) {
    Value source = b.offset(arrays[part.getSource()].pointer, part.getBytes());
    group.fetchPart(b, part, source,
                    address(part.getTarget(), part.getIndex()));
  } else if (lowerByUnits(op)) {
    // Only to be erased.
  } else if (auto await = dyn_cast<AwaitOp>(op)) {
    group.await(b, await);
  } else if (auto barrier = dyn_cast<BarrierOp>(op)) {
    group.barrier(b, barrier);
  } else if (auto word = dyn_cast<PublishOp>(op)) {
    group.publish(b, word, address(word.getArray(), word.getIndex()));
  } else if (auto word = dyn_cast<AwaitWordOp>(op)) {
    group.awaitWord(b, word, address(word.getArray(), word.getIndex()));
  } else if (auto check = dyn_cast<CheckOp>(op)) {
    emitCheck(b, check, record, result);
  } else if (auto ret = dyn_cast<ReturnOp>(op)) {
    lowerReturn(ret);
  } else {
    return;
  }
  op.erase();
}

LLVM::LLVMFuncOp kern::ir::loop::moveBody(KernelOp kernel, Memory memory,
                                          GroupLowering &group) {
  KernelBuilder b(kernel.getLoc(), kernel.getContext(), memory);
  BodyLowering lowering(b, group);
  Block &entry = kernel.entry();
  unsigned oldCount = entry.getNumArguments();
  KernelFacts facts(kernel);
  lowering.findResultType(kernel);
  lowering.lowerArguments(entry, group.extraArguments(b).size(),
                          facts.slots.size(), facts.hasChecks());

  for (Block &block : llvm::drop_begin(kernel.getBody()))
    for (BlockArgument argument : block.getArguments())
      argument.setType(valueType(argument.getType()));
  SmallVector<Operation *> ops, places;
  kernel.getBody().walk([&](Operation *op) {
    (isa<LocalOp, SharedOp>(op) ? places : ops).push_back(op);
  });
  for (Operation *op : places)
    if (auto local = dyn_cast<LocalOp>(op))
      lowering.placeLocal(local, entry);
    else
      lowering.placeShared(cast<SharedOp>(op));
  for (Operation *op : ops)
    lowering.lower(*op);
  for (Operation *op : places)
    op->erase();
  entry.eraseArguments(0, oldCount);

  b.setLoc(kernel.getLoc());
  b.setInsertionPoint(kernel);
  SmallVector<Type> types(entry.getArgumentTypes());
  auto function = LLVM::LLVMFuncOp::create(
      b, (kernel.getSymName() + "__body").str(),
      LLVM::LLVMFunctionType::get(lowering.resultType(), types),
      LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
  SmallVector<StringRef> attributes = {bodyAttribute};
  for (StringRef own : {unrolledAttribute, productsChosenAttribute})
    if (kernel->hasAttr(own))
      attributes.push_back(own);
  function.setPassthroughAttr(b.getStrArrayAttr(attributes));
  function.getBody().takeBody(kernel.getBody());
  return function;
}
