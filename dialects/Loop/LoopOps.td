//===- LoopOps.td - the loop dialect -----------------------*- tablegen -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What upstream MLIR lacks for a typed kernel over an index space: the kernel,
// its strided operands, parallel loops and reductions. Scalar code between them
// is arith, math, cf and func, with signless integers and i1 for bool.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_DIALECTS_LOOP_LOOPOPS_TD
#define KERN_DIALECTS_LOOP_LOOPOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loop_Dialect : Dialect {
  let name = "loop";
  let cppNamespace = "::kern::ir::loop";
  let summary = "typed kernels over an index space";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Loop_Op<string mnemonic, list<Trait> traits = []>
    : Op<Loop_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Types and kinds
//===----------------------------------------------------------------------===//

def Loop_ArrayType : TypeDef<Loop_Dialect, "Array"> {
  let mnemonic = "array";
  let summary = "a strided operand: element type and number of core dimensions";
  let description = [{
    Elements of type i1 take one byte in memory, 0 or 1. Strides are in bytes
    and not part of the type.
  }];
  let parameters = (ins "::mlir::Type":$elementType, "unsigned":$rank);
  let assemblyFormat = "`<` $elementType `,` $rank `>`";
  let genVerifyDecl = 1;
}

def Loop_KernelKind : I32Enum<"KernelKind", "what a kernel implements", [
    I32EnumCase<"Ufunc", 0, "ufunc">, I32EnumCase<"Gufunc", 1, "gufunc">]> {
  let cppNamespace = "::kern::ir::loop";
}
def Loop_KernelKindAttr
    : EnumAttr<Loop_Dialect, Loop_KernelKind, "kernel_kind"> {
  let assemblyFormat = "$value";
}

def Loop_ReduceKind : I32Enum<"ReduceKind", "how values are combined", [
    I32EnumCase<"Sum", 0, "sum">, I32EnumCase<"Prod", 1, "prod">,
    I32EnumCase<"SMin", 2, "smin">, I32EnumCase<"SMax", 3, "smax">,
    I32EnumCase<"UMin", 4, "umin">, I32EnumCase<"UMax", 5, "umax">,
    I32EnumCase<"FMinNan", 6, "fmin_nan">, I32EnumCase<"FMaxNan", 7, "fmax_nan">,
    I32EnumCase<"Any", 8, "any">, I32EnumCase<"All", 9, "all">,
    I32EnumCase<"ArgSMin", 10, "arg_smin">, I32EnumCase<"ArgSMax", 11, "arg_smax">,
    I32EnumCase<"ArgUMin", 12, "arg_umin">, I32EnumCase<"ArgUMax", 13, "arg_umax">,
    I32EnumCase<"ArgFMin", 14, "arg_fmin">, I32EnumCase<"ArgFMax", 15, "arg_fmax">
  ]> {
  let cppNamespace = "::kern::ir::loop";
}
def Loop_ReduceKindAttr
    : EnumAttr<Loop_Dialect, Loop_ReduceKind, "reduce_kind"> {
  let assemblyFormat = "$value";
}

def Loop_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, AnyComplex],
                             "a scalar">;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

