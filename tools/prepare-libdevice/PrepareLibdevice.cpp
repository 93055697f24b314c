//===- PrepareLibdevice.cpp - the device library, made ready --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: kern_prepare_libdevice libdevice.10.bc OUT.bin OUT.inc
//
// Runs while Kern is built. Answers what libdevice asks of the compiler,
// optimises it, and writes each of its functions as bitcode of its own with
// what it calls, so that compiling a kernel reads the few functions that it
// needs and finds them optimised. OUT.inc has a row
// KERN_LIBDEVICE(name, offset, size) for each, sorted by name.
//
//===----------------------------------------------------------------------===//
#include "tools/prepare-libdevice/SlowPaths.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <set>

using namespace llvm;

static Error failure(const Twine &what) {
  return createStringError(inconvertibleErrorCode(), what);
}

/// The queries of `__nvvm_reflect` in libdevice. It queries the architecture
/// only for GPUs before sm_37, which Kern does not support.
static unsigned answer(StringRef question) {
  return question == "__CUDA_PREC_SQRT" || question == "__CUDA_PREC_DIV"
             ? 1
             : 0; // __CUDA_FTZ: subnormals are kept
}

/// The string constant that a call of `__nvvm_reflect` names.
static StringRef questionOf(const CallInst &call) {
  auto *global =
      dyn_cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  auto *data = global && global->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(global->getInitializer())
                   : nullptr;
  return data && data->isCString() ? data->getAsCString() : "";
}

static void resolveReflect(Module &library) {
  Function *reflect = library.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (User *user : make_early_inc_range(reflect->users()))
    if (auto *call = dyn_cast<CallInst>(user)) {
      call->replaceAllUsesWith(
          ConstantInt::get(call->getType(), answer(questionOf(*call))));
      call->eraseFromParent();
    }
  if (reflect->use_empty())
    reflect->eraseFromParent();
}

static Expected<std::unique_ptr<TargetMachine>> createMachine() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return failure(message);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, "sm_75", "+ptx63", TargetOptions(), std::nullopt));
}

static void optimize(Module &library, TargetMachine &machine) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(library, modules);
}

/// Names and attributes that the PTX back end ignores.
static void strip(Module &library) {
  while (!library.named_metadata_empty())
    library.eraseNamedMetadata(&*library.named_metadata_begin());
  for (Function &function : library) {
    AttributeMask texts;
    for (Attribute attribute : function.getAttributes().getFnAttrs())
      if (attribute.isStringAttribute())
        texts.addAttribute(attribute.getKindAsString());
    function.removeFnAttrs(texts);
    for (Argument &argument : function.args())
      argument.setName("");
    for (BasicBlock &block : function) {
      block.setName("");
      for (Instruction &instruction : block)
        instruction.setName("");
    }
  }
}

/// One function of the library with what it calls, which merges with the same
/// of other functions.
static Expected<SmallVector<char, 0>> extract(StringRef name,
                                              MemoryBufferRef library) {
  LLVMContext context;
  auto source = getLazyBitcodeModule(library, context);
  if (!source)
    return source.takeError();
  Module alone(name, context);
  alone.setTargetTriple((*source)->getTargetTriple());
  alone.setDataLayout((*source)->getDataLayout());
  alone.getOrInsertFunction(name,
                            (*source)->getFunction(name)->getFunctionType());
  if (Linker::linkModules(alone, std::move(*source), Linker::LinkOnlyNeeded))
    return failure("cannot extract " + name);
  for (GlobalObject &object : alone.global_objects())
    if (!object.isDeclaration() && object.getName() != name) {
      object.setLinkage(GlobalValue::LinkOnceODRLinkage);
      object.setVisibility(GlobalValue::HiddenVisibility);
    }
  strip(alone);
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(alone, stream);
  return bitcode;
}

static Error write(StringRef path, StringRef contents) {
  std::error_code code;
  raw_fd_ostream file(path, code);
  if (code)
    return errorCodeToError(code);
  file << contents;
  file.close();
  return errorCodeToError(file.error());
}

static Error prepare(const char *input, StringRef binary, StringRef index) {
  auto file = MemoryBuffer::getFile(input);
  if (!file)
    return errorCodeToError(file.getError());
  LLVMContext context;
  auto library = parseBitcodeFile(**file, context);
  if (!library)
    return library.takeError();
  auto machine = createMachine();
  if (!machine)
    return machine.takeError();
  (*library)->setTargetTriple((*machine)->getTargetTriple());
  (*library)->setDataLayout((*machine)->createDataLayout());
  resolveReflect(**library);
  // Private symbols have no names to merge by.
  for (GlobalObject &object : (*library)->global_objects())
    if (object.hasPrivateLinkage())
      object.setLinkage(GlobalValue::InternalLinkage);
  optimize(**library, **machine);
  kern::cli::outlineSlowPaths(**library);

  std::set<std::string> names;
  for (Function &function : **library)
    if (!function.isDeclaration() && function.hasExternalLinkage())
      names.insert(function.getName().str());
  SmallVector<char, 0> optimised;
  raw_svector_ostream stream(optimised);
  WriteBitcodeToFile(**library, stream);
  MemoryBufferRef whole(StringRef(optimised.data(), optimised.size()),
                        "libdevice");

  std::string blob, rows;
  for (const std::string &name : names) {
    auto bitcode = extract(name, whole);
    if (!bitcode)
      return bitcode.takeError();
    rows += "KERN_LIBDEVICE(" + name + ", " + std::to_string(blob.size()) +
            ", " + std::to_string(bitcode->size()) + ")\n";
    blob.append(bitcode->begin(), bitcode->end());
    blob.resize((blob.size() + 3) / 4 * 4); // bitcode is read by words
  }
  rows += "#undef KERN_LIBDEVICE\n";
  if (Error error = write(binary, blob))
    return error;
  return write(index, rows);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    errs() << "usage: kern_prepare_libdevice LIBDEVICE OUT.bin OUT.inc\n";
    return 2;
  }
  if (Error error = prepare(argv[1], argv[2], argv[3])) {
    errs() << argv[1] << ": " << toString(std::move(error)) << "\n";
    return 1;
  }
}
