//===- KernOps.td - the kern dialect -----------------------*- tablegen -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions as the source has them, before and after type specialisation. Both
// forms use the same operations. A value is `!kern.open` until its type is
// known. Afterwards it has a builtin type: i1 for bool, si8 … ui64 for
// integers, f16, bf16, f32, f64, complex<f32> and complex<f64>.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_OPS
#define KERN_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kern_Dialect : Dialect {
  let name = "kern";
  let cppNamespace = "::kern::ir";
  let summary = "ufuncs and gufuncs, polymorphic and typed";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

def Kern_Open : TypeDef<Kern_Dialect, "Open"> {
  let mnemonic = "open";
  let summary = "a scalar whose type is not decided yet";
}

def Kern_Array : TypeDef<Kern_Dialect, "Array"> {
  let mnemonic = "array";
  let summary = "the core array of an operand: element type and rank";
  let parameters = (ins "::mlir::Type":$elementType, "unsigned":$rank);
  let assemblyFormat = "`<` $elementType `,` $rank `>`";
}

def Kern_Scalar : Type<CPred<"::kern::ir::isScalar($_self)">,
                       "an open or typed scalar", "::mlir::Type">;
def Kern_Value : AnyTypeOf<[Kern_Scalar, Kern_Array]>;

def Kern_DimKind : I32EnumAttr<"DimKind", "a node of a dimension's expression", [
    I32EnumAttrCase<"Name", 0, "name">, I32EnumAttrCase<"Constant", 1, "constant">,
    I32EnumAttrCase<"Add", 2, "+">, I32EnumAttrCase<"Subtract", 3, "-">,
    I32EnumAttrCase<"Multiply", 4, "*">, I32EnumAttrCase<"FloorDivide", 5, "//">,
    I32EnumAttrCase<"Remainder", 6, "%">, I32EnumAttrCase<"Minimum", 7, "min">,
    I32EnumAttrCase<"Maximum", 8, "max">]> {
  let cppNamespace = "::kern::ir";
  let genSpecializedAttr = 0;
}

def Kern_DimExprAttr : AttrDef<Kern_Dialect, "DimExpr"> {
  let mnemonic = "dim";
  let summary = "a core dimension: an expression of names and non-negative integers";
  let description = [{
    A tree whose leaves are names of dimensions and constants, and whose other
    nodes have two operands. Division and remainder round down, as Python's;
    they are spelt as in affine maps, since `//` begins a comment.

    ```
    #kern.dim<n - k + 1>   #kern.dim<max(m, 2) * (n floordiv 2)>
    ```
  }];
  let parameters = (ins "::kern::ir::DimKind":$kind, "::mlir::StringAttr":$name,
                        "int64_t":$value, "::kern::ir::DimExprAttr":$left,
                        "::kern::ir::DimExprAttr":$right);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static DimExprAttr named(::mlir::MLIRContext *context, ::llvm::StringRef name);
    /// `value` must not be negative.
    static DimExprAttr constant(::mlir::MLIRContext *context, int64_t value);
    /// `kind` is neither Name nor Constant.
    static DimExprAttr binary(DimKind kind, DimExprAttr left, DimExprAttr right);

    bool isName() const { return getKind() == DimKind::Name; }
    bool isConstant() const { return getKind() == DimKind::Constant; }

    /// Calls `visit` for each node in post-order, the left operand first. Equal
    /// nodes are visited once for each occurrence.
    void forEachNode(::llvm::function_ref<void(DimExprAttr)> visit) const;

    /// Folds the tree in the order of forEachNode. `leaf` gives the value of a
    /// name or a constant, `combine` that of an operator.
    template <typename T>
    T evaluate(::llvm::function_ref<T(DimExprAttr)> leaf,
               ::llvm::function_ref<T(DimKind, T, T)> combine) const {
      ::llvm::SmallVector<T> stack;
      forEachNode([&](DimExprAttr node) {
        if (!node.getLeft()) {
          stack.push_back(leaf(node));
          return;
        }
        T right = stack.pop_back_val(), left = stack.pop_back_val();
        stack.push_back(combine(node.getKind(), left, right));
      });
      return stack.pop_back_val();
    }

    /// The tokens in reverse Polish notation, as the runtime reads them
    /// (runtime/artefact/Manifest.h): `n - k + 1` is n k - 1 +.
    ::llvm::SmallVector<std::string> reversePolish() const;
  }];
}

