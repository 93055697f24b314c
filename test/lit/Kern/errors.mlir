// RUN: %kern-opt %s --split-input-file --verify-diagnostics

kern.func ufunc @unknown {
^bb0(%x: f32):
  // expected-error@+1 {{names no scalar function: sine}}
  %0 = kern.apply "sine"(%x) : (f32) -> f32
  kern.return %0 : f32
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

kern.func ufunc @operands {
^bb0(%x: f32):
  // expected-error@+1 {{takes 2 operands, has 1}}
  %0 = kern.apply "add"(%x) : (f32) -> f32
  kern.return %0 : f32
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

kern.func ufunc @results {
^bb0(%x: f32):
  // expected-error@+1 {{has 2 results}}
  %0 = kern.apply "divmod"(%x, %x) : (f32, f32) -> f32
  kern.return %0 : f32
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

// A `dim` is no argument, an array result is one: x and r.
// expected-error@+1 {{needs 2 entry arguments for its parameters and array results, has 1}}
kern.func gufunc @arguments {
^bb0(%x: f32):
  kern.return
} {dims = ["n"], loops = [[]],
   parameters = [#kern.operand<"x", f32, [], false, false>, #kern.operand<"n", unit, [], false, true>],
   results = [#kern.operand<"r", f32, [["n"]], false, false>], type_vars = []}

// -----

// expected-error@+1 {{parameter 1 is a dim with dimensions}}
kern.func gufunc @dim {
^bb0(%x: f32):
  kern.return %x : f32
} {dims = ["n"], loops = [[]],
   parameters = [#kern.operand<"x", f32, [], false, false>, #kern.operand<"n", unit, [["n"]], false, true>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

// expected-error@+1 {{has 2 result types for 1 results}}
kern.func ufunc @result_types {
^bb0(%x: f32):
  kern.return %x : f32
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   result_types = [f32, f32], results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

kern.func gufunc @reduce {
^bb0(%x: f32):
  %0 = kern.constant 0 : i128 -> si64
  // expected-error@+1 {{body needs 1 arguments, has 2}}
  %1 = kern.reduce sum %0 to %0 step %0 : si64, si64, si64 -> f32 {
  ^bb0(%i: si64, %j: si64):
    kern.yield %x : f32
  }
  kern.return %1 : f32
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

kern.func gufunc @count {
^bb0(%x: f32):
  %0 = kern.constant 0 : i128 -> si64
  %1 = kern.reduce sum %0 to %0 step %0 : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    // expected-error@+1 {{has a number of elements, and the reduction does not count them}}
    kern.yield %x : f32 of %i : si64
  }
  kern.return %1 : f32
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

kern.func gufunc @parallel {
^bb0(%x: f32):
  %0 = kern.constant 0 : i128 -> si64
  // expected-error@+1 {{needs as many lower bounds as upper bounds and steps}}
  "kern.parallel"(%0, %0) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  ^bb0(%i: si64):
    kern.yield
  }) : (si64, si64) -> ()
  kern.return %x : f32
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

kern.func gufunc @yield_outside {
^bb0(%x: f32):
  // expected-error@+1 {{expects parent op to be one of 'kern.parallel, kern.reduce'}}
  kern.yield
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}

// -----

// A type that is no scalar of the language.
kern.func ufunc @no_scalar {
^bb0(%x: f128):
  // expected-error@+1 {{operand #0 must be an open or typed scalar, but got 'f128'}}
  %0 = kern.truth %x : f128
  kern.return %x : f128
} {dims = [], loops = [[]], parameters = [#kern.operand<"x", f32, [], false, false>],
   results = [#kern.operand<"r", f32, [], false, false>], type_vars = []}
