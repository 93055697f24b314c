// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host=lanes=4 | FileCheck %s

// The function of all lanes is a loop that LLVM makes a vector function's call.
// CHECK-LABEL: llvm.func internal @kern.lanes.4.kern.exp.f32(
// CHECK-NOT: llvm.func
// CHECK: func.call @kern.exp.f32

// The body for four elements at once. A branch whose condition varies between
// elements is a mask for each side, and a choice where they meet.
func.func private @kern.exp.f32(f32) -> f32
// CHECK-LABEL: llvm.func internal @choose__lanes(
// CHECK-SAME: %[[X:.*]]: vector<4xf32>) -> vector<4xf32>
// CHECK: %[[LOW:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : vector<4xf32>
// CHECK: %[[TWICE:.*]] = arith.addf %[[X]], %[[X]] : vector<4xf32>
// What costs more than the test runs only if there are such lanes.
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[LOW]] : vector<4xi1> to i4
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[BITS]], %{{.*}} : i4
// CHECK: cf.cond_br %[[ANY]], ^[[CALL:bb[0-9]+]], ^[[NEXT:bb[0-9]+]](%[[TWICE]]
// CHECK: ^[[CALL]]:
// CHECK: %[[E:.*]] = llvm.call @kern.lanes.4.kern.exp.f32(%[[X]])
// CHECK: %[[R:.*]] = arith.select %[[LOW]], %[[E]], %[[TWICE]] : vector<4xi1>
// CHECK: cf.br ^[[NEXT]](%[[R]]
loop.kernel @choose kind(ufunc) (%x: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %low = arith.cmpf olt, %x, %zero : f32
  cf.cond_br %low, ^exp, ^twice
^exp:
  %e = func.call @kern.exp.f32(%x) : (f32) -> f32
  cf.br ^done(%e : f32)
^twice:
  %t = arith.addf %x, %x : f32
  cf.br ^done(%t : f32)
^done(%r: f32):
  loop.return %r : f32
}

// A loop whose end is the same for all elements has no mask, and its counter
// is a scalar.
// CHECK-LABEL: llvm.func internal @power__lanes(
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i64, vector<4xf32>)
// CHECK: ^[[HEAD]](%[[I:.*]]: i64, %[[P:.*]]: vector<4xf32>):
// CHECK: arith.cmpi slt, %[[I]], %{{.*}} : i64
// CHECK-NOT: llvm.bitcast
// CHECK: arith.mulf %[[P]], %{{.*}} : vector<4xf32>
// CHECK-NOT: arith.select
// CHECK: llvm.return
loop.kernel @power kind(ufunc) (%x: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 10 : i64
  cf.br ^head(%zero, %x : i64, f32)
^head(%i: i64, %p: f32):
  %more = arith.cmpi slt, %i, %end : i64
  cf.cond_br %more, ^body, ^done
^body:
  %q = arith.mulf %p, %x : f32
  %next = arith.addi %i, %one : i64
  cf.br ^head(%next, %q : i64, f32)
^done:
  loop.return %p : f32
}