def Kern_OperandAttr : AttrDef<Kern_Dialect, "Operand"> {
  let mnemonic = "operand";
  let summary = "one parameter or result of a function's header";
  let description = [{
    `type` is the annotation: a TypeAttr, the name of a type variable, or unit
    where none was written (a generic parameter, an inferred result, a `dim`).
    `core` has the core dimensions; an operand without any is a scalar.

    ```
    #kern.operand<x: T>   #kern.operand<inout z: si32[m, k - 1]>
    #kern.operand<s: dim>   #kern.operand<generic>   #kern.operand<"": f64>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Attribute":$type,
                        ArrayRefParameter<"::kern::ir::DimExprAttr">:$core,
                        "bool":$isInout, "bool":$isDim);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isArray() const { return !getCore().empty(); }
    /// Null unless the annotation is a type.
    ::mlir::Type elementType() const;
    /// The same operand with elements of that type.
    OperandAttr withElementType(::mlir::Type type) const;
  }];
}

def Kern_ScalarFunctionAttr : AttrDef<Kern_Dialect, "ScalarFunction"> {
  let mnemonic = "function";
  let summary = "a row of ScalarFunctions.def: `#kern.function<add>`";
  let parameters = (ins "::kern::ir::ScalarFunction":$value);
  let hasCustomAssemblyFormat = 1;
  // The accessors return the enum, as those of TableGen's enum attributes do.
  let returnType = "::kern::ir::ScalarFunction";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::kern::ir::ScalarFunctionAttr::get($_builder.getContext(), $0)";
}

def Kern_FunctionKind : I32EnumAttr<"FuncKind", "what a function is", [
    I32EnumAttrCase<"Ufunc", 0, "ufunc">, I32EnumAttrCase<"Gufunc", 1, "gufunc">]> {
  let cppNamespace = "::kern::ir";
  let genSpecializedAttr = 0;
}
def Kern_FunctionKindAttr : EnumAttr<Kern_Dialect, Kern_FunctionKind, "kind">;

def Kern_ReduceKind : I32EnumAttr<"ReduceKind", "how a reduction combines", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Any", 4, "any">, I32EnumAttrCase<"All", 5, "all">,
    I32EnumAttrCase<"ArgMin", 6, "argmin">, I32EnumAttrCase<"ArgMax", 7, "argmax">,
    I32EnumAttrCase<"Mean", 8, "mean">]> {
  let cppNamespace = "::kern::ir";
  let genSpecializedAttr = 0;
}
def Kern_ReduceKindAttr : EnumAttr<Kern_Dialect, Kern_ReduceKind, "reduction"> {
  let assemblyFormat = "$value";
}

def Kern_CastMode : I32EnumAttr<"CastMode", "which conversions are allowed", [
    I32EnumAttrCase<"Explicit", 0, "explicit">,
    I32EnumAttrCase<"SameKind", 1, "same_kind">]> {
  let cppNamespace = "::kern::ir";
  let genSpecializedAttr = 0;
}
def Kern_CastModeAttr : EnumAttr<Kern_Dialect, Kern_CastMode, "mode"> {
  let assemblyFormat = "$value";
}

class Kern_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kern_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Kern_FuncOp : Kern_Op<"func", [Symbol, IsolatedFromAbove,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a ufunc or gufunc";
  let description = [{
    Arguments of the entry block: a value for each parameter that is not a
    `dim` (a scalar, or an array where it has core dimensions), then an array
    for each result that has core dimensions. Results without core dimensions
    are returned. Core dimensions and `dim` parameters are read by `kern.dim`.

    A polymorphic function has the annotations of the source and open arguments.
    `type_vars` names the header's type variables, `loops` has a list of types
    for each combination, in order, and `optional_dims` lists the core dimensions
    that arrays may lack. In a typed function every operand and argument has its
    element type, these three are empty, and `origin` names the function that it
    was specialised from.

    ```
    kern.func gufunc @mm(%a: T[m, k], %b: T[k, n?], s: dim, inout %z: si32[m])
        -> (%c: T[m, k - 1], d: f64) where T in (f32, f64) { … }
    kern.func typed ufunc @add__f32_f32(%x: f32, %y: f32) -> f32 of @add { … }
    ```

    Operands that are arguments are written with a `%`: `%c` is the array of a
    result; `s` and `d` are not SSA values. A name that MLIR's syntax does not
    allow follows the argument, as in `%arg0 "größe": T`. A parameter without an
    annotation is its name alone, a result without one is `_`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Kern_FunctionKindAttr:$kind,
                       TypedArrayAttrBase<Kern_OperandAttr, "operands">:$parameters,
                       TypedArrayAttrBase<Kern_OperandAttr, "operands">:$results,
                       StrArrayAttr:$type_vars, TypedArrayAttrBase<TypeArrayAttr, "rows of types">:$loops,
                       OptionalAttr<StrArrayAttr>:$optional_dims,
                       OptionalAttr<StrAttr>:$doc, OptionalAttr<StrAttr>:$origin,
                       UnitAttr:$typed);
  let regions = (region MinSizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isTyped() { return getTyped(); }
    auto parameterInfos() { return getParameters().getAsRange<::kern::ir::OperandAttr>(); }
    auto resultInfos() { return getResults().getAsRange<::kern::ir::OperandAttr>(); }
    /// The operands that are entry block arguments, in order.
    ::llvm::SmallVector<OperandAttr> entryOperands();
    /// Core dimensions and `dim` parameters, in order of first appearance.
    ::mlir::ArrayAttr dimNames();
  }];
}

def Kern_ReturnOp : Kern_Op<"return", [Terminator, Pure, HasParent<"FuncOp">]> {
  let summary = "returns the results that have no core dimensions, in order";
  let arguments = (ins Variadic<Kern_Scalar>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Kern_YieldOp : Kern_Op<"yield", [Terminator, Pure, AttrSizedOperandSegments, ParentOneOf<["ParallelOp", "ReduceOp"]>]> {
  let summary = "ends an iteration; in a reduction, with its value and whether it is kept";
  let description = [{
    `count` is how many elements the value stands for, where that is not one:
    those of a partial reduction. Only in a reduction with a `kept` result.
  }];
  let arguments = (ins Optional<Kern_Scalar>:$value, Optional<I1>:$keep, Optional<Kern_Scalar>:$count);
  let assemblyFormat = [{
    ($value^ `:` type($value))? (`if` $keep^)? (`of` $count^ `:` type($count))? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

def Kern_ConstantOp : Kern_Op<"constant", [Pure]> {
  let summary = "a literal: weak while open";
  let description = [{
    The attribute is an integer of 128 or more bits, an f64 float, a bool, or two
    f64 floats (complex). Once typed, the value has the result's type.
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = "$value `->` type($result) attr-dict";
  let extraClassDeclaration = [{
    /// The value of an integer constant; nothing for a bool. A bool's attribute
    /// is a one-bit integer, and `true` would read as -1.
    std::optional<llvm::APInt> integer();
  }];
}

def Kern_TableOp : Kern_Op<"table", [Pure]> {
  let summary = "an array of constants, which nothing stores to";
  let description = [{
    The values are as those of kern.constant, in C order. Once typed, they have
    the type of the elements, and only kern.load uses the array. While open they
    have that of `element`; without it they are weak, of the widest kind.
  }];
  let arguments = (ins ArrayAttr:$values, DenseI64ArrayAttr:$shape, OptionalAttr<TypeAttr>:$element);
  let results = (outs Kern_Array:$result);
  let assemblyFormat = "$shape (`of` $element^)? $values `->` type($result) attr-dict";
}

def Kern_ApplyOp : Kern_Op<"apply", [Pure]> {
  let summary = "a scalar function of the table ScalarFunctions.def";
  let description = [{
    Operators are functions too, under NumPy's names (`add`, `true_divide`,
    `less`). Once typed, the operands have the types of one of the function's
    typed loops. While open, a chained function (`hypot`) may have more than two
    operands.
  }];
  let arguments = (ins Kern_ScalarFunctionAttr:$function, Variadic<Kern_Scalar>:$operands);
  let results = (outs Variadic<Kern_Scalar>:$results);
  let hasVerifier = 1;
  let assemblyFormat = "custom<FunctionName>($function) `(` $operands `)` `:` functional-type($operands, $results) attr-dict";
}

def Kern_CastOp : Kern_Op<"cast", [Pure]> {
  let summary = "conversion to a type or to a type variable's type";
  let description = [{
    Float to integer truncates, saturates and turns NaN into 0. Integer to
    integer wraps. Number to bool is `!= 0`. Bool to number is 0 or 1. The rest
    is as in NumPy. `target` is a TypeAttr or, while open, the name of a type
    variable.
  }];
  let arguments = (ins Kern_Scalar:$value, AnyAttr:$target, Kern_CastModeAttr:$mode);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = "$mode $value `:` type($value) `to` $target `->` type($result) attr-dict";
}

def Kern_BitsOp : Kern_Op<"bits", [Pure]> {
  let summary = "the bits of a real number as those of another type of its width";
  let description = [{
    `target` is as in kern.cast; without it, `like` has the type. Once typed,
    there is no `like`.
  }];
  let arguments = (ins Kern_Scalar:$value, OptionalAttr<AnyAttr>:$target,
                       Optional<Kern_Scalar>:$like);
  let results = (outs Kern_Scalar:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $value `:` type($value) (`as` $target^)? (`like` $like^ `:` type($like))? `->` type($result) attr-dict
  }];
}

def Kern_TruthOp : Kern_Op<"truth", [Pure]> {
  let summary = "Python's truth of a number: `value != 0` (NaN is true)";
  let arguments = (ins Kern_Scalar:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value `:` type($value) attr-dict";
}

def Kern_TypeIsOp : Kern_Op<"type_is", [Pure]> {
  let summary = "whether a type variable is one of these types; folded by specialisation";
  let arguments = (ins StrAttr:$variable, TypeArrayAttr:$types);
  let results = (outs I1:$result);
  let assemblyFormat = "$variable `in` $types attr-dict";
}

//===--- Calls of functions with declared types ---------------------------===//

def Kern_EnterOp : Kern_Op<"enter", [Pure]> {
  let summary = "the arguments of an inlined function whose header declares types";
  let description = [{
    Chooses the typed loop of `callee` for its operands, as a call does
    (compiler/specialize/LoopChoice.h). `parameters` has each operand's
    annotation, as OperandAttr does. `inout` marks the arrays that are written;
    these must have their annotation's type already.

    The results are the parameters, converted, and then a placeholder for each
    type variable. An array parameter has a placeholder too: a scalar that only
    stands for a type, here that of the array's elements. Only in open form.
  }];
  let arguments = (ins StrAttr:$callee, ArrayAttr:$parameters, DenseBoolArrayAttr:$inout,
                       StrArrayAttr:$type_vars, ArrayAttr:$loops,
                       Variadic<Kern_Value>:$operands);
  let results = (outs Variadic<Kern_Scalar>:$results);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $callee `(` $operands `)` `:` functional-type($operands, $results) attr-dict
  }];
}

def Kern_LeaveOp : Kern_Op<"leave", [Pure]> {
  let summary = "a result of an inlined function whose header declares types";
  let description = [{
    `arguments` are those of the call, before kern.enter converts them. If all
    of them are weak, so is the result: the call takes the type of what it
    meets, as a literal does. Otherwise the result is the value. Only in open
    form.
  }];
  let arguments = (ins Kern_Scalar:$value, Variadic<Kern_Scalar>:$arguments);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = [{
    $value `from` `(` $arguments `)` `:` functional-type(operands, $result) attr-dict
  }];
}

def Kern_InlinedOp : Kern_Op<"inlined"> {
  let summary = "notes the call of an inlined function, for messages about its body";
  let description = [{
    `pattern` is the call with a `%` for the type of each operand: `"half(%, int)"`.
    Its location is that of the call. Only in open form.
  }];
  let arguments = (ins StrAttr:$pattern, Variadic<Kern_Value>:$operands);
  let assemblyFormat = "$pattern `(` ($operands^ `:` type($operands))? `)` attr-dict";
}

def Kern_CastLikeOp : Kern_Op<"cast_like", [Pure]> {
  let summary = "conversion to the type of another value; only in open form";
  let arguments = (ins Kern_Scalar:$value, Kern_Scalar:$like, Kern_CastModeAttr:$mode);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = "$mode $value `like` $like `:` type($value) `,` type($like) `->` type($result) attr-dict";
}

def Kern_TypeOfIsOp : Kern_Op<"type_of_is", [Pure]> {
  let summary = "whether a value's type is one of these; folded by specialisation";
  let arguments = (ins Kern_Scalar:$value, TypeArrayAttr:$types);
  let results = (outs I1:$result);
  let assemblyFormat = "$value `in` $types `:` type($value) attr-dict";
}

def Kern_AccumulatorOp : Kern_Op<"accumulator", [Pure]> {
  let summary = "a loop-carried value";
  let description = [{
    With `accumulates` the next iteration's value is computed from this one's,
    and an integer that starts weak is 64-bit. Only in open form.
  }];
  let arguments = (ins Kern_Scalar:$value, UnitAttr:$accumulates);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = "(`accumulates` $accumulates^)? $value `:` type($value) `->` type($result) attr-dict";
}

def Kern_IndexOp : Kern_Op<"index", [Pure]> {
  let summary = "an integer as an index value";
  let description = [{
    i64 beside integers; beside a float or complex operand, that operand's type.
    Core dimensions behave the same. Messages name the
    `range` or `prange` of which it is an argument. Only in open form.
  }];
  let arguments = (ins Kern_Scalar:$value, OptionalAttr<StrAttr>:$range);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = "$value `:` type($value) `->` type($result) attr-dict";
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

def Kern_DimOp : Kern_Op<"dim", [Pure]> {
  let summary = "the extent of a core dimension, or a `dim` parameter; si64 when typed";
  let arguments = (ins StrAttr:$dim);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = "$dim `:` type($result) attr-dict";
}

def Kern_LoadOp : Kern_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "reads one element; the indices are si64 when typed";
  let arguments = (ins Kern_Array:$array, Variadic<Kern_Scalar>:$indices);
  let results = (outs Kern_Scalar:$result);
  let assemblyFormat = "$array `[` $indices `]` `:` type($array) `[` type($indices) `]` `->` type($result) attr-dict";
}

def Kern_StoreOp : Kern_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes one element; while open, the value converts as same_kind allows";
  let arguments = (ins Kern_Scalar:$value, Kern_Array:$array, Variadic<Kern_Scalar>:$indices);
  let assemblyFormat = "$value `,` $array `[` $indices `]` `:` type($value) `,` type($array) `[` type($indices) `]` attr-dict";
}

def Kern_AccumulateOp : Kern_Op<"accumulate", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "`h[e] += v` of an element that several iterations share";
  let description = [{
    `function` is `add`, `bitwise_and`, `bitwise_or`, `bitwise_xor`, `minimum` or
    `maximum`. For integers and bool the result is exact in any order, and so is
    an extremum of floats. A parallel loop that adds to floats runs in order. Once typed, the value has the element's type.
  }];
  let arguments = (ins Kern_ScalarFunctionAttr:$function, Kern_Scalar:$value, Kern_Array:$array,
                       Variadic<Kern_Scalar>:$indices);
  let assemblyFormat = [{
    custom<FunctionName>($function) $value `,` $array `[` $indices `]` `:` type($value) `,` type($array)
    `[` type($indices) `]` attr-dict
  }];
}

def Kern_LocalOp : Kern_Op<"local", [AttrSizedOperandSegments, MemoryEffects<[MemAlloc]>]> {
  let summary = "a local array, created each time it is reached";
  let description = [{
    `name` is its name in messages: the first variable that it is assigned to,
    else the function that created it. `element` is a TypeAttr or, while open,
    the name of a type variable; without it, `like` has the type, or a
    kern.element on the path that uses the array. `zeroed`
    arrays start as 0, others are uninitialised. The extents are constants and
    expressions of core dimensions; si64 when typed.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<AnyAttr>:$element, UnitAttr:$zeroed,
                       Optional<Kern_Scalar>:$like, Variadic<Kern_Scalar>:$extents);
  let results = (outs Kern_Array:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $name (`zeroed` $zeroed^)? (`of` $element^)? (`like` $like^ `:` type($like))?
    `[` $extents `:` type($extents) `]` `->` type($result) attr-dict
  }];
}

def Kern_ElementOp : Kern_Op<"element", [MemoryEffects<[MemWrite]>]> {
  let summary = "gives a local array the type of a value, where a path decides it";
  let description = [{
    Of an array that was moved before a choice of paths. It has no type on the
    others, which do not use it. Only in open form.
  }];
  let arguments = (ins Kern_Array:$array, Kern_Scalar:$like);
  let assemblyFormat = "$array `like` $like `:` type($array) `,` type($like) attr-dict";
}

def Kern_SameTypeOp : Kern_Op<"same_type", [MemoryEffects<[MemWrite]>]> {
  let summary = "refuses a value whose type is not that of an array's elements; only in open form";
  let description = [{
    The value is an element that a loop gives to the array `name`. A weak one
    takes the array's type.
  }];
  let arguments = (ins Kern_Array:$array, Kern_Scalar:$value, StrAttr:$name);
  let assemblyFormat = "$array `,` $value `of` $name `:` type($array) `,` type($value) attr-dict";
}

//===----------------------------------------------------------------------===//
// Checks, in code compiled with `--check`
//===----------------------------------------------------------------------===//

def Kern_CheckIndexOp : Kern_Op<"check_index", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the loop element unless `0 <= index < extent`";
  let description = [{
    The index is into axis `axis` of the array or view called `array`. With
    `bound` it is a bound of a slice and may equal the extent. With `from_end`
    the source has a negative number, which counts from the end; messages show
    that number. With `least` the extent is tested instead: the bound is outside
    if it is less. Index and extent are si64 when typed.
  }];
  let arguments = (ins Kern_Scalar:$index, Kern_Scalar:$extent, StrAttr:$array,
                       I64Attr:$axis, UnitAttr:$bound, UnitAttr:$from_end,
                       OptionalAttr<I64Attr>:$least);
  let assemblyFormat = [{
    (`bound` $bound^)? (`from_end` $from_end^)? (`least` $least^)? $index `in` $extent `of` $array `axis` $axis
    `:` type($index) `,` type($extent) attr-dict
  }];
}

def Kern_SameExtentOp : Kern_Op<"same_extent", [MemoryEffects<[MemWrite]>]> {
  let summary = "two extents that each call checks to be equal, whichever path it takes";
  let description = [{
    Both are expressions of core dimensions and constants; si64 when typed.
    Becomes a requirement of the kernel, and no code.
  }];
  let arguments = (ins Kern_Scalar:$one, Kern_Scalar:$other);
  let assemblyFormat = "$one `,` $other `:` type($one) `,` type($other) attr-dict";
}

def Kern_LeastExtentOp : Kern_Op<"least_extent", [MemoryEffects<[MemWrite]>]> {
  let summary = "an extent that is at least `least` in each call that surely comes here";
  let description = [{
    A constant index, or a slice with constant bounds, needs that many elements
    along axis `axis` of the array or view called `array`. The extent is an
    expression of core dimensions and constants; si64 when typed. Becomes a
    requirement of the kernel if this runs on every path, or in every iteration
    of loops whose ranges are such expressions too. It is no code.
  }];
  let arguments = (ins Kern_Scalar:$extent, I64Attr:$least, StrAttr:$array, I64Attr:$axis);
  let assemblyFormat = "$extent `,` $least `of` $array `axis` $axis `:` type($extent) attr-dict";
}

def Kern_AssertOp : Kern_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the loop element with the message `text` if a condition fails";
  let arguments = (ins I1:$condition, StrAttr:$text);
  let assemblyFormat = "$condition `,` $text attr-dict";
}

//===----------------------------------------------------------------------===//
// Loops whose iterations may run concurrently
//===----------------------------------------------------------------------===//

def Kern_ParallelOp : Kern_Op<"parallel", [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "prange: independent iterations";
  let arguments = (ins Variadic<Kern_Scalar>:$lowers, Variadic<Kern_Scalar>:$uppers,
                       Variadic<Kern_Scalar>:$steps);
  let regions = (region MinSizedRegion<1>:$body);
  let hasVerifier = 1;
  let assemblyFormat = [{
    `(` $lowers `:` type($lowers) `)` `to` `(` $uppers `:` type($uppers) `)`
    `step` `(` $steps `:` type($steps) `)` $body attr-dict
  }];
}

def Kern_ReduceOp : Kern_Op<"reduce", [RecursiveMemoryEffects]> {
  let summary = "a reduction over a range of the values that the region yields";
  let description = [{
    May be grouped in any way that keeps the order. `argmin` and `argmax` return
    the position in the range, or -1 if no element is kept. Once typed, the
    yielded value has the accumulator's type. That is the result's type too,
    except for argmin and argmax (si64). `kept` is how many elements were kept
    (si64).

    Only in open form: the result of a `partial` reduction is an element of the
    reduction around it. It has the type in which both accumulate, so that a sum
    over several ranges is rounded once. `mean` sums in the type of a mean. A
    mean that is not partial divides by `count`, or by its own `kept`, and is
    then rounded.
  }];
  let arguments = (ins Kern_ReduceKindAttr:$kind, UnitAttr:$partial, Kern_Scalar:$lower,
                       Kern_Scalar:$upper, Kern_Scalar:$step, Optional<Kern_Scalar>:$count);
  let results = (outs Kern_Scalar:$result, Optional<Kern_Scalar>:$kept);
  let regions = (region MinSizedRegion<1>:$body);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $kind (`partial` $partial^)? $lower `to` $upper `step` $step
    (`over` $count^ `of` type($count))? `:` type($lower) `,` type($upper) `,`
    type($step) `->` type($result) (`,` type($kept)^)? $body attr-dict
  }];
  let extraClassDeclaration = [{
    /// The partial reduction whose results this one combines, or null.
    ReduceOp inner();
    /// The end of the chain of inner(); this reduction if it has no inner one.
    ReduceOp innermost();
  }];
}

