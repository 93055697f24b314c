//===- Nest.h - the loops of a gufunc, and their mappings ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gufunc's kernel is described once, by its nest. The runtime decides from it
// how a call's loops are mapped to a GPU (runtime/plan/Schedule.h), and the
// compiler makes the kernel of that mapping (dialects/LoopMappings).
// docs/explanation/mappings.md is about both.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern::runtime {

/// A part of a DimExpr, read from its text once.
struct DimToken {
  enum class Kind : uint8_t {
    Name,
    Integer, ///< not negative
    Add,
    Subtract,
    Multiply,
    FloorDivide,
    Remainder,
    Min,
    Max,
    NonNegative, ///< `>=0`, of one operand: an extent of a local array
    Equal,       ///< `==`: extents that meet; the value is that of both
    Malformed,   ///< `name` has the text
  };
  Kind kind = Kind::Malformed;
  int64_t value = 0; ///< of an integer
  std::string name;

  DimToken(Kind kind) : kind(kind) {}
  DimToken(std::string_view text);
  DimToken(const std::string &text) : DimToken(std::string_view(text)) {}
  DimToken(const char *text) : DimToken(std::string_view(text)) {}
  static DimToken integer(int64_t value) {
    DimToken token(Kind::Integer);
    token.value = value;
    return token;
  }
  /// What the constructor takes for the token.
  std::string text() const;
  bool isInteger(int64_t number) const {
    return kind == Kind::Integer && value == number;
  }
  bool operator==(const DimToken &) const = default;
};

/// A core dimension as reverse Polish notation over names of dimensions,
/// non-negative integers and the operators + - * // % min max:
/// `n - k + 1` is {"n", "k", "-", "1", "+"}. A single token is the usual case.
/// A dimension called `min` or `max` has a `$` before its name.
struct DimExpr {
  std::vector<DimToken> tokens;
  template <typename Texts> static DimExpr of(const Texts &texts) {
    return {std::vector<DimToken>(std::begin(texts), std::end(texts))};
  }
  bool operator==(const DimExpr &) const = default;
};

/// How the loops of a gufunc are mapped to a GPU. One record, since it is a key
/// (docs/explanation/mappings.md says which members combine). Without any of
/// them, a group of lanes shares each loop element.
struct Mapping {
  /// The iterations of the one outermost `prange` are loop elements.
  bool flat = false;
  /// Neighbouring lanes work on neighbouring loop elements, and the rows of a
  /// block share the loops inside.
  bool across = false;
  /// Each loop is cut into slices, and a chain of launches runs the loops that
  /// depend on one another.
  bool sliced = false;
  /// Rows that several loops read stay in the registers of their lanes. Not
  /// with `across`. With `sliced`, the slices work at the same time and wait
  /// for one another, in one cooperative launch, unless they are `recentred`.
  bool resident = false;
  /// Of each such row: how many chunks a lane keeps.
  unsigned chunks = 0;
  /// With `sliced` and `resident`: while blocks work on the rows of one loop
  /// element, those of the next one are on the way to shared memory.
  bool ahead = false;
  /// With `sliced`: each slice adds up squares about its own mean, so that no
  /// slice waits for others (Nest::recentres).
  bool recentred = false;
  /// Each block has copies, in shared memory, of the arrays into which
  /// iterations accumulate.
  bool privatised = false;
  /// A thread for each loop element. The threads of a warp bring their elements
  /// through shared memory, together.
  bool staged = false;
  /// With `staged`, of a loop in order: a warp has few loop elements, so that
  /// it moves less and there are more warps (spreadElements).
  bool spread = false;
  /// The loops of an iteration are written out: the extents that they follow
  /// from are constants. With tiles (Nest::Unrolled).
  bool unrolled = false;
  /// The columns of the tiles (Nest::Tile) whose iterations a group of threads
  /// computes together; 0: no tiles.
  unsigned tile = 0;
  /// Of a body of several phases (Nest::phases) the one that the kernel runs,
  /// from 1 on; 0: all of them.
  unsigned phase = 0;
  bool isCooperative() const { return sliced && resident && !recentred; }
  auto operator<=>(const Mapping &) const = default;
};
struct MappingWord {
  std::string_view name;
  bool Mapping::*member;
};
/// The word for each member, in manifests and messages.
inline constexpr MappingWord mappingWords[] = {
    {"flat", &Mapping::flat},
    {"across", &Mapping::across},
    {"sliced", &Mapping::sliced},
    {"recentred", &Mapping::recentred},
    {"privatised", &Mapping::privatised},
    {"staged", &Mapping::staged},
    {"spread", &Mapping::spread},
    {"resident", &Mapping::resident},
    {"ahead", &Mapping::ahead},
    {"unrolled", &Mapping::unrolled}};
