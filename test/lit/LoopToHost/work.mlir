// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host | FileCheck %s

// Picoseconds for an element, of cycles of 333 ps: 3 operands, an addition and
// the return, done for 16 elements at once.
// CHECK: llvm.func @add__contiguous
// CHECK-SAME: kernel = "add"{{.*}} work = 104 : i64
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// A division counts 8, of 8 elements at once.
// CHECK: llvm.func @divide__contiguous
// CHECK-SAME: work = 499 : i64
loop.kernel @divide kind(ufunc) (%a: f64, %b: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.divf %a, %b : f64
  loop.return %c : f64
}

// A call counts 50.
func.func private @kern.exp.f32(f32) -> f32
// CHECK: llvm.func @e__contiguous
// CHECK-SAME: work = 1103 : i64
loop.kernel @e kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = func.call @kern.exp.f32(%a) : (f32) -> f32
  loop.return %c : f32
}

// 100 turns (200 steps of 2) of 3 operations and the test's 2: 500 beside the
// 3 of the element, for 16 elements at once.
// CHECK: llvm.func @steps__contiguous
// CHECK-SAME: work = 10468 : i64
loop.kernel @steps kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %end = arith.constant 200 : i64
  cf.br ^head(%zero, %a : i64, f32)
^head(%i: i64, %s: f32):
  %more = arith.cmpi slt, %i, %end : i64
  cf.cond_br %more, ^body, ^done
^body:
  %p = arith.mulf %s, %a : f32
  %q = arith.addf %p, %a : f32
  %next = arith.addi %i, %two : i64
  cf.br ^head(%next, %q : i64, f32)
^done:
  loop.return %s : f32
}

// Loops in one another; the inner one's end is not known: 32 turns.
// CHECK: llvm.func @nested__contiguous
// CHECK-SAME: work = 54695 : i64
loop.kernel @nested kind(ufunc) (%a: f32, %n: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  cf.br ^head(%zero, %a : i64, f32)
^head(%i: i64, %s: f32):
  %more = arith.cmpi slt, %i, %ten : i64
  cf.cond_br %more, ^inner(%zero, %s : i64, f32), ^done
^inner(%k: i64, %t: f32):
  %again = arith.cmpi slt, %k, %n : i64
  cf.cond_br %again, ^body, ^next
^body:
  %q = arith.mulf %t, %a : f32
  %l = arith.addi %k, %one : i64
  cf.br ^inner(%l, %q : i64, f32)
^next:
  %j = arith.addi %i, %one : i64
  cf.br ^head(%j, %t : i64, f32)
^done:
  loop.return %s : f32
}
