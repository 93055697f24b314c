// RUN: %kern-opt %s --split-input-file --verify-diagnostics

// What is wrong with a header, at its place in the text where that has one.

// expected-error@+1 {{expected `ufunc` or `gufunc`}}
kern.func def @kind() {
  kern.return
}

// -----

// expected-error@+1 {{expected a parameter, as `%x: T` or `n: dim`}}
kern.func ufunc @parameter(42) {
  kern.return
}

// -----

// expected-error@+1 {{expected an element type, a type variable, `dim` or core dimensions}}
kern.func ufunc @annotation(%x: !kern.open) {
  kern.return
}

// -----

// expected-error@+1 {{a dim is not an argument: write `n: dim`}}
kern.func gufunc @dim_argument(%n: dim) {
  kern.return
}

// -----

// expected-error@+1 {{a parameter is an argument: write `%x`}}
kern.func ufunc @no_argument(x: f32) {
  kern.return
}

// -----

// expected-error@+1 {{operand "n" is a dim: it has no type and no dimensions}}
kern.func gufunc @dim_of_dims(n: dim[n]) {
  kern.return
}

// -----

// expected-error@+1 {{operand "n" is a dim: it has no type and no dimensions}}
kern.func gufunc @inout_dim(inout n: dim) {
  kern.return
}

// -----

// expected-error@+1 {{operand "x" is inout, which takes an array}}
kern.func gufunc @inout_scalar(inout %x: f32) {
  kern.return
}

// -----

// expected-error@+1 {{is neither an element type nor a variable}}
kern.func ufunc @complex(%x: complex<bf16>) {
  kern.return
}

// -----

// expected-error@+1 {{invalid element type for complex}}
kern.func ufunc @nested(%x: complex<complex<f32>>) {
  kern.return
}

// -----

// expected-error@+1 {{a result cannot be a dim}}
kern.func gufunc @dim_result() -> dim {
  kern.return
}

// -----

// expected-error@+1 {{a result with core dimensions is an argument: write `%name: …`}}
kern.func gufunc @array_result() -> (y: f32[n]) {
  kern.return
}

// -----

// expected-error@+1 {{a result without core dimensions is not an argument}}
kern.func ufunc @scalar_result() -> (%y: f32) {
  kern.return
}

// -----

// expected-error@+1 {{expected a dimension: a name, a size, or an expression of them}}
kern.func gufunc @no_dimension(%x: f32[]) {
  kern.return
}

// -----

// expected-error@+1 {{expected a dimension: a name, a size, or an expression of them}}
kern.func gufunc @unfinished(%x: f32[n +]) {
  kern.return
}

// -----

// expected-error@+1 {{a dimension has no negative constants, as -1}}
kern.func gufunc @negative(%x: f32[n - -1]) {
  kern.return
}

// -----

// expected-error@+1 {{integer value too large}}
kern.func gufunc @huge(%x: f32[9223372036854775808]) {
  kern.return
}

// -----

// expected-error@+1 {{expected ','}}
kern.func gufunc @min_of_one(%x: f32[min(n)]) {
  kern.return
}

// -----

// expected-error@+1 {{only a name is an optional dimension}}
kern.func gufunc @optional_expression(%x: f32[n + 1?]) {
  kern.return
}

// -----

// expected-error@+1 {{dimension "n" is optional in one place and not in another}}
kern.func gufunc @sometimes(%x: f32[n?], %y: f32[n]) {
  kern.return
}

// -----

// expected-error@+1 {{has the optional dimension "n" as a dim or inside of an expression}}
kern.func gufunc @optional_in_expression(%x: f32[n?]) -> (%y: f32[n + 1]) {
  kern.return
}

// -----

// expected-error@+1 {{has the optional dimension "n" as a dim or inside of an expression}}
kern.func gufunc @optional_dim(%x: f32[n?], n: dim) {
  kern.return
}

// -----

