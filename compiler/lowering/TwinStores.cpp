//===- TwinStores.cpp - stores that a twin does not see ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the blocks of a function, as control may, with what holds on some
// path to each place: which arrays are twins, and which of them have missed a
// store.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Locations.h"
#include "compiler/lowering/Twins.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

namespace {
/// A store that one of two twins has not seen.
struct Missed {
  Operation *store;
  unsigned stored; ///< the array that it is to
  const ArrayMoves *parting;
};

/// What holds at a place on some path to it. Arrays have numbers.
struct State {
  std::map<std::pair<unsigned, unsigned>, const ArrayMoves *> twins;
  std::map<unsigned, Missed> stale;

  const ArrayMoves *areTwins(unsigned a, unsigned b) const {
    auto found = twins.find({a, b});
    return found == twins.end() ? nullptr : found->second;
  }
  void join(unsigned a, unsigned b, const ArrayMoves *parting) {
    if (a == b)
      return;
    twins.try_emplace({a, b}, parting);
    twins.try_emplace({b, a}, parting);
  }
  /// The array is a new one.
  void renew(unsigned array) {
    stale.erase(array);
    std::erase_if(twins, [&](const auto &each) {
      return each.first.first == array || each.first.second == array;
    });
  }
  /// Adds what holds on another path; false if that is nothing new.
  bool merge(const State &other) {
    const size_t before = twins.size() + stale.size();
    twins.insert(other.twins.begin(), other.twins.end());
    stale.insert(other.stale.begin(), other.stale.end());
    return twins.size() + stale.size() != before;
  }
};

/// Follows the blocks of a function.
class TwinStores {
public:
  explicit TwinStores(FunctionLowering &fn);
  void check() { follow(*fn.region, State()); }

private:
  /// Gives what holds where control leaves a region.
  State follow(Region &region, State in);
  void step(Operation *op, State &state);
  void move(const ArrayMoves &moves, State &state);
  void report(const Missed &missed, unsigned array, std::optional<Span> read);

  bool isFollowed(Operation *op) const { return followed.contains(op); }
  void number(Value array, const std::string &name);

  FunctionLowering &fn;
  llvm::DenseMap<Value, unsigned> numbers;
  std::vector<std::string> names; ///< of the arrays, by number
  /// What moves after an operation, or at the beginning of a block.
  llvm::DenseMap<Operation *, SmallVector<const ArrayMoves *, 1>> after;
  llvm::DenseMap<Block *, SmallVector<const ArrayMoves *, 1>> begin;
  llvm::DenseSet<Operation *> followed; ///< operations that matter
  llvm::DenseSet<Operation *> reported;
};
} // namespace

void TwinStores::number(Value array, const std::string &name) {
  if (!numbers.try_emplace(array, names.size()).second)
    return;
  names.push_back(name);
  if (!name.empty())
    return;
  if (auto local = array.getDefiningOp<LocalOp>())
    names.back() = local.getName().str();
  for (const auto &[own, binding] : fn.env())
    if (const auto *view = binding.as<ArrayView>();
        view && view->array == array && isa<BlockArgument>(array))
      names.back() = view->name;
}

TwinStores::TwinStores(FunctionLowering &fn) : fn(fn) {
  for (const ArrayMoves &moves : fn.twins.moves)
    for (const ArrayMove &move : moves.moves)
      number(move.to, move.name);
  for (const ArrayMoves &moves : fn.twins.moves) {
    for (const ArrayMove &move : moves.moves)
      for (Value array : move.from)
        number(array, move.other);
    if (moves.after)
      after[moves.after].push_back(&moves);
    else
      begin[moves.block].push_back(&moves);
  }
  auto follow = [&](Operation *op) {
    for (; op && followed.insert(op).second; op = op->getParentOp())
      ;
  };
  for (const ArrayMoves &moves : fn.twins.moves)
    follow(moves.after ? moves.after : moves.block->getParentOp());
  for (const auto &[array, number] : numbers) {
    if (Operation *maker = array.getDefiningOp())
      follow(maker);
    for (Operation *user : array.getUsers())
      if (accessedArray(user) == array)
        follow(user);
  }
}

