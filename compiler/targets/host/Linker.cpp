//===- Linker.cpp - loading machine code into this process ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Linker.h"

#include "compiler/targets/host/Functions.h"
#include "compiler/targets/host/VectorFunctions.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/Support/MemoryBuffer.h"

#include <dlfcn.h>

using namespace kern::compiler;
using namespace kern::runtime;
using namespace llvm::orc;

static Error failure(kern_status status, llvm::Error error) {
  return {status, llvm::toString(std::move(error))};
}

/// The address of a function that code calls: an elementary function, a vector
/// function, the rounding to bf16, or another function that LLVM calls (memset,
/// fma on an old CPU).
static void *addressOf(llvm::StringRef symbol) {
  static const auto known = [] {
    llvm::StringMap<void *> addresses;
    for (auto [name, address] : host::functionAddresses())
      addresses[name] = address;
    addresses[host::bfloatRoundingSymbol] =
        reinterpret_cast<void *>(&host::roundToBFloat);
    return addresses;
  }();
  if (void *address = known.lookup(symbol))
    return address;
  if (void *address = host::vectorFunctionAddress(symbol))
    return address;
  return ::dlsym(RTLD_DEFAULT, symbol.str().c_str());
}

namespace {

/// Resolves functions of the process when code that calls them is linked.
class ProcessSymbols : public DefinitionGenerator {
public:
  llvm::Error tryToGenerate(LookupState &, LookupKind, JITDylib &library,
                            JITDylibLookupFlags,
                            const SymbolLookupSet &wanted) override {
    SymbolMap symbols;
    for (const auto &[name, flags] : wanted)
      if (void *address = addressOf(*name))
        symbols[name] = {ExecutorAddr::fromPtr(address),
                         llvm::JITSymbolFlags::Exported |
                             llvm::JITSymbolFlags::Callable};
    if (symbols.empty())
      return llvm::Error::success();
    return library.define(absoluteSymbols(std::move(symbols)));
  }
};

class LinkedCode : public host::Code {
public:
  LinkedCode(std::unique_ptr<ExecutorProcessControl> process,
             std::shared_ptr<const std::string> file)
      : session(std::move(process)), layer(session), file(std::move(file)) {
    // find() returns failures as an Error; print nothing.
    session.setErrorReporter(
        [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  }
  ~LinkedCode() override { llvm::consumeError(session.endSession()); }

  llvm::Error add() {
    library = &session.createBareJITDylib("kernel");
    library->addGenerator(std::make_unique<ProcessSymbols>());
    return layer.add(*library, llvm::MemoryBuffer::getMemBuffer(
                                   *file, "kernel",
                                   /*RequiresNullTerminator=*/false));
  }

  Expected<host::EntryPoint> find(std::string_view symbol) override {
    auto found = session.lookup({library}, session.intern(symbol));
    if (!found)
      return failure(KERN_ERROR_NOT_FOUND, found.takeError());
    return found->getAddress().toPtr<host::EntryPoint>();
  }

  const std::shared_ptr<const std::string> &object() const override {
    return file;
  }

private:
  ExecutionSession session;
  ObjectLinkingLayer layer;
  JITDylib *library = nullptr;
  std::shared_ptr<const std::string> file;
};

} // namespace

Expected<std::shared_ptr<host::Code>>
kern::compiler::host::link(std::shared_ptr<const std::string> object) {
  auto process = SelfExecutorProcessControl::Create(
      nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!process)
    return failure(KERN_ERROR_INTERNAL, process.takeError());
  auto code =
      std::make_shared<LinkedCode>(std::move(*process), std::move(object));
  if (auto error = code->add())
    return failure(KERN_ERROR_INTERNAL, std::move(error));
  return std::shared_ptr<Code>(std::move(code));
}
