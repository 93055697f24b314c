// RUN: %kern-opt --kern-to-loop --split-input-file --verify-diagnostics %s

// What is not lowered is an error at its place; polymorphic functions stay.

// expected-error@+3 {{`copysign` of c64 and c64 has no implementation yet}}
kern.func ufunc @complex_copysign {
^bb0(%p0: complex<f32>):
  %0 = kern.apply "copysign"(%p0, %p0) : (complex<f32>, complex<f32>) -> complex<f32>
  kern.return %0 : complex<f32>
} {dims = [], loops = [], parameters = [#kern.operand<"p0", complex<f32>, [], false, false>],
   result_types = [complex<f32>], results = [#kern.operand<"r0", complex<f32>, [], false, false>],
   type_vars = []}

// -----

// expected-error@+3 {{`floor` of c128 has no implementation yet}}
kern.func ufunc @complex_floor {
^bb0(%p0: complex<f64>):
  %0 = kern.apply "floor"(%p0) : (complex<f64>) -> complex<f64>
  kern.return %0 : complex<f64>
} {dims = [], loops = [], parameters = [#kern.operand<"p0", complex<f64>, [], false, false>],
   result_types = [complex<f64>], results = [#kern.operand<"r0", complex<f64>, [], false, false>],
   type_vars = []}

// -----

// expected-error@+3 {{from c64 to f32 would drop the imaginary part}}
kern.func ufunc @drops {
^bb0(%p0: complex<f32>):
  %0 = kern.cast explicit %p0 : complex<f32> to f32 -> f32
  kern.return %0 : f32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", complex<f32>, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

// -----

// expected-error@+3 {{names no dimension of the function: k}}
kern.func gufunc @no_dim {
^bb0(%p0: f32):
  %0 = kern.dim "k" : si64
  kern.return %p0 : f32
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", f32, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

// -----

// expected-error@+3 {{has a result of type '!kern.open', which is not typed}}
kern.func ufunc @open {
^bb0(%p0: f32):
  %0 = kern.constant 1 : i128 -> !kern.open
  kern.return %p0 : f32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", f32, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

// -----

kern.func gufunc @any_of_numbers {
^bb0(%p0: !kern.array<complex<f32>, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    // expected-error@+1 {{of c64 values has no implementation yet}}
    %0 = kern.reduce any %zero to %n step %one : si64, si64, si64 -> complex<f32> {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <complex<f32>, 1>[si64] -> complex<f32>
      kern.yield %x : complex<f32>
    }
    kern.return %0 : complex<f32>
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", complex<f32>, [["n"]], false, false>],
   result_types = [complex<f32>], results = [#kern.operand<"r0", complex<f32>, [], false, false>],
   type_vars = []}

// -----


kern.func gufunc @store_type {
^bb0(%p0: f32, %r0: !kern.array<f32, 1>):
  %zero = kern.constant 0 : i128 -> si64
  %x = kern.constant 1.0 : f64 -> f64
  // expected-error@+1 {{stores a value of type 'f64' into an array of 'f32'}}
  kern.store %x, %r0[%zero] : f64, <f32, 1>[si64]
  kern.return
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", f32, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [["n"]], false, false>],
   type_vars = []}

// -----

kern.func ufunc @polymorphic {
^bb0(%p0: !kern.open):
  kern.return %p0 : !kern.open
} {dims = [], loops = [], parameters = [#kern.operand<"x", unit, [], false, false>],
   results = [#kern.operand<"r", unit, [], false, false>], type_vars = []}
