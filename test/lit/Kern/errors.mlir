// RUN: %kern-opt %s --split-input-file --verify-diagnostics

kern.func typed ufunc @unknown(%x: f32) -> f32 {
  // expected-error@+1 {{there is no scalar function `sine`}}
  %0 = kern.apply sine(%x) : (f32) -> f32
  kern.return %0 : f32
}

// -----

kern.func typed ufunc @narrow_bits(%x: f64) -> ui32 {
  // expected-error@+1 {{is for two real types of one width}}
  %0 = kern.bits %x : f64 as ui32 -> ui32
  kern.return %0 : ui32
}

// -----

kern.func typed ufunc @bits_of_no_type(%x: f32) -> ui32 {
  // expected-error@+1 {{needs either a type or a value of it}}
  %0 = kern.bits %x : f32 -> ui32
  kern.return %0 : ui32
}

// -----

kern.func typed gufunc @unknown_update(%a: f32[n]) {
  %0 = kern.dim "n" : si64
  %1 = kern.load %a[%0] : <f32, 1>[si64] -> f32
  // expected-error@+1 {{there is no scalar function `join`}}
  kern.accumulate join %1, %a[%0] : f32, <f32, 1>[si64]
  kern.return
}

// -----

kern.func typed ufunc @operands(%x: f32) -> f32 {
  // expected-error@+1 {{takes 2 operands, has 1}}
  %0 = kern.apply add(%x) : (f32) -> f32
  kern.return %0 : f32
}

// -----

kern.func typed ufunc @results(%x: f32) -> f32 {
  // expected-error@+1 {{has 2 results}}
  %0 = kern.apply divmod(%x, %x) : (f32, f32) -> f32
  kern.return %0 : f32
}

// -----

kern.func typed gufunc @reduce(%x: f32) -> f32 {
  %0 = kern.constant 0 : i128 -> si64
  // expected-error@+1 {{body needs 1 arguments, has 2}}
  %1 = kern.reduce sum %0 to %0 step %0 : si64, si64, si64 -> f32 {
  ^bb0(%i: si64, %j: si64):
    kern.yield %x : f32
  }
  kern.return %1 : f32
}

// -----

kern.func typed gufunc @count(%x: f32) -> f32 {
  %0 = kern.constant 0 : i128 -> si64
  %1 = kern.reduce sum %0 to %0 step %0 : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    // expected-error@+1 {{has a number of elements, and the reduction does not count them}}
    kern.yield %x : f32 of %i : si64
  }
  kern.return %1 : f32
}

// -----

kern.func typed gufunc @parallel(%x: f32) -> f32 {
  %0 = kern.constant 0 : i128 -> si64
  // expected-error@+1 {{needs as many lower bounds as upper bounds and steps}}
  "kern.parallel"(%0, %0) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  ^bb0(%i: si64):
    kern.yield
  }) : (si64, si64) -> ()
  kern.return %x : f32
}

// -----

kern.func typed gufunc @yield_outside(%x: f32) -> f32 {
  // expected-error@+1 {{expects parent op to be one of 'kern.parallel, kern.reduce'}}
  kern.yield
}

// -----

// A type that is not a scalar of the language.
kern.func typed ufunc @no_scalar(%x: f32) -> f32 {
  %0 = arith.constant 0.0 : f128
  // expected-error@+1 {{operand #0 must be an open or typed scalar, but got 'f128'}}
  %1 = kern.truth %0 : f128
  kern.return %x : f32
}

// -----

kern.func typed gufunc @written(%v: f64[n]) -> f64 {
  %n = kern.dim "n" : si64
  %zero = kern.constant 0.0 : f64 -> f64
  // expected-error@+1 {{writes what is reached, or has initial values and as many results}}
  kern.scan of sum %n to %n step %n : si64, si64, si64 {
  ^bb0(%i: si64):
    %x = kern.load %v[%i] : <f64, 1>[si64] -> f64
    kern.give %x : f64
  } combine {
  ^bb0(%a: f64, %b: f64):
    %s = kern.apply add(%a, %b) : (f64, f64) -> f64
    kern.give %s : f64
  } write {
  }
  kern.return %zero : f64
}
