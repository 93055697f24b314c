// RUN: %kern-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'si32' is not an element type}}
func.func private @f(!loop.array<si32, 1>)

// -----

// expected-error @+1 {{an array has at least one dimension; a scalar is a value}}
func.func private @f(!loop.array<f32, 0>)

// -----

// expected-error @+1 {{expected ufunc or gufunc}}
loop.kernel @f kind(vfunc) ()

// -----

// expected-error @+1 {{is a ufunc and cannot have dimensions}}
loop.kernel @f kind(ufunc) (%n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  loop.return
}

// -----

// expected-error @+1 {{is a ufunc and cannot have array outputs}}
loop.kernel @f kind(ufunc) (%y: !loop.array<f32, 1>)
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64, output_ranks = array<i64: 1>} {
  loop.return
}

// -----

// expected-error @+1 {{has a negative output rank}}
loop.kernel @f kind(ufunc) ()
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64, output_ranks = array<i64: -1>} {
  loop.return
}

// -----

// expected-error @+1 {{has 1 scalar outputs but 0 result types}}
loop.kernel @f kind(ufunc) ()
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64, output_ranks = array<i64: 0>} {
  loop.return
}

// -----

// expected-error @+1 {{has a result that is not a scalar: index}}
loop.kernel @f kind(ufunc) (%a: f32) -> (index)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64, output_ranks = array<i64: 0>} {
  loop.return
}

// -----

// expected-error @+1 {{names 1 dimensions but has 0}}
loop.kernel @f kind(gufunc) ()
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64, output_ranks = array<i64>,
                dim_names = ["n"]} {
  loop.return
}

// -----

// expected-error @+1 {{has an extent that is not a list of strings: [1]}}
loop.kernel @f kind(gufunc) ()
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64, output_ranks = array<i64>,
                nonempty = [[1]]} {
  loop.return
}

// -----

// expected-error @+1 {{has 1 block arguments, expected 2 inputs, 0 array outputs and 0 dimensions}}
loop.kernel @f kind(ufunc) (%a: f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64, output_ranks = array<i64>} {
  loop.return
}

// -----

// expected-error @+1 {{has an input that is neither scalar nor array: 'index'}}
loop.kernel @f kind(ufunc) (%a: index)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64, output_ranks = array<i64>} {
  loop.return
}

// -----

// expected-error @+1 {{is a ufunc and cannot take an array}}
loop.kernel @f kind(ufunc) (%a: !loop.array<f32, 1>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64, output_ranks = array<i64>} {
  loop.return
}

// -----

// expected-error @+1 {{has an output of type '!loop.array<f32, 1>', expected an array of rank 2}}
loop.kernel @f kind(gufunc) (%y: !loop.array<f32, 1>)
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64, output_ranks = array<i64: 2>} {
  loop.return
}

// -----

// expected-error @+1 {{has a dimension or index of type 'i32', expected i64}}
loop.kernel @f kind(gufunc) (%n: i32)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  loop.return
}

// -----

loop.kernel @f kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64, output_ranks = array<i64: 0>} {
  // expected-error @+1 {{has 0 values, the kernel has 1 scalar results}}
  loop.return
}

// -----

loop.kernel @f kind(ufunc) (%a: f32) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64, output_ranks = array<i64: 0>} {
  // expected-error @+1 {{returns 'f32' where the kernel has f64}}
  loop.return %a : f32
}

// -----

