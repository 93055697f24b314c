// RUN: %kern-opt %s --loop-distribute=sequential=true | FileCheck %s
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm arch=x86-64-v3})" | FileCheck %s --check-prefix=LLVM

// Whole blocks of 1024 iterations come first, until one has an element that
// decides; then what is left.
// CHECK-LABEL: loop.kernel @some
// CHECK: cf.br ^[[BLOCKS:.*]](%{{.*}}, %false{{.*}} : i64, i1)
// CHECK: ^[[BLOCKS]](%[[FIRST:.*]]: i64, %[[FOUND:.*]]: i1):
// CHECK: %[[OPEN:.*]] = arith.cmpi eq, %[[FOUND]], %false
// CHECK: arith.addi %[[FIRST]], %c1024_i64
// CHECK: %[[GOES:.*]] = arith.andi %[[OPEN]]
// CHECK: cf.cond_br %[[GOES]]
// CHECK: ^[[EACH:.*]](%{{.*}}: i64, %{{.*}}: i1):
// CHECK: arith.ori
// CHECK: cf.br ^[[EACH]]({{.*}}) {loop.vector = false}
// CHECK: cf.br ^[[BLOCKS]]
// CHECK: %[[END:.*]] = arith.select %[[OPEN]], %{{.*}}, %[[FIRST]]
// CHECK: cf.br ^{{.*}}(%[[FIRST]], %[[FOUND]] : i64, i1)
// CHECK: cf.br {{.*}} {loop.vector = false}
// CHECK: loop.return

// A block has no lanes to mask.
// LLVM-LABEL: define void @some__general(
// LLVM: icmp eq i64 %{{.*}}, 1024
// LLVM: ret void
loop.kernel @some kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %s = loop.reduce any (%i) = %c0 to %n step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %is = arith.cmpf ogt, %x, %zero : f32
    loop.yield %is : i1
  }
  loop.return %s : i1
}

// A constant number of iterations is one loop.
// CHECK-LABEL: loop.kernel @few
// CHECK-NOT: c1024
// CHECK: loop.return
loop.kernel @few kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c9 = arith.constant 9 : i64
  %zero = arith.constant 0.0 : f32
  %s = loop.reduce all (%i) = %c0 to %c9 step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %is = arith.cmpf ogt, %x, %zero : f32
    loop.yield %is : i1
  }
  loop.return %s : i1
}
