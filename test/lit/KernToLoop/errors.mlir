// RUN: %kern-opt --kern-to-loop --split-input-file --verify-diagnostics %s

// An operation that is not lowered is an error at its place; polymorphic
// functions stay.

// expected-error@+2 {{`copysign` of c64 and c64 has no implementation yet}}
kern.func typed ufunc @complex_copysign(%p0: complex<f32>) -> complex<f32> {
  %0 = kern.apply copysign(%p0, %p0) : (complex<f32>, complex<f32>) -> complex<f32>
  kern.return %0 : complex<f32>
}

// The same module: each function that fails is reported.
// expected-error@+2 {{`floor` of c128 has no implementation yet}}
kern.func typed ufunc @complex_floor(%p0: complex<f64>) -> complex<f64> {
  %0 = kern.apply floor(%p0) : (complex<f64>) -> complex<f64>
  kern.return %0 : complex<f64>
}

// -----

// expected-error@+2 {{from c64 to f32 would drop the imaginary part}}
kern.func typed ufunc @drops(%p0: complex<f32>) -> f32 {
  %0 = kern.cast explicit %p0 : complex<f32> to f32 -> f32
  kern.return %0 : f32
}

// -----

// expected-error@+2 {{names no dimension of the function: k}}
kern.func typed gufunc @no_dim(%p0: f32) -> f32 {
  %0 = kern.dim "k" : si64
  kern.return %p0 : f32
}

// -----

// expected-error@+2 {{has a result of type '!kern.open', which is not typed}}
kern.func typed ufunc @open(%p0: f32) -> f32 {
  %0 = kern.constant 1 : i128 -> !kern.open
  kern.return %p0 : f32
}

// -----

kern.func typed gufunc @any_of_numbers(%p0: complex<f32>[n]) -> complex<f32> {
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
}

// -----


kern.func typed gufunc @store_type(%p0: f32) -> (%r0: f32[n]) {
  %zero = kern.constant 0 : i128 -> si64
  %x = kern.constant 1.0 : f64 -> f64
  // expected-error@+1 {{stores a value of type 'f64' into an array of 'f32'}}
  kern.store %x, %r0[%zero] : f64, <f32, 1>[si64]
  kern.return
}

// -----

kern.func ufunc @polymorphic(%x) -> _ {
  kern.return %x : !kern.open
}