// Lanes leave a loop one by one. Each keeps what it left with; the loop ends
// with the last. Lanes that have left compute on, but nobody looks.
// CHECK-LABEL: llvm.func internal @halvings__lanes(
// CHECK: ^[[HEAD:bb[0-9]+]](%[[V:.*]]: vector<4xi32>, %[[N:.*]]: i32, %[[LIVE:.*]]: vector<4xi1>, %[[KEPT:.*]]: vector<4xi32>):
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %[[V]]
// CHECK: %[[ENDS:.*]] = arith.xori %[[MORE]]
// CHECK: %[[GONE:.*]] = arith.select %[[LIVE]], %[[ENDS]], %{{.*}} : vector<4xi1>, vector<4xi1>
// CHECK: llvm.bitcast %[[GONE]] : vector<4xi1> to i4
// CHECK: cf.cond_br %{{.*}}, ^[[SOME:bb[0-9]+]], ^[[STAY:bb[0-9]+]](%[[KEPT]], %[[LIVE]]
// CHECK: ^[[END:bb[0-9]+]](%[[RESULT:.*]]: vector<4xi32>):
// CHECK: llvm.return %[[RESULT]]
// CHECK: ^[[SOME]]:
// CHECK: %[[NS:.*]] = llvm.shufflevector
// CHECK: %[[KEEP:.*]] = arith.select %[[GONE]], %[[NS]], %[[KEPT]] : vector<4xi1>, vector<4xi32>
// CHECK: %[[LEFT:.*]] = arith.select %[[LIVE]], %[[MORE]]
// CHECK: llvm.bitcast %[[LEFT]]
// CHECK: cf.cond_br %{{.*}}, ^[[STAY]](%[[KEEP]], %[[LEFT]] : vector<4xi32>, vector<4xi1>), ^[[END]](%[[KEEP]] : vector<4xi32>)
// CHECK: ^[[STAY]](%{{.*}}: vector<4xi32>, %{{.*}}: vector<4xi1>):
// The counter is the same in all lanes that are left. A lane is, so the latch
// does not ask.
// CHECK: arith.addi %[[N]], %{{.*}} : i32
// CHECK-NOT: llvm.bitcast
// CHECK: cf.br ^[[HEAD]](
loop.kernel @halvings kind(ufunc) (%x: i32) -> (i32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%x, %c0 : i32, i32)
^head(%v: i32, %n: i32):
  %more = arith.cmpi sgt, %v, %c1 : i32
  cf.cond_br %more, ^body, ^done
^body:
  %half = arith.shrsi %v, %c1 : i32
  %next = arith.addi %n, %c1 : i32
  cf.br ^head(%half, %next : i32, i32)
^done:
  loop.return %n : i32
}

// A `break` under a condition that varies: some lanes may wait elsewhere in the
// loop, so it is the latch that asks whether one is left.
// CHECK-LABEL: llvm.func internal @search__lanes(
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](
// CHECK: %[[ODD:.*]] = arith.cmpi ne
// CHECK: %[[FOUND:.*]] = arith.cmpi sgt
// CHECK: llvm.bitcast
// CHECK: cf.cond_br
// CHECK: arith.ori %{{.*}}, %{{.*}} : vector<4xi1>
// CHECK: llvm.bitcast %{{.*}} : vector<4xi1> to i4
// CHECK: cf.cond_br %{{.*}}, ^[[HEAD]](
loop.kernel @search kind(ufunc) (%x: i32) -> (i32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  cf.br ^head(%x : i32)
^head(%v: i32):
  %bit = arith.andi %v, %c1 : i32
  %odd = arith.cmpi ne, %bit, %c0 : i32
  cf.cond_br %odd, ^odd, ^even
^odd:
  %found = arith.cmpi sgt, %v, %c9 : i32
  cf.cond_br %found, ^done, ^even
^even:
  %next = arith.addi %v, %x : i32
  cf.br ^head(%next : i32)
^done:
  loop.return %v : i32
}

// A lane that takes no part divides by 1.
// CHECK-LABEL: llvm.func internal @quotient__lanes(
// CHECK: ^{{bb[0-9]+}}:
// CHECK: %[[BY:.*]] = arith.select %[[NONZERO:.*]], %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xi32>
// CHECK: arith.divsi %{{.*}}, %[[BY]] : vector<4xi32>
loop.kernel @quotient kind(ufunc) (%x: i32, %y: i32) -> (i32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i32
  %some = arith.cmpi ne, %y, %c0 : i32
  cf.cond_br %some, ^divide, ^done(%x : i32)
^divide:
  %q = arith.divsi %x, %y : i32
  cf.br ^done(%q : i32)
^done(%r: i32):
  loop.return %r : i32
}

// A local array has a vector for each element. An index that varies gathers.
// CHECK-LABEL: llvm.func internal @lookup__lanes(
// CHECK: %[[BYTES:.*]] = arith.constant 128 : i64
// CHECK: %[[ROOM:.*]] = llvm.alloca %[[BYTES]] x i8 {alignment = 64 : i64}
// CHECK: "llvm.intr.memset"(%[[ROOM]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i8
// CHECK: llvm.intr.masked.gather %[[AT]], %{{.*}} {alignment = 8 : i32}
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 32 : i64} : vector<4xf64>
loop.kernel @lookup kind(ufunc) (%x: f64, %k: i64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %v = loop.local zeroed[%four] {bytes = ["4", "8", "*"]} : !loop.array<f64, 1>
  cf.br ^head(%zero, %x : i64, f64)
^head(%i: i64, %p: f64):
  %more = arith.cmpi slt, %i, %four : i64
  cf.cond_br %more, ^body, ^done
^body:
  loop.store %p, %v[%i] : !loop.array<f64, 1>
  %q = arith.mulf %p, %x : f64
  %next = arith.addi %i, %one : i64
  cf.br ^head(%next, %q : i64, f64)
^done:
  %r = loop.load %v[%k] : !loop.array<f64, 1>
  loop.return %r : f64
}