// expected-error@+1 {{only a function has optional dimensions}}
module attributes {test.operand = #kern.operand<x: f32[n?]>} {}

// -----

// expected-error@+1 {{has no type variable "T" for `x`}}
kern.func ufunc @unbound(%x: T) -> f32 where U in (f32) {
  kern.return %x : !kern.open
}

// -----

// expected-error@+1 {{has the type variable "T" twice}}
kern.func ufunc @twice(%x: T) -> f32 where (T, T) in ((f32, f64)) {
  kern.return %x : !kern.open
}

// -----

// expected-error@+1 {{has a loop of 1 types for 2 type variables}}
kern.func ufunc @short_row(%x: T, %y: U) -> f32 where (T, U) in ((f32, f32), (f64)) {
  kern.return %x : !kern.open
}

// -----

// expected-error@+1 {{has a loop of 'i32', which is not an element type}}
kern.func ufunc @row_type(%x: T) -> f32 where T in (f32, i32) {
  kern.return %x : !kern.open
}

// -----

// expected-error@+1 {{expected '('}}
kern.func ufunc @no_rows(%x: T, %y: U) -> f32 where (T, U) in (f32, f64) {
  kern.return %x : !kern.open
}

// -----

// expected-error@+1 {{a typed function has no type variables}}
kern.func typed ufunc @typed_where(%x: f32) -> f32 where T in (f32) {
  kern.return %x : f32
}

// -----

// expected-error@+1 {{a typed function's "x" needs an element type}}
kern.func typed ufunc @typed_variable(%x: T) -> f32 {
  kern.return %x : f32
}

// -----

// expected-error@+1 {{is typed, but result 0 has no element type}}
kern.func typed ufunc @typed_result(%x: f32) -> _ {
  kern.return %x : f32
}

// -----

// expected-error@+1 {{is typed, and has no type variables, loops or optional dimensions}}
kern.func typed gufunc @typed_optional(%x: f32[n?]) {
  kern.return
}

// -----

// expected-error@+1 {{is a form of another function, but not typed}}
kern.func ufunc @polymorphic_origin(%x: f32) -> f32 of @f {
  kern.return %x : !kern.open
}

// -----

// expected-error@+1 {{`typed` is part of the function's header}}
kern.func ufunc @taken(%x: f32) -> f32 attributes {typed} {
  kern.return %x : !kern.open
}

// -----

// expected-error@+1 {{attribute 'doc' failed to satisfy constraint: string attribute}}
kern.func ufunc @doc(%x: f32) -> f32 attributes {doc = 1} {
  kern.return %x : !kern.open
}

// -----

// expected-note@+2 {{previously referenced here}}
// expected-error@+1 {{region entry argument '%x' is already in use}}
kern.func ufunc @same(%x: f32, %x: f32) -> f32 {
  kern.return %x : !kern.open
}

// -----

// The generic form can say more. A `dim` is not an argument, an array result is
// one: x and r.
// expected-error@+1 {{needs 2 entry arguments for its parameters and array results, has 1}}
"kern.func"() <{kind = #kern<kind gufunc>, loops = [[]], sym_name = "arguments", type_vars = [],
  parameters = [#kern.operand<x: f32>, #kern.operand<n: dim>], results = [#kern.operand<r: f32[n]>]}> ({
^bb0(%x: !kern.open):
  "kern.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{needs an entry argument of type '!kern.array<f32, 1>' for `x`, has 'f32'}}
"kern.func"() <{kind = #kern<kind gufunc>, loops = [], sym_name = "types", type_vars = [],
  parameters = [#kern.operand<x: f32[n]>], results = [], typed}> ({
^bb0(%x: f32):
  "kern.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{has no type variables, and so one loop, not 0}}
"kern.func"() <{kind = #kern<kind gufunc>, loops = [], sym_name = "loops", type_vars = [],
  parameters = [], results = []}> ({
  "kern.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{that are not core dimensions in their order}}
"kern.func"() <{kind = #kern<kind gufunc>, loops = [[]], sym_name = "order", type_vars = [],
  optional_dims = ["n", "m"], parameters = [#kern.operand<x: f32[m, n]>], results = []}> ({
^bb0(%x: !kern.array<!kern.open, 2>):
  "kern.return"() : () -> ()
}) : () -> ()