def Kern_ScanOp : Kern_Op<"scan", [RecursiveMemoryEffects]> {
  let summary = "combines the elements of a range one after the other, and gives all or what is reached last";
  let description = [{
    `elements` gives the elements at an index; each may be several numbers.
    `combine` joins two of them, and is associative: the elements may be grouped
    in any way that keeps the order. `write`, if it is not empty, gets each index
    with what the elements up to it, itself included, are combined to.

    The results are what all elements combine to. `initial` is combined before
    the first one. Without it there are no results.

    Once typed, each number has one type in `elements`, `combine`, `initial` and
    `results`. In open form it is the type that all of them lead to: with `kind`
    that of the reduction's accumulator, which `write` gets in the reduction's
    type. With `accumulates`, an integer that starts weak is 64-bit.
  }];
  let arguments = (ins OptionalAttr<Kern_ReduceKindAttr>:$kind, UnitAttr:$accumulates,
                       Kern_Scalar:$lower, Kern_Scalar:$upper, Kern_Scalar:$step,
                       Variadic<Kern_Scalar>:$initial);
  let results = (outs Variadic<Kern_Scalar>:$totals);
  let regions = (region MinSizedRegion<1>:$elements, MinSizedRegion<1>:$combine, AnyRegion:$write);
  let hasVerifier = 1;
  let assemblyFormat = [{
    (`of` $kind^)? (`accumulates` $accumulates^)? $lower `to` $upper `step` $step
    (`from` $initial^ `of` type($initial))? `:` type($lower) `,` type($upper) `,`
    type($step) (`->` type($totals)^)? $elements `combine` $combine `write` $write attr-dict
  }];
  let extraClassDeclaration = [{
    /// The number of values in an element.
    unsigned width() { return getCombine().getNumArguments() / 2; }
  }];
}

def Kern_GiveOp : Kern_Op<"give", [Terminator, Pure, HasParent<"ScanOp">]> {
  let summary = "ends a part of a scan, with an element";
  let arguments = (ins Variadic<Kern_Scalar>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // KERN_OPS