def Loop_KernelOp : Loop_Op<"kernel", [IsolatedFromAbove, Symbol]> {
  let summary = "one typed implementation of a ufunc or gufunc";
  let description = [{
    Entry block arguments, in this order:
      1. the `num_inputs` inputs in parameter order: a scalar for a parameter
         without core dimensions (every parameter of a ufunc), an array for the
         others;
      2. an array for each output of positive rank in `output_ranks`;
      3. an i64 for each of the `num_dims` dimensions of the function;
      4. an i64 for each of `flat_extents`: the number of the iteration, from 0,
         of each range of a parallel loop whose iterations became loop elements;
      5. with `launches`, three i64: the number of the launch (if `cooperative`, 0
         for the first loop element of these blocks), the number of the slice, and
         the number of slices;
      6. with `ahead`, an i64 for each array among the inputs: how many bytes
         further these blocks' next loop element has it;
      7. with `privatised`, an i64: the number of copies of each array in shared
         memory.
    Outputs of rank 0 are the operands of `loop.return`, in order. Their types
    follow `->`.

    `dim_names` has each dimension's token: its name, with a `$` in front if it
    is `min` or `max`. `shared_extents` lists the extents of the loops that a
    group of lanes shares, `nonempty` the extents that must be at least 1. Both
    are in reverse Polish notation over these tokens, integers and the operators
    + - * // % min max. `checks` describes each number of a `loop.check`, and
    `least_extents` the extents that each call checks (Checks.h). `core_extents` lists the core dimensions of each operand of a
    gufunc, inputs before outputs, in the same notation.

    `flat_extents`, `across`, `resident` (how many chunks of a row a lane keeps),
    `launches`, `sliced_launches` (how many of them run in slices, the first),
    `cooperative` (the slices run at the same time, in one launch), `ahead` (the
    rows of the next loop element are on the way meanwhile), `privatised` and `staged` are set by loop-map, which says how the kernel's
    loops are mapped to a GPU (dialects/LoopMappings).

    The attribute `loop.tile`, also set by loop-map, has the rows, columns and
    threads of a tile, its bytes of shared memory, and its planes: the last index
    of `flat_extents` (with several rows also the one before it, and with several
    planes the one before that) numbers tiles, and a group of so many threads
    computes one.

    ```
    loop.kernel @l2_norm kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
        attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                    output_ranks = array<i64: 0>, dim_names = ["n"]} { … }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       Loop_KernelKindAttr:$kind,
                       I64Attr:$num_inputs,
                       I64Attr:$num_dims,
                       DenseI64ArrayAttr:$output_ranks,
                       TypeArrayAttr:$result_types,
                       OptionalAttr<StrArrayAttr>:$dim_names,
                       OptionalAttr<ArrayAttr>:$shared_extents,
                       OptionalAttr<ArrayAttr>:$nonempty,
                       OptionalAttr<ArrayAttr>:$least_extents,
                       OptionalAttr<ArrayAttr>:$checks,
                       OptionalAttr<ArrayAttr>:$core_extents,
                       OptionalAttr<ArrayAttr>:$flat_extents,
                       OptionalAttr<I64Attr>:$launches,
                       OptionalAttr<I64Attr>:$sliced_launches,
                       UnitAttr:$cooperative,
                       UnitAttr:$ahead,
                       UnitAttr:$across,
                       OptionalAttr<I64Attr>:$resident,
                       UnitAttr:$privatised,
                       UnitAttr:$staged);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &entry() { return getBody().front(); }
    /// The block arguments that are inputs.
    ::mlir::Block::BlockArgListType inputs() {
      return entry().getArguments().take_front(getNumInputs());
    }
    /// The block arguments that are outputs with core dimensions.
    ::mlir::Block::BlockArgListType arrayOutputs() {
      return entry().getArguments().drop_front(getNumInputs())
          .drop_back(getNumDims() + numFlat() + numMappingArguments());
    }
    /// The block arguments that are dimensions.
    ::mlir::Block::BlockArgListType dims() {
      return entry().getArguments().drop_back(numFlat() + numMappingArguments())
          .take_back(getNumDims());
    }
    /// How many ranges of a parallel loop became loop elements.
    size_t numFlat() {
      return getFlatExtents() ? getFlatExtents()->size() : 0;
    }
    /// The block arguments that number their iterations.
    ::mlir::Block::BlockArgListType flatIndices() {
      return entry().getArguments().drop_back(numMappingArguments())
          .take_back(numFlat());
    }
    /// Rows, columns, threads, bytes of shared memory and planes of a tile.
    std::optional<::llvm::ArrayRef<int64_t>> getTile() {
      auto tile = (*this)->getAttrOfType<::mlir::DenseI64ArrayAttr>("loop.tile");
      return tile ? std::optional(tile.asArrayRef()) : std::nullopt;
    }
    /// The block arguments for the launch, the slice, and the number of slices.
    ::mlir::Block::BlockArgListType sliceArguments() {
      return entry().getArguments().take_back(numMappingArguments())
          .take_front(getLaunches() ? 3 : 0);
    }
    /// How much further the next loop element has an array among the inputs.
    ::mlir::Value aheadOf(::mlir::BlockArgument array);
    /// The number of copies of a privatised array.
    ::mlir::BlockArgument copies() {
      return entry().getArguments().back();
    }
    size_t numMappingArguments();
    /// Element type and rank of each output, in order.
    ::llvm::SmallVector<ArrayType> outputs();
    bool isUfunc() { return getKind() == KernelKind::Ufunc; }
  }];
}

def Loop_ReturnOp : Loop_Op<"return", [Terminator, Pure, HasParent<"KernelOp">]> {
  let summary = "ends a kernel with its scalar results";
  let arguments = (ins Variadic<Loop_Scalar>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Loop_YieldOp : Loop_Op<"yield",
    [Terminator, Pure, ParentOneOf<["ParallelOp", "ReduceOp"]>]> {
  let summary = "ends one iteration";
  let description = [{
    In a parallel loop it has no operands. In a reduction the operands are the
    value; optionally an i1, whether this iteration takes part; and, in a
    reduction with a `kept` result, optionally an i64, how many elements the
    value stands for.
  }];
  let arguments = (ins Variadic<Loop_Scalar>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Loop_LoadOp : Loop_Op<"load", [
    TypesMatchWith<"result is the array's element type", "array", "result",
                   "::llvm::cast<ArrayType>($_self).getElementType()">]> {
  let summary = "reads one element";
  let description = "Indices count elements. An index out of range is undefined behaviour.";
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead]>:$array,
                       Variadic<I64>:$indices);
  let results = (outs Loop_Scalar:$result);
  let assemblyFormat = "$array `[` $indices `]` attr-dict `:` qualified(type($array))";
  let hasVerifier = 1;
}

def Loop_StoreOp : Loop_Op<"store", [
    TypesMatchWith<"value is of the array's element type", "array", "value",
                   "::llvm::cast<ArrayType>($_self).getElementType()">]> {
  let summary = "writes one element";
  let arguments = (ins Loop_Scalar:$value,
                       Arg<Loop_ArrayType, "", [MemWrite]>:$array,
                       Variadic<I64>:$indices);
  let assemblyFormat =
      "$value `,` $array `[` $indices `]` attr-dict `:` qualified(type($array))";
  let hasVerifier = 1;
}

def Loop_AccumulateKind : I32Enum<"AccumulateKind", "how a value joins an element", [
    I32EnumCase<"Add", 0, "add">, I32EnumCase<"And", 1, "and">,
    I32EnumCase<"Or", 2, "or">, I32EnumCase<"Xor", 3, "xor">,
    I32EnumCase<"SMin", 4, "smin">, I32EnumCase<"SMax", 5, "smax">,
    I32EnumCase<"UMin", 6, "umin">, I32EnumCase<"UMax", 7, "umax">,
    I32EnumCase<"FMinNan", 8, "fmin_nan">, I32EnumCase<"FMaxNan", 9, "fmax_nan">]> {
  let cppNamespace = "::kern::ir::loop";
}
def Loop_AccumulateKindAttr
    : EnumAttr<Loop_Dialect, Loop_AccumulateKind, "accumulate_kind"> {
  let assemblyFormat = "$value";
}

def Loop_AccumulateOp : Loop_Op<"accumulate", [
    TypesMatchWith<"value is of the array's element type", "array", "value",
                   "::llvm::cast<ArrayType>($_self).getElementType()">]> {
  let summary = "updates an element that several iterations share";
  let description = [{
    `add` of i1 is `or`. Updates of integers, and minima and maxima of floats,
    are atomic among the lanes of a group. A loop that adds to floats or complex
    numbers runs in order, in one lane. loop-distribute turns updates that need
    no atomic into a load and a store, and minima and maxima of floats into
    those of their bits as integers: the kinds of integers mean the bits of a
    float.
  }];
  let arguments = (ins Loop_AccumulateKindAttr:$kind, Loop_Scalar:$value,
                       Arg<Loop_ArrayType, "", [MemRead, MemWrite]>:$array,
                       Variadic<I64>:$indices);
  let assemblyFormat = [{
    $kind $value `,` $array `[` $indices `]` attr-dict `:` qualified(type($array))
  }];
  let hasVerifier = 1;
}

def Loop_LocalOp : Loop_Op<"local", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a contiguous local array, created each time it is reached";
  let description = [{
    At the top of a kernel the lanes of a group share it. Inside a loop each
    iteration has its own. `bytes` is its size, a multiple of 16, in reverse
    Polish notation. Small arrays lie in each lane's own memory. The others get
    a `slot` from loop-distribute, in memory from the runtime: one for each loop
    element, or one for each lane with `per_lane`.
    loop-map makes arrays with a slot that hold one value of `bytes` for each
    slice of a loop element, and one more (`per_slice`). They last for all
    launches of a call. It also makes arrays in the shared memory of a GPU's
    block (`shared`), one after the other; with `per_lane` each thread of the
    block has its own.
  }];
  let arguments = (ins Variadic<I64>:$extents, UnitAttr:$zeroed, StrArrayAttr:$bytes,
                       OptionalAttr<I64Attr>:$slot, UnitAttr:$per_lane,
                       UnitAttr:$per_slice, UnitAttr:$shared);
  let results = (outs Loop_ArrayType:$result);
  let assemblyFormat =
      "(`zeroed` $zeroed^)? `[` $extents `]` attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Loop_CheckOp : Loop_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the kernel for this loop element if a condition fails";
  let description = [{
    On failure the element's results are 0, and the launch's record, if it is
    still empty, takes `number`, an index into the kernel's `checks`, and the
    values. A kernel with checks gives each loop element a single lane.
  }];
  let arguments = (ins I64Attr:$number, I1:$condition, Variadic<I64>:$values);
  let assemblyFormat = "$number $condition (`,` $values^)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Operations of tiles, which loop-map creates
//===----------------------------------------------------------------------===//

def Loop_StrideOp : Loop_Op<"stride", [Pure]> {
  let summary = "how many bytes one step along a dimension moves";
  let arguments = (ins Loop_ArrayType:$array, I64Attr:$dimension);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $dimension `of` $array attr-dict `:` qualified(type($array))
  }];
  let hasVerifier = 1;
}

def Loop_LookupOp : Loop_Op<"lookup", [NoMemoryEffect]> {
  let summary = "an element of a table of constants";
  let description = [{
    An index outside of the table is undefined. bool is i8 in the table.
  }];
  let arguments = (ins ElementsAttr:$values, I64:$index);
  let results = (outs Loop_Scalar:$result);
  let assemblyFormat = "$values `[` $index `]` attr-dict `:` type($result)";
}

def Loop_SharedOp : Loop_Op<"shared", [Pure]> {
  let summary = "an array in the shared memory of a block or a tile's threads";
  let description = [{
    It begins at the byte `at`, and is contiguous. Such arrays may overlap.
  }];
  let arguments = (ins I64Attr:$at);
  let results = (outs Loop_ArrayType:$result);
  let assemblyFormat = "`at` $at attr-dict `:` qualified(type($result))";
}

def Loop_FetchOp : Loop_Op<"fetch"> {
  let summary = "copies one element into shared memory";
  let description = [{
    `bytes` is the distance of the element from the source's first one. Nothing
    is read or written if the condition is false. The copy may still be under way
    after the operation: `loop.await` ends it for this lane, and a barrier after
    that for the others.
  }];
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead]>:$source, I64:$bytes,
                       Arg<Loop_ArrayType, "", [MemWrite]>:$target, I64:$index,
                       I1:$condition);
  let assemblyFormat = [{
    $source `at` $bytes `to` $target `[` $index `]` `if` $condition attr-dict
        `:` qualified(type($source)) `to` qualified(type($target))
  }];
}

def Loop_FetchPartOp : Loop_Op<"fetch_part"> {
  let summary = "copies 16 bytes, or a part of them, into shared memory";
  let description = [{
    As loop.fetch, for neighbouring elements that fill 16 bytes. Only the first
    `count` are read, which may be none; zeros take the places of the others. If it
    is negative, nothing is copied. GPUs have this from sm_80 on.
  }];
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead]>:$source, I64:$bytes,
                       Arg<Loop_ArrayType, "", [MemWrite]>:$target, I64:$index,
                       I32:$count);
  let assemblyFormat = [{
    $count `of` $source `at` $bytes `to` $target `[` $index `]` attr-dict
        `:` qualified(type($source)) `to` qualified(type($target))
  }];
}

def Loop_AwaitOp : Loop_Op<"await"> {
  let summary = "waits for the elements that this lane has fetched";
  let description = [{
    With `loop.ahead`, a number, but for those that it has fetched since as many
    earlier such operations.
  }];
  let assemblyFormat = "attr-dict";
}

def Loop_LoadMatricesOp : Loop_Op<"load_matrices"> {
  let summary = "the lanes of a warp read four matrices of 8 x 8 halves";
  let description = [{
    Each lane gives the place of a row in shared memory, of 16 bytes: lanes 0 to 7
    those of the first matrix, and so on. It gets two neighbouring elements of each
    matrix: of row lane / 4, from column lane % 4 * 2 on; with `transposed`, of the
    transposed matrix. All lanes of a warp arrive here together.
  }];
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead]>:$array, I64:$index,
                       UnitAttr:$transposed);
  let results = (outs Variadic<I32>:$words);
  let assemblyFormat = [{
    (`transposed` $transposed^)? $array `[` $index `]` attr-dict
        `:` qualified(type($array)) `->` type($words)
  }];
}

def Loop_MultiplyMatricesOp : Loop_Op<"multiply_matrices",
    [Pure, AttrSizedOperandSegments]> {
  let summary = "the lanes of a warp add a product of matrices to sums";
  let description = [{
    The matrices are 16 x 16 and 16 x 8, of f16, bf16 or f64, and the sums f32 or
    f64. The lane with g = lane / 4 and t = lane % 4 has

      left: f64: for each i, the element of row g + 8 (i % 2) and column
        t + 4 (i / 2), of eight; halves: for each i, the two elements of row
        g + 8 (i % 2) from column 2 t + 8 (i / 2) on, in one of four words;
      right: f64: for each i, the element of row t + 4 i and column g, of four;
        halves: for each i, the two elements of column g from row 2 t + 8 i on, in
        one of two words;
      sums: row g, columns 2 t and 2 t + 1, and then row g + 8.

    All lanes of a warp arrive here together.
  }];
  let arguments = (ins TypeAttr:$element, Variadic<Loop_Scalar>:$left,
                       Variadic<Loop_Scalar>:$right, Variadic<Loop_Scalar>:$sums);
  let results = (outs Variadic<Loop_Scalar>:$results);
  let assemblyFormat = [{
    $element $left `by` $right `to` $sums attr-dict
        `:` type($left) `by` type($right) `to` type($sums) `->` type($results)
  }];
}

def Loop_FenceSharedOp : Loop_Op<"fence_shared"> {
  let summary = "units that read shared memory themselves see what is there";
  let description = [{
    Namely what this lane has written or fetched, after it has awaited that. Before
    a barrier, after which loop.start_product begins.
  }];
  let assemblyFormat = "attr-dict";
}

def Loop_StartProductOp : Loop_Op<"start_product"> {
  let summary = "four warps begin to add a product of matrices to sums";
  let description = [{
    The matrices, of f16 or bf16, are 64 x 64 and 64 x 256, and lie in shared memory
    from these places on, which are multiples of 1024 bytes, as
    MatrixLayout::swizzled() says; `leftTransposed` and `rightTransposed` say which of their
    indices has neighbours. The lane with g = lane / 4 and t = lane % 4 of warp w has
    of each 8 columns the sums of row 16 w + g, columns 2 t and 2 t + 1, and then
    those of row 16 w + g + 8. The results are there after loop.await_product; until
    then both arrays stay as they are. All lanes of the four warps arrive here
    together. GPUs have this in sm_90a alone.
  }];
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead]>:$left, I64:$leftIndex,
                       Arg<Loop_ArrayType, "", [MemRead]>:$right, I64:$rightIndex,
                       Variadic<F32>:$sums, UnitAttr:$leftTransposed,
                       UnitAttr:$rightTransposed);
  let results = (outs Variadic<F32>:$results);
  let assemblyFormat = [{
    $left `[` $leftIndex `]` `by` $right `[` $rightIndex `]` `to` $sums attr-dict
        `:` qualified(type($left)) `by` qualified(type($right)) `to` type($sums)
        `->` type($results)
  }];
}

def Loop_AwaitProductOp : Loop_Op<"await_product"> {
  let summary = "waits for what four warps have begun to multiply";
  let description = [{
    With `loop.ahead`, a number, but for as many products as they began last. Those
    go on: their sums only go to another loop.start_product or loop.await_product.
  }];
  let arguments = (ins Variadic<F32>:$sums);
  let results = (outs Variadic<F32>:$results);
  let assemblyFormat = "$sums attr-dict `:` type($sums) `->` type($results)";
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

def Loop_ParallelOp : Loop_Op<"parallel",
    [SameVariadicOperandSize, RecursiveMemoryEffects]> {
  let summary = "independent iterations over a product of ranges";
  let description = [{
    `loop.parallel (%i, %j) = (%l0, %l1) to (%h0, %h1) step (%s0, %s1) { … }`
    Each range is Python's `range(lo, hi, step)`; a step of 0 is empty. The
    whole loop ends before the next operation.
  }];
  let arguments = (ins Variadic<I64>:$lower, Variadic<I64>:$upper,
                       Variadic<I64>:$step);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$lower,
                                 "::mlir::ValueRange":$upper,
                                 "::mlir::ValueRange":$step)>];
  let extraClassDeclaration = [{
    ::mlir::Block &entry() { return getBody().front(); }
  }];
}

def Loop_ReduceOp : Loop_Op<"reduce", [RecursiveMemoryEffects]> {
  let summary = "combines the values of a range's iterations";
  let description = [{
    `%r = loop.reduce KIND (%i) = %lo to %hi step %st : type { … }`
    `%r, %kept = loop.reduce KIND counted (%i) = …`
    `type` is the type of each value, of the accumulator and of the result. An
    arg_ kind has an i64 result instead: the position (the iteration's number,
    from 0) of the first extremum; a NaN wins against every number. Iterations
    may be grouped in any way, unless the reduction is `in_order`: then one lane
    combines them, one after the other. Over no elements, sum is 0, prod 1, any false,
    all true, min and max the identity of their operation, and a position -1.
    `kept`, an i64, is how many elements took part: 1 for each iteration that
    does, or as many as it yields. Integers wrap. min and max of floats
    propagate NaN. any and all take i1. Complex numbers are ordered by their
    real parts, then by their imaginary parts.
  }];
  let arguments = (ins Loop_ReduceKindAttr:$kind, TypeAttr:$value_type,
                       I64:$lower, I64:$upper, I64:$step,
                       UnitAttr:$in_order);
  let results = (outs Loop_Scalar:$result, Optional<I64>:$kept);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "ReduceKind":$kind,
                                 "::mlir::Type":$valueType,
                                 "::mlir::Value":$lower,
                                 "::mlir::Value":$upper,
                                 "::mlir::Value":$step,
                                 CArg<"bool", "false">:$isCounted)>];
  let extraClassDeclaration = [{
    ::mlir::Block &entry() { return getBody().front(); }
    ::mlir::BlockArgument inductionVar() { return entry().getArgument(0); }
  }];
}

def Loop_ScanOp : Loop_Op<"scan",
    [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "combines the elements of a range's iterations, in order";
  let description = [{
    `%r = loop.scan (%i) = %lo to %hi step %st from (%x) if %has : (f32) { … }
    combine { … } write { … }`
    An element is one value of each of the types. The first region gives that of
    an iteration. `combine` has two elements as arguments and joins them; it is
    associative, and iterations may be grouped in any way that keeps the order.
    `write`, which may be empty, gets each index and what the elements up to it,
    itself included, are combined to, and stores it.
    If `%has` is true, `initial` comes before the first element. The results are
    what all is combined to; `initial`, if there is no element.
    An iteration writes to none of the elements that others read.

    loop-map sets `kept`, how many chunks a lane keeps in registers, and adds an
    array of `words` for each of the types, if the slices of a cooperative
    kernel take the tiles of the range in turn.
  }];
  let arguments = (ins I64:$lower, I64:$upper, I64:$step,
                       Variadic<Loop_Scalar>:$initial, I1:$has_initial,
                       Variadic<Loop_ArrayType>:$words,
                       OptionalAttr<I64Attr>:$kept);
  let results = (outs Variadic<Loop_Scalar>:$totals);
  let regions = (region MinSizedRegion<1>:$elements, MinSizedRegion<1>:$combine,
                        AnyRegion:$write);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $lower `to` $upper `step` $step `from` `(` $initial `)` `if` $has_initial
        `:` `(` type($initial) `)`
        (`through` $words^ `:` qualified(type($words)))?
        $elements `combine` $combine `write` $write
        attr-dict `->` `(` type($totals) `)`
  }];
  let builders = [OpBuilder<
      (ins "::mlir::TypeRange":$totals, "::mlir::Value":$lower,
           "::mlir::Value":$upper, "::mlir::Value":$step,
           "::mlir::ValueRange":$initial, "::mlir::Value":$hasInitial),
      [{ build($_builder, $_state, totals, lower, upper, step, initial,
               hasInitial, ::mlir::ValueRange(), ::mlir::IntegerAttr()); }]>];
  let extraClassDeclaration = [{
    /// The values in an element.
    unsigned width() { return getInitial().size(); }
  }];
}

def Loop_GiveOp : Loop_Op<"give", [Terminator, Pure, HasParent<"ScanOp">]> {
  let summary = "ends a part of a scan, with an element";
  let arguments = (ins Variadic<Loop_Scalar>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===----------------------------------------------------------------------===//
// Operations that loop-distribute creates
//===----------------------------------------------------------------------===//

def Loop_LaneOp : Loop_Op<"lane", [Pure]> {
  let summary = "this lane's number in its group, from 0";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Loop_GroupSizeOp : Loop_Op<"group_size", [Pure]> {
  let summary = "how many lanes share one loop element";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Loop_LaneCountOp : Loop_Op<"lane_count", [Pure]> {
  let summary = "how many lanes the iterations of a shared reduction fall to";
  let description = [{
    Of a kernel that goes `across`, where the lanes of a group stand for more
    than themselves: for every lane whose number differs from theirs by a
    multiple of the group's size.
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Loop_CombineOp : Loop_Op<"combine"> {
  let summary = "combines one value from each lane of a group";
  let description = [{
    Every lane gets the same result. The group's size fixes the order. A kind
    that carries a position (carriesPosition) takes each lane's extremum and its
    position. An arg_ kind returns the position of the group's extremum. With
    `to_first` lane 0 alone gets the result, and the others any value.
  }];
  let arguments = (ins Loop_ReduceKindAttr:$kind, Loop_Scalar:$value,
                       Optional<I64>:$index, UnitAttr:$to_first);
  let results = (outs Loop_Scalar:$result);
  let assemblyFormat = [{
    $kind $value (`,` $index^)? (`to_first` $to_first^)? attr-dict `:`
    type($value) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Loop_OfLaneOp : Loop_Op<"of_lane", [AllTypesMatch<["value", "result"]>]> {
  let summary = "the value of another lane of this warp";
  let description = [{
    `lane` counts the group's lanes in the warp, from 0, and is one of them. All
    of them arrive here together.
  }];
  let arguments = (ins Loop_Scalar:$value, I64:$lane);
  let results = (outs Loop_Scalar:$result);
  let assemblyFormat = "$value `,` $lane attr-dict `:` type($value)";
}

def Loop_EarlierLaneOp
    : Loop_Op<"earlier_lane", [SameOperandsAndResultType]> {
  let summary = "the value of the lane so many before this one in its warp";
  let description = [{
    Any value in the first lanes, which have none. All lanes of the group in the
    warp arrive here together.
  }];
  let arguments = (ins Loop_Scalar:$value, I64Attr:$distance);
  let results = (outs Loop_Scalar:$result);
  let assemblyFormat = "$distance `before` $value attr-dict `:` type($value)";
}

def Loop_OfWarpsOp : Loop_Op<"of_warps", [SameOperandsAndResultType]> {
  let summary = "the values of the last lanes of a group's warps";
  let description = [{
    In a group of several warps: lane l of each warp gets the value of the last
    lane of warp l, or any value if there is no such warp.
  }];
  let arguments = (ins Loop_Scalar:$value);
  let results = (outs Loop_Scalar:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Loop_TransposeOp : Loop_Op<"transpose"> {
  let summary = "values of the thread whose row and column are this one's, swapped";
  let description = [{
    Of a kernel that goes `across`, whose blocks have 32 times 32 threads: what
    the rows have of one loop element is then in the lanes of a warp, and the
    reverse. All threads of the block arrive here together.
  }];
  let arguments = (ins Variadic<Loop_Scalar>:$values);
  let results = (outs Variadic<Loop_Scalar>:$results);
  let assemblyFormat =
      "$values attr-dict `:` `(` type($values) `)` `->` `(` type($results) `)`";
}

def Loop_HasChunksOp : Loop_Op<"has_chunks", [Pure]> {
  let summary = "whether elements can be read in chunks";
  let description = [{
    A chunk is `size` elements along `dimension`; the first begins at the
    indices. True if the elements of a chunk are contiguous and every chunk is
    aligned to its size in bytes.
  }];
  let arguments = (ins Loop_ArrayType:$array, Variadic<I64>:$indices,
                       I64Attr:$dimension, I64Attr:$size);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $size `of` $array `[` $indices `]` `along` $dimension attr-dict
        `:` qualified(type($array))
  }];
  let hasVerifier = 1;
}

def Loop_LoadChunkOp : Loop_Op<"load_chunk"> {
  let summary = "reads one chunk, of elements for which loop.has_chunks is true";
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead]>:$array,
                       Variadic<I64>:$indices, I64Attr:$dimension);
  let results = (outs Variadic<Loop_Scalar>:$elements);
  let assemblyFormat = [{
    $array `[` $indices `]` `along` $dimension attr-dict `:`
        qualified(type($array)) `->` type($elements)
  }];
  let hasVerifier = 1;
}

def Loop_StoreChunkOp : Loop_Op<"store_chunk", [AttrSizedOperandSegments]> {
  let summary = "writes one chunk, of elements for which loop.has_chunks is true";
  let arguments = (ins Variadic<Loop_Scalar>:$elements,
                       Arg<Loop_ArrayType, "", [MemWrite]>:$array,
                       Variadic<I64>:$indices, I64Attr:$dimension);
  let assemblyFormat = [{
    `(` $elements `)` `,` $array `[` $indices `]` `along` $dimension attr-dict
        `:` qualified(type($array)) `,` type($elements)
  }];
  let hasVerifier = 1;
}

def Loop_KeepOp : Loop_Op<"keep", [SameOperandsAndResultType]> {
  let summary = "the same value, in a register from here on";
  let description = [{
    Without it, LLVM may compute a part of the value again where it is used, and
    keep more values for that instead, or compute it in another way.
  }];
  let arguments = (ins Loop_Scalar:$value);
  let results = (outs Loop_Scalar:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Operations that loop-map creates for staged kernels
//===----------------------------------------------------------------------===//

class Loop_MoveOp<string mnemonic>
    : Loop_Op<mnemonic, [SameVariadicOperandSize]> {
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead, MemWrite]>:$array,
                       Variadic<I64>:$indices, Variadic<I64>:$extents,
                       Arg<Loop_ArrayType, "", [MemRead, MemWrite]>:$tile,
                       I64:$at, I64Attr:$size);
  let assemblyFormat = [{
    $array `[` $indices `]` `(` $extents `)` `,` $tile `[` $at `]` `size` $size
        attr-dict `:` qualified(type($array)) `,` qualified(type($tile))
  }];
}

def Loop_StageInOp : Loop_MoveOp<"stage_in"> {
  let summary = "the lanes of a warp copy a box of each lane's array to its tile";
  let description = [{
    The box begins at `indices` and has `extents`, which are the same in all
    lanes; its elements follow one another in the tile, from element `at` on.
    `size` is the largest number of them, if it is known, else 0. All lanes of a
    warp arrive here together. The elements are there after a `loop.stage_wait`.
  }];
}

def Loop_StageOutOp : Loop_MoveOp<"stage_out"> {
  let summary = "the lanes of a warp copy each lane's tile to a box of its array";
  let description = [{
    As loop.stage_in, the other way round. Nothing is written for threads without a
    loop element.
  }];
}

def Loop_StageWaitOp : Loop_Op<"stage_wait"> {
  let summary = "waits for a warp's fetches";
  let assemblyFormat = "attr-dict";
}

def Loop_BarrierOp : Loop_Op<"barrier"> {
  let summary = "orders memory among the lanes of a group";
  let assemblyFormat = "attr-dict";
}

def Loop_PublishOp : Loop_Op<"publish"> {
  let summary = "stores a word for slices that run at the same time";
  let description = [{
    Lane 0 stores it, at once. The word must not be 0 in its high half, and the
    array's elements must be 0 there before.
  }];
  let arguments = (ins I64:$word, Arg<Loop_ArrayType, "", [MemWrite]>:$array,
                       I64:$index);
  let assemblyFormat =
      "$word `to` $array `[` $index `]` attr-dict `:` qualified(type($array))";
}

def Loop_AwaitWordOp : Loop_Op<"await_word"> {
  let summary = "the word that a slice publishes, once it is there";
  let arguments = (ins Arg<Loop_ArrayType, "", [MemRead, MemWrite]>:$array,
                       I64:$index);
  let results = (outs I64:$word);
  let assemblyFormat =
      "$array `[` $index `]` attr-dict `:` qualified(type($array))";
}

#endif // KERN_DIALECTS_LOOP_LOOPOPS_TD
