// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host | FileCheck %s

// CHECK: #[[GROUP:.*]] = #llvm.access_group
// CHECK-LABEL: llvm.func internal @add__body(%{{.*}}: f32, %{{.*}}: f32) -> f32
// CHECK-LABEL: llvm.func @add__contiguous(
// CHECK-SAME: %[[WORDS:.*]]: !llvm.ptr)
// CHECK-SAME: elements = 64 : i64, form = "contiguous", kernel = "add"
// blocks, pointer and step of each operand
// CHECK: llvm.getelementptr %[[WORDS]][0]
// CHECK: llvm.getelementptr %[[WORDS]][6]
// CHECK-NOT: llvm.getelementptr %[[WORDS]][7]
// Iterations see nothing of one another, in place or not.
// CHECK: llvm.load %{{.*}} {access_groups = [#[[GROUP]]], alignment = 1 : i64} : !llvm.ptr -> f32
// CHECK: llvm.call @add__body
// CHECK: llvm.store %{{.*}} {access_groups = [#[[GROUP]]], alignment = 1 : i64} : f32
// CHECK: llvm.br ^{{.*}} {loop_annotation
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// n, the dimension, pointer and stride of each operand, core strides.
// CHECK-LABEL: llvm.func internal @total__body(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) -> i1
// CHECK-LABEL: llvm.func @total__general(
// CHECK-SAME: %[[WORDS:.*]]: !llvm.ptr)
// CHECK-NOT: access_groups
// CHECK: llvm.getelementptr %[[WORDS]][6]
// CHECK-NOT: llvm.getelementptr %[[WORDS]][7]
// A bool is a byte.
// CHECK: llvm.call @total__body
// CHECK: arith.extui %{{.*}} : i1 to i8
loop.kernel @total kind(gufunc) (%v: !loop.array<i1, 1>, %n: i64) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce all (%i) = %c0 to %n step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<i1, 1>
    loop.yield %x : i1
  }
  loop.return %s : i1
}

// A body that loops runs in vectors across elements.
// CHECK-LABEL: llvm.func internal @halvings__lanes(%{{.*}}: vector<16xi32>) -> vector<16xi32>
// CHECK-NOT: @halvings__body
// CHECK-LABEL: llvm.func @halvings__contiguous(
// CHECK-SAME: elements = 16 : i64, form = "contiguous"
// CHECK-SAME: passthrough = ["kern-vectors"]
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<16xi32>
// CHECK: llvm.call @halvings__lanes
// CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : vector<16xi32>
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

// One that cannot takes its elements one by one, at any stride.
// CHECK-LABEL: llvm.func internal @doublings__body
// CHECK-NOT: @doublings__contiguous
// CHECK-LABEL: llvm.func @doublings__strided(
// CHECK-SAME: elements = 1 : i64, form = "strided"
loop.kernel @doublings kind(ufunc) (%z: complex<f32>) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %x = complex.re %z : complex<f32>
  %y = complex.im %z : complex<f32>
  cf.br ^head(%x : f32)
^head(%v: f32):
  %next = arith.addf %v, %v : f32
  %more = arith.cmpf olt, %next, %y : f32
  cf.cond_br %more, ^head(%next : f32), ^done
^done:
  loop.return %next : f32
}
