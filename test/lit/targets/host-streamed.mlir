// In the streaming function every vector goes around the caches, with a fence at
// its end; what is put together of an array's ends does not.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host{streamed=true},kern-emit{as=host-llvm})" | FileCheck %s
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host{streamed=true},kern-emit{as=asm arch=haswell})" | FileCheck %s --check-prefix=ASM

// CHECK-LABEL: define internal {{.*}}void @add__streaming(
// CHECK-COUNT-4: store <16 x float> %{{.*}}, ptr %{{.*}}, align 64, {{.*}}!nontemporal
// CHECK-NOT: store
// CHECK: call void @llvm.x86.sse.sfence()
// CHECK-NEXT: ret void
// CHECK-LABEL: define void @add__streamed(
// CHECK: call {{.*}}void @add__streaming(
// CHECK-NOT: nontemporal
// CHECK: store <16 x float> %{{.*}}, align 1
// CHECK-NOT: nontemporal

// ASM-LABEL: add__streaming:
// ASM-COUNT-8: vmovntps %ymm
// ASM: sfence
// ASM-LABEL: add__streamed:
// ASM-NOT: vmovnt
// ASM: vmovups %ymm{{[0-9]+}}, {{.*}}(%r
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}
