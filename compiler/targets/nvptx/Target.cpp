//===- Target.cpp - NVIDIA GPUs -------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/Target.h"

#include "compiler/targets/nvptx/Architectures.h"
#include "compiler/targets/nvptx/Codegen.h"
#include "compiler/targets/nvptx/Split.h"
#include "dialects/LoopToGPU/LoopToGPU.h"
#include "dialects/LoopToGPU/Policy.h"

#include "dialects/Loop/Loop.h"

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;

/// The name of the architecture whose PTX this GPU runs best. A GPU below the
/// first row has its own name.
static std::string nameOf(unsigned computeCapability) {
  const nvptx::Architecture *known = nvptx::architectureFor(computeCapability);
  return "sm_" +
         std::to_string(known ? known->computeCapability : computeCapability);
}

/// The forms that a request asks for.
static loop::KernelForms formsFor(KernelRequest request,
                                  mlir::ModuleOp module) {
  bool hasChecks =
      llvm::any_of(module.getOps<loop::KernelOp>(), [](loop::KernelOp kernel) {
        return kernel.getChecks().has_value();
      });
  std::optional<KernelVariant> &variant = request.variant;
  loop::KernelForms forms;
  if (!variant) {
    forms.inner = forms.tiled = request.allForms && !hasChecks;
    forms.disjoint = request.allForms;
    return forms;
  }
  if (hasChecks && variant->form != Form::Contiguous &&
      variant->form != Form::General)
    variant->form = Form::Strided;
  forms.contiguous = variant->form == Form::Contiguous;
  forms.inner = variant->form == Form::Inner;
  forms.tiled = variant->form == Form::Tiled;
  forms.strided = variant->form == Form::Strided;
  forms.loopDims = variant->loopDims;
  forms.groups = variant->groups;
  forms.disjoint = variant->disjoint;
  forms.inPlace = !variant->disjoint;
  return forms;
}

namespace {
class NvptxTarget : public Target {
public:
  constexpr NvptxTarget()
      : Target({.name = "nvptx",
                .device = CodeTarget::Kind::Cuda,
                .lowering = "loop-to-gpu",
                .isSequential = false,
                .tellsDisjoint = true,
                .hasMappings = true,
                .isText = true}) {}

  std::vector<std::string> archs() const override {
    std::vector<std::string> names;
    for (const nvptx::Architecture &row : nvptx::architectures)
      names.push_back(nameOf(row.computeCapability));
    return names;
  }
  std::string archOf(CodeTarget device) const override {
    return nameOf(unsigned(device.computeCapability));
  }
  bool hasWarpgroups(CodeTarget device) const override {
    return device.computeCapability == 90;
  }
  FmaOfHalves fmaOfHalves(llvm::StringRef arch) const override {
    const unsigned computeCapability = nvptx::computeCapability(arch);
    return {.f16 = true, .bf16 = loop::hasFmaOfBF16(computeCapability)};
  }
  std::string defaultArch(Stage) const override {
    return nameOf(nvptx::architectures.front().computeCapability);
  }
  std::vector<std::pair<std::string, std::string>>
  identity(llvm::StringRef arch) const override {
    return {{"target", arch.str()}};
  }

  std::vector<Part> split(mlir::ModuleOp module, bool allForms,
                          llvm::StringRef arch) const override {
    return nvptx::split(module, allForms, nvptx::computeCapability(arch));
  }
  void lowerKernels(mlir::ModuleOp module, const KernelRequest &request,
                    llvm::StringRef arch) const override {
    unsigned wanted = nvptx::computeCapability(arch);
    const nvptx::Architecture *known = nvptx::architectureFor(wanted);
    loop::lowerToGpu(module, formsFor(request, module),
                     known ? known->computeCapability : wanted);
  }
  llvm::StringRef
  functionSymbol(const library::ElementaryFunction &function) const override {
    return nvptx::functionSymbol(function);
  }
  Expected<std::unique_ptr<Codegen>>
  codegen(const CodegenOptions &options) const override {
    return nvptx::codegen(options);
  }

  std::string join(std::span<const std::string> codes) const override {
    return nvptx::joinPtx(codes);
  }
  std::string file(const Manifest &manifest, std::string code) const override {
    return embedManifest(manifest, code);
  }
  Expected<KernelCode>
  load(KernelInfo kernel,
       std::shared_ptr<const std::string> code) const override {
    KernelCode loaded;
    loaded.kernel = std::move(kernel);
    loaded.ptx = std::move(code);
    return loaded;
  }
};
} // namespace

namespace kern::compiler::nvptx {
const Target &target() {
  static const NvptxTarget only;
  return only;
}
} // namespace kern::compiler::nvptx