/// "flat, across", "resident 8", "flat, tiled64", "flat, phase 2"; "grouped"
/// without any.
std::string text(Mapping);
/// The word for tiles with this many columns, and its inverse.
std::string tileWord(unsigned columns);
std::optional<unsigned> tileOfWord(std::string_view word);
/// Which groups of lanes a gufunc's kernel serves.
enum class Groups : uint8_t {
  Any,
  One,   ///< one lane
  Block, ///< more than a warp
};

/// The most chunks of a row that a lane keeps.
inline constexpr unsigned maxResidentChunks = 8;
/// The neighbouring columns that a thread of a wide tile accesses at once, if
/// they have no more than so many bytes.
inline constexpr int64_t wideColumns = 4, wideBytes = 16;
/// The loop elements of a warp of a spread kernel.
inline constexpr unsigned spreadElements = 8;
/// The lanes of each block of a cooperative kernel.
inline constexpr unsigned cooperatingLanes = 512;
/// The shared memory of a block that fetches rows ahead: chunks of 16 bytes.
inline constexpr unsigned aheadBytes =
    maxResidentChunks * 16 * cooperatingLanes;
/// The shared memory that a block has without asking for more at its launch.
inline constexpr unsigned unaskedSharedBytes = 48 << 10;
/// The shared memory of a block that fetches the tiles of a scan ahead.
inline constexpr unsigned tilesAheadBytes = 2 * aheadBytes;
/// The parts of a sliced loop begin at multiples of this many iterations, so
/// that what was aligned stays so.
inline constexpr int64_t sliceUnit = 256;
/// The most launches of a sliced kernel.
inline constexpr unsigned maxLaunches = 16;

/// Where the loops of one gufunc go, of one combination of types. One record,
/// since it is one object of the JSON.
struct Nest {
  /// The elements of an operand that a loop reads or writes. Its indices are
  /// the flat ones, outermost first, and then the index of the innermost range
  /// of the loop that lanes share.
  struct Access {
    unsigned operand = 0; ///< inputs, then outputs
    bool isWrite = false;
    /// For each index, how far one more of it moves the access along each core
    /// dimension. Empty if that depends on data.
    std::vector<std::vector<int64_t>> steps = {};
    /// Of an elementwise nest: where the access is when all indices are 0, for
    /// each core dimension.
    std::vector<DimExpr> start = {};
    bool operator==(const Access &) const = default;
  };

  /// A block of iterations along the last flat index, the columns, the one
  /// before it, the rows, and the one before that, the planes.
  struct Tile {
    unsigned rows = 1, columns = 1;
    unsigned threads = 1; ///< that compute it
    unsigned planes = 1;
    /// Of shared memory, which a launch must ask for; 0: it need not.
    unsigned sharedBytes = 0;
    /// How many times as many products as lanes make in a clock the matrix
    /// units make that compute it. 1: lanes do. GPUs have these units from
    /// sm_80 on.
    unsigned speed = 1;
    bool usesMatrixUnits() const { return speed > 1; }
    /// Threads access several columns at once: arrays are aligned.
    bool isWide = false;
    bool operator==(const Tile &) const = default;
  };

