//===- ManifestJson.cpp - writes manifests as JSON ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/JsonReader.h"

using namespace kern::runtime;

namespace {
/// One class, since all of it goes into one text, in order.
class Writer {
public:
  void write(const Manifest &manifest);
  std::string take() { return json.take(); }

private:
  void write(std::string_view text) { json.value(text); }
  template <std::integral T> void write(T number) { json.value(number); }
  void write(ArgType type) { json.value(name(type)); }
  void write(DType type) { json.value(name(type)); }
  template <typename T> void write(const std::vector<T> &elements) {
    json.list(elements, [&](const T &element) { write(element); });
  }
  void write(const DimExpr &dim) {
    json.list(dim.tokens,
              [&](const DimToken &token) { json.value(token.text()); });
  }
  void write(Mapping mapping);
  void write(const Nest::Tile &tile);
  void write(const Nest::Stage &stage);
  void write(const Nest::Access &access);
  void write(const Nest::Unrolled &unrolled);
  void write(const Nest::Product::Term &term);
  void write(const Nest &nest);
  void write(const DefaultArgument &number);
  void write(const OperandInfo &operand);
  void write(const ScratchInfo &scratch);
  void write(const LeastExtent &needed);
  void write(const CheckInfo &check);
  void write(const KernelInfo &kernel);
  void write(const LoopInfo &loop);
  void write(const FunctionInfo &function);
  void write(const TargetInfo &target);

  template <typename T> void member(const char *key, const T &value) {
    json.key(key);
    write(value);
  }
  /// A member that readers need not find: what they take then is not written.
  template <typename T>
  void optional(const char *key, const T &value, const T &without = T()) {
    if (value != without)
      member(key, value);
  }
  template <typename T>
  void optional(const char *key, const std::vector<T> &elements) {
    if (!elements.empty())
      member(key, elements);
  }

  JsonWriter json;
  const FunctionInfo *function = nullptr; ///< in which we are
};
} // namespace

void Writer::write(Mapping mapping) {
  std::vector<std::string> words;
  for (const MappingWord &word : mappingWords)
    if (mapping.*word.member)
      words.emplace_back(word.name);
  if (mapping.tile)
    words.push_back(tileWord(mapping.tile));
  write(words);
}

void Writer::write(const Nest::Tile &tile) {
  json.object([&] {
    member("rows", tile.rows);
    member("columns", tile.columns);
    member("threads", tile.threads);
    optional("planes", tile.planes, 1u);
    optional("shared", tile.sharedBytes);
    optional("speed", tile.speed, 1u);
    optional("wide", tile.isWide);
  });
}

void Writer::write(const Nest::Stage &stage) {
  json.object([&] {
    member("bytes", stage.bytes);
    if (stage.operand) {
      member("operand", *stage.operand);
      member("dimension", stage.dimension);
    }
    optional("inPlace", stage.isInPlace);
    optional("spread", stage.spreadBytes);
  });
}

void Writer::write(const Nest::Access &access) {
  json.object([&] {
    member("operand", access.operand);
    member("steps", access.steps);
    optional("write", access.isWrite);
    optional("start", access.start);
  });
}

void Writer::write(const Nest::Unrolled &unrolled) {
  json.object([&] {
    member("iterations", unrolled.iterations);
    member("rowOperands", unrolled.rowOperands);
    member("tiles", unrolled.tiles);
  });
}

void Writer::write(const Nest::Product::Term &term) {
  json.object([&] {
    member("operand", term.operand);
    member("indices", term.indices);
  });
}

void Writer::write(const Nest &nest) {
  json.object([&] {
    optional("flat", nest.flat);
    optional("elementwise", nest.isElementwise);
    optional("loops", nest.hasLoops);
    optional("straight", nest.isStraight);
    optional("ordered", nest.hasOrderedLoops);
    optional("together", nest.readsTogether);
    optional("alike", nest.roundsAlike);
    optional("launches", nest.launches);
    optional("chunk", nest.chunk, 1u);
    if (nest.residentChunks) {
      member("residentChunks", nest.residentChunks);
      member("resident", std::vector{nest.residentExtent});
      optional("scan", nest.isScan);
      optional("recentres", nest.recentres);
    }
    optional("shared", nest.sharedExtents);
    optional("privatised", nest.privatised);
    optional("stages", nest.stages);
    optional("accesses", nest.accesses);
    optional("whole", nest.whole);
    optional("tiles", nest.tiles);
    if (!nest.unrolled.tiles.empty())
      member("unrolled", nest.unrolled);
    if (const auto &product = nest.product)
      member("product",
             std::vector{product->left, product->right, product->result});
    optional("phases", nest.phases);
  });
}