loop.kernel @f kind(gufunc) (%v: !loop.array<f32, 2>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{has 1 indices for an array of rank 2}}
  %x = loop.load %v[%n] : !loop.array<f32, 2>
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%s: f32, %v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{has 0 indices for an array of rank 1}}
  loop.store %s, %v[] : !loop.array<f32, 1>
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  %s = loop.reduce sum (%i) = %n to %n step %n : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    // expected-error @+1 {{is not allowed in a reduction}}
    loop.store %x, %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  loop.parallel (%i) = (%n) to (%n) step (%n) {
    // expected-error @+1 {{of a parallel loop has no operands}}
    loop.yield %a : f32
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  %s = loop.reduce sum (%i) = %n to %n step %n : f32 {
    // expected-error @+1 {{has a value and perhaps whether to keep it}}
    loop.yield
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  %s = loop.reduce sum (%i) = %n to %n step %n : f64 {
    // expected-error @+1 {{gives 'f32' to a reduction of 'f64'}}
    loop.yield %a : f32
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  %s = loop.reduce sum (%i) = %n to %n step %n : f32 {
    // expected-error @+1 {{has a second operand that is not i1}}
    loop.yield %a, %a : f32, f32
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  %keep = arith.constant true
  %s = loop.reduce sum (%i) = %n to %n step %n : f32 {
    // expected-error @+1 {{has a value and perhaps whether to keep it}}
    loop.yield %a, %keep, %n : f32, i1, i64
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  %keep = arith.constant true
  %s, %k = loop.reduce sum counted (%i) = %n to %n step %n : f32 {
    // expected-error @+1 {{has a third operand that is not i64}}
    loop.yield %a, %keep, %a : f32, i1, f32
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{of kind smin combines integers, not 'f32'}}
  %s = loop.reduce smin (%i) = %n to %n step %n : f32 {
    loop.yield %a : f32
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: i8, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{of kind any combines i1, not 'i8'}}
  %s = loop.reduce any (%i) = %n to %n step %n : i8 {
    loop.yield %a : i8
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: i8, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{unknown kind of reduction}}
  %s = loop.reduce mean (%i) = %n to %n step %n : i8 {
    loop.yield %a : i8
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{expected 2 bounds}}
  loop.parallel (%i, %j) = (%n) to (%n) step (%n) {
    loop.yield
  }
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64: 0>} {
  // expected-error @+1 {{lacks the position of its value}}
  %p = loop.combine arg_fmax %a : f32 -> i64
  loop.return %p : i64
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64: 0>} {
  // expected-error @+1 {{takes no position}}
  %s = loop.combine sum %a, %n : f32 -> f32
  loop.return %s : f32
}

// -----

loop.kernel @f kind(gufunc) (%a: f32, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64: 0>} {
  // expected-error @+1 {{has result 'i64', expected 'f32'}}
  %s = loop.combine sum %a : f32 -> i64
  loop.return %s : i64
}

// -----

loop.kernel @f kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{has no dimension 1}}
  %has = loop.has_chunks 4 of %v[%n] along 1 : !loop.array<f32, 1>
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{has chunks of 3}}
  %has = loop.has_chunks 3 of %v[%n] along 0 : !loop.array<f32, 1>
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{has elements other than 'f32'}}
  %a, %b = loop.load_chunk %v[%n] along 0 : !loop.array<f32, 1> -> f32, f64
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%v: !loop.array<f32, 1>, %x: f32, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64, output_ranks = array<i64>} {
  // expected-error @+1 {{has no dimension 1}}
  loop.store_chunk (%x, %x), %v[%n] along 1 : !loop.array<f32, 1>, f32, f32
  loop.return
}

// -----

loop.kernel @f kind(gufunc) (%n: i64) -> (f32)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64, output_ranks = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %no = arith.constant false
  // expected-error @+1 {{has a region with other arguments}}
  %t = loop.scan %n to %n step %n from (%zero) if %no : (f32) {
  ^bb0(%i: i64):
    loop.give %zero : f32
  } combine {
  ^bb0(%a: f32):
    loop.give %a : f32
  } write {
  } -> (f32)
  loop.return %t : f32
}

// -----

loop.kernel @f kind(gufunc) (%n: i64) -> (f32)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64, output_ranks = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %no = arith.constant false
  %t = loop.scan %n to %n step %n from (%zero) if %no : (f32) {
  ^bb0(%i: i64):
    // expected-error @+1 {{gives other values than an element's}}
    loop.give %i : i64
  } combine {
  ^bb0(%a: f32, %b: f32):
    loop.give %a : f32
  } write {
  } -> (f32)
  loop.return %t : f32
}

// -----

// expected-error @+1 {{has a check without a known kind, place, text or axis}}
loop.kernel @f kind(gufunc) () -> ()
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64, output_ranks = array<i64>,
                checks = [{axis = 0 : i64, kind = "no check", place = "F.kern:1:1", text = "x"}]} {
  loop.return
}