  /// How often each range of the outermost `prange` runs, outermost first, if
  /// its iterations can be loop elements. What follows is about the nest in
  /// which they are.
  std::vector<DimExpr> flat;
  /// Each iteration computes elements of the results from elements of the
  /// operands and nothing else: the flat mapping is a ufunc, whose inputs and
  /// outputs are `accesses`.
  bool isElementwise = false;
  /// There are loops that lanes can share.
  bool hasLoops = false;
  /// There are no branches around those loops.
  bool isStraight = false;
  /// Beside them are loops that every lane runs, in order, and no reduction or
  /// scan: how many lanes there are changes no result.
  bool hasOrderedLoops = false;
  /// With these, the lanes of a warp read for those loops together: a group has
  /// whole warps.
  bool readsTogether = false;
  /// The launches of the sliced mapping; 0 if there is none.
  unsigned launches = 0;
  /// Iterations of a reduction that one lane takes together.
  unsigned chunk = 1;
  /// Of rows that several loops read, which lanes can keep in registers: how
  /// many chunks of each row a lane takes at most (0 without such rows), and
  /// the length of the rows.
  unsigned residentChunks = 0;
  DimExpr residentExtent = {};
  /// If slices add up squares about their own means, all loops run in the first
  /// launch, and the second one combines what they find. Each slice then reads
  /// its part of the rows once.
  bool recentres = false;
  /// These loops are scans, each of which reads and writes its rows once, and
  /// there are no others. Lanes keep the rows' chunks on the way.
  bool isScan = false;
  /// The iterations of the loops that lanes share, as KernelInfo has them.
  std::vector<DimExpr> sharedExtents;
  std::vector<Access> accesses;
  /// The results, numbered as in `accesses`, of which a loop element writes
  /// every element of its own before it reads any.
  std::vector<unsigned> whole;
  /// The arrays that the privatised mapping copies: the bytes of one copy of
  /// each.
  std::vector<DimExpr> privatised;
  /// What each thread of the staged mapping has in shared memory; empty if
  /// there is no such mapping.
  struct Stage {
    /// Where it comes from or goes to; nothing for a local array.
    std::optional<unsigned> operand;
    unsigned dimension = 0; ///< the core dimension that neighbours follow
    DimExpr bytes;          ///< from one thread's to the next one's
    /// In kernels whose extents are constants it has the place of another one.
    bool isInPlace = false;
    /// In a spread kernel, which has it for each loop element: from one's to
    /// the next one's. 0: for each thread, as `bytes` says.
    unsigned spreadBytes = 0;
    bool operator==(const Stage &) const = default;
  };
  std::vector<Stage> stages;
  /// Whether there is a spread kernel.
  bool canSpread() const {
    return std::ranges::any_of(
        stages, [](const Stage &stage) { return stage.spreadBytes > 0; });
  }
  /// The tiles that kernels can have, with rising columns.
  std::vector<Tile> tiles;
  /// Kernels whose loops are written out, if neighbouring iterations then read
  /// the same elements.
  struct Unrolled {
    DimExpr iterations;      ///< of all loops together, in one iteration
    std::vector<Tile> tiles; ///< with rising columns; none: no such kernels
    /// Of these, lanes access neighbouring elements along the last core
    /// dimension.
    std::vector<unsigned> rowOperands;
    bool operator==(const Unrolled &) const = default;
  };
  Unrolled unrolled;
  /// There are tiles, and kernels with and without them give the same bits.
  bool roundsAlike = false;
  /// Two arrays' products, added up along one index, and nothing else.
  struct Product {
    /// An operand, and which index runs along each of its core dimensions: a
    /// flat one, or, if it is their number, that of the sum. No index runs
    /// along two.
    struct Term {
      unsigned operand = 0;
      std::vector<unsigned> indices;
      bool operator==(const Term &) const = default;
    };
    Term left, right, result;
    bool operator==(const Product &) const = default;
  };
  std::optional<Product> product;
  /// The body is a chain of several flat nests, which leave nothing but
  /// operands for one another: each can have a kernel of its own.
  std::vector<Nest> phases;
  /// The nest of a mapping's phase; NULL if there is none.
  const Nest *phaseOf(const Mapping &mapping) const {
    return !mapping.phase                   ? this
           : mapping.phase <= phases.size() ? &phases[mapping.phase - 1]
                                            : nullptr;
  }
  const Tile *tileOf(const Mapping &mapping) const {
    for (const Tile &tile : mapping.unrolled ? unrolled.tiles : tiles)
      if (tile.columns == mapping.tile)
        return &tile;
    return nullptr;
  }
  bool operator==(const Nest &) const = default;
};

//===--- NestText.cpp ---------------------------------------------------===//
/// The mappings that a gufunc's kernels can have on a GPU, and what they keep
/// on chip: "grouped, across, resident (rows in registers)". Empty for a nest
/// that says nothing.
std::string mappingsText(const Nest &nest);

} // namespace kern::runtime
