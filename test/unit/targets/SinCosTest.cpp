//===- SinCosTest.cpp - which sines and cosines become one call -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace kern::compiler;

namespace {

struct Calls {
  unsigned sine, cosine, both;
  bool operator==(const Calls &) const = default;
};

/// Where two calls stand in a function of `float %a, float %b, i1 %c`.
struct Row {
  const char *name;
  const char *body;
  Calls left; ///< calls after the fusion
};

constexpr Row rows[] = {
    {"one after the other",
     "  %s = call float @kern.sin.f32(float %a)\n"
     "  %k = call float @kern.cos.f32(float %a)\n"
     "  %r = fadd float %s, %k\n"
     "  ret float %r\n",
     {0, 0, 1}},
    {"cosine first, and needed before the sine",
     "  %k = call float @kern.cos.f32(float %a)\n"
     "  %h = fmul float %k, 3.0\n"
     "  %s = call float @kern.sin.f32(float %a)\n"
     "  %r = fadd float %s, %h\n"
     "  ret float %r\n",
     {0, 0, 1}},
    {"the angle is computed twice",
     "  %x = fmul float %a, %b\n"
     "  %s = call float @kern.sin.f32(float %x)\n"
     "  %y = fmul float %a, %b\n"
     "  %k = call float @kern.cos.f32(float %y)\n"
     "  %r = fadd float %s, %k\n"
     "  ret float %r\n",
     {0, 0, 1}},
    {"two angles",
     "  %s = call float @kern.sin.f32(float %a)\n"
     "  %k = call float @kern.cos.f32(float %b)\n"
     "  %r = fadd float %s, %k\n"
     "  ret float %r\n",
     {1, 1, 0}},
    {"angles that differ in an operation",
     "  %x = fmul float %a, %b\n"
     "  %s = call float @kern.sin.f32(float %x)\n"
     "  %y = fadd float %a, %b\n"
     "  %k = call float @kern.cos.f32(float %y)\n"
     "  %r = fadd float %s, %k\n"
     "  ret float %r\n",
     {1, 1, 0}},
    {"two sines share one cosine once",
     "  %s = call float @kern.sin.f32(float %a)\n"
     "  %t = call float @kern.sin.f32(float %a)\n"
     "  %k = call float @kern.cos.f32(float %a)\n"
     "  %u = fadd float %s, %t\n"
     "  %r = fadd float %u, %k\n"
     "  ret float %r\n",
     {1, 0, 1}},
    {"both of two angles",
     "  %s = call float @kern.sin.f32(float %a)\n"
     "  %k = call float @kern.cos.f32(float %a)\n"
     "  %t = call float @kern.sin.f32(float %b)\n"
     "  %l = call float @kern.cos.f32(float %b)\n"
     "  %u = fadd float %s, %t\n"
     "  %v = fadd float %k, %l\n"
     "  %r = fadd float %u, %v\n"
     "  ret float %r\n",
     {0, 0, 2}},
    {"one on the way to the other",
     "  %s = call float @kern.sin.f32(float %a)\n"
     "  br i1 %c, label %then, label %end\n"
     "then:\n"
     "  %k = call float @kern.cos.f32(float %a)\n"
     "  br label %end\n"
     "end:\n"
     "  %r = phi float [ %s, %0 ], [ %k, %then ]\n"
     "  ret float %r\n",
     {0, 0, 1}},
    {"one or the other",
     "  br i1 %c, label %then, label %else\n"
     "then:\n"
     "  %s = call float @kern.sin.f32(float %a)\n"
     "  ret float %s\n"
     "else:\n"
     "  %k = call float @kern.cos.f32(float %a)\n"
     "  ret float %k\n",
     {1, 1, 0}},
    {"angles that memory may change between",
     "  %x = load float, ptr @cell\n"
     "  %s = call float @kern.sin.f32(float %x)\n"
     "  store float %s, ptr @cell\n"
     "  %y = load float, ptr @cell\n"
     "  %k = call float @kern.cos.f32(float %y)\n"
     "  ret float %k\n",
     {1, 1, 0}},
};

unsigned callsOf(const llvm::Module &module, llvm::StringRef name) {
  const llvm::Function *function = module.getFunction(name);
  return function ? function->getNumUses() : 0;
}

Calls fused(const std::string &text, const char *sine, const char *cosine,
            const char *both) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  if (!module)
    return {};
  nvptx::fuseSinCos(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  return {callsOf(*module, sine), callsOf(*module, cosine),
          callsOf(*module, both)};
}

} // namespace

TEST(SinCos, IsOneCallWhereOneIsOnEveryPathToTheOther) {
  for (const Row &row : rows) {
    std::string text = "declare float @kern.sin.f32(float)\n"
                       "declare float @kern.cos.f32(float)\n"
                       "@cell = global float 0.0\n"
                       "define float @f(float %a, float %b, i1 %c) {\n" +
                       std::string(row.body) + "}\n";
    Calls left = fused(text, "kern.sin.f32", "kern.cos.f32", "kern.sincos.f32");
    EXPECT_EQ(left, row.left) << row.name;
  }
}

TEST(SinCos, OfDoublesTakesTheirFunction) {
  Calls left = fused("declare double @__nv_sin(double)\n"
                     "declare double @__nv_cos(double)\n"
                     "define double @f(double %a) {\n"
                     "  %s = call double @__nv_sin(double %a)\n"
                     "  %k = call double @__nv_cos(double %a)\n"
                     "  %r = fadd double %s, %k\n"
                     "  ret double %r\n"
                     "}\n",
                     "__nv_sin", "__nv_cos", "__nv_sincos");
  EXPECT_EQ(left, (Calls{0, 0, 1}));
}

TEST(SinCos, OfTwoFunctionsStayApart) {
  Calls left = fused("declare float @kern.sin.f32(float)\n"
                     "declare float @kern.cos.f32(float)\n"
                     "define float @f(float %a) {\n"
                     "  %s = call float @kern.sin.f32(float %a)\n"
                     "  ret float %s\n"
                     "}\n"
                     "define float @g(float %a) {\n"
                     "  %k = call float @kern.cos.f32(float %a)\n"
                     "  ret float %k\n"
                     "}\n",
                     "kern.sin.f32", "kern.cos.f32", "kern.sincos.f32");
  EXPECT_EQ(left, (Calls{1, 1, 0}));
}