void Writer::write(const DefaultArgument &number) {
  json.object([&] {
    member("text", number.text);
    member("type", number.type);
    member("bits", bitsOf(number));
  });
}

void Writer::write(const OperandInfo &operand) {
  json.object([&] {
    member("name", operand.name);
    member("type", operand.type);
    optional("core", operand.core);
    optional("inout", operand.isInout);
    optional("dim", operand.isDim);
    optional("generic", operand.isGeneric);
    if (operand.defaultArgument)
      member("default", *operand.defaultArgument);
  });
}

void Writer::write(const ScratchInfo &scratch) {
  json.object([&] {
    member("bytes", scratch.bytes);
    optional("perLane", scratch.isPerLane);
    optional("perSlice", scratch.isPerSlice);
    optional("cleared", scratch.isCleared);
  });
}

void Writer::write(const LeastExtent &needed) {
  json.object([&] {
    member("extent", needed.extent);
    member("least", needed.least);
    member("array", needed.array);
    member("axis", needed.axis);
    member("place", needed.place);
  });
}

void Writer::write(const CheckInfo &check) {
  json.object([&] {
    member("kind", name(check.kind));
    member("place", check.place);
    member("text", check.text);
    member("axis", check.axis);
  });
}

void Writer::write(const KernelInfo &kernel) {
  json.object([&] {
    member("form", name(kernel.form));
    member("symbol", kernel.symbol);
    member("block", kernel.block);
    member("elements", kernel.elements);
    member("alignment", kernel.alignment);
    optional("mapping", kernel.mapping);
    optional("chunks", kernel.mapping.chunks);
    optional("phase", kernel.mapping.phase);
    optional("launches", kernel.launches, 1u);
    optional("slicedLaunches", kernel.slicedLaunches);
    optional("rows", kernel.rows, 1u);
    optional("work", kernel.work);
    optional("inParts", kernel.inParts);
    optional("disjoint", kernel.disjoint);
    optional("waits", kernel.waits);
    optional("divisors", kernel.hasDivisors);
    optional("shared", kernel.sharedExtents);
    optional("nonEmpty", kernel.nonEmpty);
    optional("leastExtents", kernel.leastExtents);
    optional("scratch", kernel.scratch);
    optional("checks", kernel.checks);
    if (!kernel.checks.empty())
      member("record", recordWords(kernel, *function));
  });
}

void Writer::write(const LoopInfo &loop) {
  json.object([&] {
    member("inputs", loop.inputs);
    member("outputs", loop.outputs);
    member("kernels", loop.kernels);
    optional("nest", loop.nest);
  });
}

void Writer::write(const FunctionInfo &info) {
  function = &info;
  json.object([&] {
    member("name", info.name);
    member("kind", info.kind == FunctionKind::Ufunc ? "ufunc" : "gufunc");
    member("parameters", info.parameters);
    member("results", info.results);
    member("dims", info.dims);
    member("loops", info.loops);
    optional("doc", info.doc);
    optional("identity", info.identity);
    optional("optional", info.optionalDims);
    optional("generic", info.isGeneric);
  });
}

void Writer::write(const TargetInfo &target) {
  json.object([&] {
    member("kind", target.kindName());
    member("arch", target.arch);
  });
}

void Writer::write(const Manifest &manifest) {
  json.object([&] {
    member("kern", versionOf(manifest));
    member("compiler", manifest.compiler);
    member("source", manifest.source);
    member("target", manifest.target);
    member("functions", manifest.functions);
  });
}

std::string kern::runtime::toJson(const Manifest &manifest) {
  Writer writer;
  writer.write(manifest);
  return writer.take();
}