void TwinStores::move(const ArrayMoves &moves, State &state) {
  const State old = state;
  for (const ArrayMove &move : moves.moves)
    state.renew(numbers.at(move.to));
  for (const ArrayMove &move : moves.moves) {
    const unsigned to = numbers.at(move.to);
    for (Value source : move.from) {
      const unsigned from = numbers.at(source);
      if (auto stale = old.stale.find(from); stale != old.stale.end())
        state.stale.insert({to, stale->second});
      if (moves.named.contains(source) &&
          llvm::none_of(moves.moves, [&](const ArrayMove &other) {
            return other.to == source;
          }))
        state.join(to, from, &moves);
      for (const ArrayMove &other : moves.moves)
        for (Value array : other.from)
          if (array == source || old.areTwins(from, numbers.at(array)))
            state.join(to, numbers.at(other.to), &moves);
      for (const auto &[pair, parting] : old.twins)
        if (pair.first == from &&
            llvm::none_of(moves.moves, [&, &pair = pair](const ArrayMove &m) {
              return numbers.at(m.to) == pair.second;
            }))
          state.join(to, pair.second, parting);
    }
  }
}

/// Whether a value only says which type something has.
static bool isForTypeAlone(Value value) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<LocalOp, ElementOp, SameTypeOp>(user))
      return true;
    return isa<ApplyOp>(user) && isForTypeAlone(user->getResult(0));
  });
}

void TwinStores::step(Operation *op, State &state) {
  if (op->getNumRegions() != 0) {
    for (bool isNew = true; isNew;) {
      State inside = state;
      for (Region &region : op->getRegions())
        if (!region.empty())
          inside = follow(region, std::move(inside));
      // One iteration of a statement does not read what another one stores.
      isNew = state.merge(inside) && !fn.twins.wholes.contains(op);
    }
  } else if (auto local = dyn_cast<LocalOp>(op)) {
    if (auto found = numbers.find(local.getResult()); found != numbers.end())
      state.renew(found->second);
  } else if (Value array = accessedArray(op);
             array && !fn.twins.moving.contains(op)) {
    auto found = numbers.find(array);
    if (found == numbers.end())
      return;
    const unsigned number = found->second;
    if (!isa<StoreOp>(op))
      if (auto stale = state.stale.find(number);
          stale != state.stale.end() &&
          !(isa<LoadOp>(op) && isForTypeAlone(op->getResult(0))))
        report(stale->second, number,
               toSpan(fn.diagnostics.sourceManager(), op->getLoc()));
    if (!isa<LoadOp>(op))
      for (const auto &[pair, parting] : state.twins)
        if (pair.first == number)
          state.stale.insert({pair.second, {op, number, parting}});
  } else if (isa<ReturnOp>(op)) {
    for (const auto &[stale, missed] : state.stale)
      for (const auto &[name, binding] : fn.env()) {
        const auto *view = binding.as<ArrayView>();
        if (view && isWrittenOperand(fn, name) &&
            numbers.lookup_or(view->array, names.size()) == stale)
          report(missed, stale, std::nullopt);
      }
  }
}

/// The blocks in the order of flow, in which a loop's body comes before what
/// follows the loop: nests of loops settle from the inside out.
static std::vector<Block *> inOrderOfFlow(Region &region) {
  std::vector<Block *> order;
  llvm::DenseSet<Block *> seen;
  SmallVector<std::pair<Block *, unsigned>> path; // with successors to visit
  auto enter = [&](Block *block) {
    if (seen.insert(block).second)
      path.push_back({block, block->getNumSuccessors()});
  };
  enter(&region.front());
  while (!path.empty()) {
    auto &[block, left] = path.back();
    if (left == 0) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    enter(block->getSuccessor(--left)); // the last one leaves a loop
  }
  std::reverse(order.begin(), order.end());
  return order;
}