// Several results.
// CHECK-LABEL: llvm.func internal @both__lanes(
// CHECK-SAME: -> !llvm.struct<(vector<4xf32>, vector<4xi1>)>
// CHECK-LABEL: llvm.func @both__contiguous(
// A bool is a byte.
// CHECK: arith.extui %{{.*}} : vector<4xi1> to vector<4xi8>
loop.kernel @both kind(ufunc) (%x: f32) -> (f32, i1)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0, 0>} {
  %zero = arith.constant 0.0 : f32
  %yes = arith.constant true
  %no = arith.constant false
  %low = arith.cmpf olt, %x, %zero : f32
  cf.cond_br %low, ^low, ^high
^low:
  loop.return %zero, %yes : f32, i1
^high:
  loop.return %x, %no : f32, i1
}

// A division of 64 bits in a loop that lanes leave at different times: one
// element at a time.
// CHECK-NOT: @divisors__lanes
// CHECK: llvm.func internal @divisors__body(
loop.kernel @divisors kind(ufunc) (%n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  cf.br ^header(%c2 : i64)
^header(%i: i64):
  %rest = arith.remsi %n, %i : i64
  %found = arith.cmpi eq, %rest, %c0 : i64
  %next = arith.addi %i, %c1 : i64
  cf.cond_br %found, ^done, ^header(%next : i64)
^done:
  loop.return %i : i64
}

// Saturating conversions to narrow integers are comparisons and a conversion to
// i32, which CPUs have for vectors.
// CHECK-LABEL: llvm.func internal @bytes__body(
// CHECK-NOT: llvm.call_intrinsic
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf olt
// CHECK: arith.fptosi %{{.*}} : f64 to i32
// CHECK: arith.trunci %{{.*}} : i32 to i8
loop.kernel @bytes kind(ufunc) (%x: f64) -> (i8)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %0 = llvm.call_intrinsic "llvm.fptoui.sat"(%x) : (f64) -> i8
  loop.return %0 : i8
}

// Those to wider integers are conversions and choices of the limits.
// CHECK-LABEL: llvm.func internal @wide__body(
// CHECK-NOT: llvm.call_intrinsic
// CHECK-DAG: arith.cmpf oge, %{{.*}} : f64
// CHECK-DAG: arith.fptosi %{{.*}} : f64 to i64
// CHECK: arith.constant -9223372036854775808 : i64
// CHECK: arith.select
// CHECK: arith.cmpf ult, %{{.*}} : f64
// CHECK: arith.constant 9223372036854775807 : i64
// CHECK: arith.select
// CHECK: arith.cmpf ord, %{{.*}} : f64
// CHECK: arith.select
loop.kernel @wide kind(ufunc) (%x: f64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %0 = llvm.call_intrinsic "llvm.fptosi.sat"(%x) : (f64) -> i64
  loop.return %0 : i64
}

// CHECK-LABEL: llvm.func internal @unsigned__body(
// CHECK-NOT: llvm.call_intrinsic
// CHECK-DAG: arith.cmpf ogt, %{{.*}} : f32
// CHECK-DAG: arith.fptoui %{{.*}} : f32 to i32
// CHECK: arith.select
// CHECK: arith.constant 4.2949673{{.*}} : f32
// CHECK: arith.cmpf ult, %{{.*}} : f32
// CHECK: arith.constant -1 : i32
// CHECK: arith.select
loop.kernel @unsigned kind(ufunc) (%x: f32) -> (i32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %0 = llvm.call_intrinsic "llvm.fptoui.sat"(%x) : (f32) -> i32
  loop.return %0 : i32
}