State TwinStores::follow(Region &region, State in) {
  State out;
  llvm::MapVector<Block *, State> states;
  // What arrives at the header of a loop that surely runs, but for what arrives
  // before the first iteration.
  llvm::DenseMap<Block *, State> later;
  // Blocks are followed in the order of flow, so that few are followed again.
  const std::vector<Block *> order = inOrderOfFlow(region);
  llvm::DenseMap<Block *, unsigned> places;
  for (auto [place, block] : llvm::enumerate(order))
    places.insert({block, unsigned(place)});
  std::set<unsigned> worklist{0};
  states.insert({&region.front(), std::move(in)});
  while (!worklist.empty()) {
    Block *block = order[*worklist.begin()];
    worklist.erase(worklist.begin());
    auto run = [&](State state) {
      for (const ArrayMoves *moves : begin.lookup(block))
        move(*moves, state);
      for (Operation &op : *block) {
        if (isFollowed(&op) || isa<ReturnOp>(op))
          step(&op, state);
        for (const ArrayMoves *moves : after.lookup(&op))
          move(*moves, state);
      }
      return state;
    };
    const State state = run(states.find(block)->second);
    if (block->getNumSuccessors() == 0)
      out.merge(state);
    for (Block *next : block->getSuccessors()) {
      State afterFirst;
      const bool isAfterFirst = fn.twins.running.lookup(block).second == next;
      if (isAfterFirst) {
        auto found = later.find(block);
        if (found == later.end())
          continue;
        afterFirst = run(found->second);
      }
      const State &arriving = isAfterFirst ? afterFirst : state;
      bool isNew = states.insert({next, State()}).second;
      if (auto loop = fn.twins.running.find(next);
          loop != fn.twins.running.end() && loop->second.first != block) {
        auto [again, isFirstTime] = later.try_emplace(next);
        isNew |= isFirstTime | again->second.merge(arriving);
      }
      isNew |= states.find(next)->second.merge(arriving);
      if (isNew)
        worklist.insert(places.at(next));
    }
  }
  return out;
}

void TwinStores::report(const Missed &missed, unsigned array,
                        std::optional<Span> read) {
  if (!reported.insert(missed.store).second)
    return;
  const SourceManager &sources = fn.diagnostics.sourceManager();
  const std::optional<Span> store = toSpan(sources, missed.store->getLoc());
  if (!store) {
    fn.failed = true;
    return;
  }
  const ArrayMoves &parting = *missed.parting;
  const std::string &stored = names[missed.stored], &other = names[array];
  Diagnostic &diagnostic = fn.error(Diag::twin_store, *store, {stored, other});
  if (!diagnostic.notes.empty())
    return;
  // Of all that moves there, the array that is to blame.
  auto isOne = [&](const ArrayMove &move) {
    const unsigned to = numbers.at(move.to);
    return to == missed.stored || to == array;
  };
  const auto found = llvm::find_if(parting.moves, isOne);
  const ArrayMove &move =
      found == parting.moves.end() ? parting.moves.front() : *found;
  const std::string &name = names[numbers.at(move.to)];
  const std::string &source = move.other;
  switch (parting.kind) {
  case ArrayMoves::BeforeLoop:
    diagnostic.notes.push_back(
        {parting.span, "until this loop binds `" + name +
                           "` again, it shares elements with `" + source +
                           "`"});
    diagnostic.help = "if `" + name +
                      "` is to have elements of its own, copy them before the "
                      "loop: `" +
                      name + " = " + name +
                      ".copy()`; if not, give what the loop makes another name";
    break;
  case ArrayMoves::Call:
    diagnostic.notes.push_back(
        {parting.span, "this call may give one of its arguments itself"});
    diagnostic.help = "if `" + name +
                      "` is to have elements of its own, copy them: `" + name +
                      " = " + name + ".copy()`";
    break;
  default:
    diagnostic.notes.push_back(
        {parting.span, "an iteration of this loop may bind `" + name +
                           "` to the array of `" + source + "`"});
    diagnostic.help = "in the loop, copy the elements for one of them: `" +
                      name + " = " + source + ".copy()`";
  }
  if (read && *read != *store)
    diagnostic.notes.push_back({*read, "`" + other + "` is read here"});
  std::vector<Note> calls;
  for (Span caller : callers(sources, missed.store->getLoc()))
    calls.push_back({caller, "called from here"});
  diagnostic.addCalls(std::move(calls));
}

void checkTwins(FunctionLowering &fn) {
  if (llvm::any_of(fn.twins.moves, [](const ArrayMoves &moves) {
        return llvm::any_of(moves.moves, [](const ArrayMove &move) {
          return !move.from.empty();
        });
      }))
    TwinStores(fn).check();
}

} // namespace kern::compiler
