//===- sharded.hpp - arrays dealt over several GPUs -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays in parts on several GPUs, and calls over them. Included by kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_SHARDED_HPP
#define KERN_SHARDED_HPP

#include "kern/calls.hpp"
#include "kern/sharded.h"

namespace kern {
inline namespace api {

/// An array in parts along axis 0, one on each of several GPUs, or with a copy
/// on each. Calls over such arrays run on all of these GPUs at once
/// (kern/sharded.h). Move-only.
///
///     kern::Sharded x = kern::Sharded::scatter(data); // over all GPUs
///     kern::Sharded y = f(x, 2.0f);
///     kern::Array all = y.gather();
class Sharded {
public:
  /// No array at all.
  Sharded() = default;
  /// Takes ownership.
  explicit Sharded(kern_sharded *made) : handle(made) {}
  /// With undefined contents. No `devices` means all GPUs, here and below.
  static Sharded empty(kern_dtype dtype, const Shape &shape,
                       const std::vector<Device> &devices = {}) {
    kern_sharded *made = nullptr;
    detail::check(kern_sharded_new(dtype, int(shape.size()), shape.data(),
                                   devices.data(), devices.size(), &made));
    return Sharded(made);
  }
  template <typename T>
  static Sharded empty(const Shape &shape,
                       const std::vector<Device> &devices = {}) {
    return empty(detail::requireElement<T>(), shape, devices);
  }
  /// The elements of an array, dealt along axis 0: of anything that a call
  /// takes as an array.
  static Sharded scatter(const Argument &source,
                         const std::vector<Device> &devices = {}) {
    kern_sharded *made = nullptr;
    detail::check(kern_sharded_scatter(tensorOf(source), devices.data(),
                                       devices.size(), &made));
    return Sharded(made);
  }
  /// A copy of the array on each GPU. It broadcasts with the parts of others.
  static Sharded replicate(const Argument &source,
                           const std::vector<Device> &devices = {}) {
    kern_sharded *made = nullptr;
    detail::check(kern_sharded_replicate(tensorOf(source), devices.data(),
                                         devices.size(), &made));
    return Sharded(made);
  }

  explicit operator bool() const { return handle != nullptr; }
  kern_dtype dtype() const {
    kern_dtype type = KERN_F64;
    detail::check(kern_dtype_from_dl(form().dtype, &type));
    return type;
  }
  size_t rank() const { return size_t(form().ndim); }
  /// Of the whole array.
  std::span<const int64_t> shape() const &KERN_LIFETIME_BOUND {
    return {form().shape, rank()};
  }
  std::span<const int64_t> shape() const && = KERN_DELETE_DANGLING;
  bool isReplicated() const {
    return kern_sharded_is_replicated(handle.get()) != 0;
  }
  /// The number of parts, or of copies.
  size_t partCount() const { return kern_sharded_part_count(handle.get()); }
  /// One of them, on its GPU; an argument of other calls. Valid as long as this
  /// array. KERN_ERROR_ARGUMENT if there is no such part.
  ConstView part(size_t index) const &KERN_LIFETIME_BOUND {
    return ConstView(partAt(index));
  }
  View part(size_t index) & KERN_LIFETIME_BOUND {
    return View(const_cast<DLTensor &>(partAt(index)));
  }
  ConstView part(size_t index) const && = KERN_DELETE_DANGLING;
  /// The index along axis 0 of a part's first element.
  int64_t begin(size_t index) const {
    return kern_sharded_begin(handle.get(), index);
  }

  /// Copies an array of the same shape and type into the parts.
  void assign(const Argument &source) {
    detail::check(kern_sharded_assign(handle.get(), tensorOf(source)));
  }
  /// All of it in a new array on the host.
  Array gather() const {
    Array out = Array::empty(
        dtype(), Shape(form().shape, form().shape + form().ndim), cpu());
    gather(out);
    return out;
  }
  /// The same in an array of this shape and type, on the host or a GPU.
  void gather(const Output &place) const {
    detail::check(kern_sharded_gather(handle.get(), place.get()));
  }
  /// Waits for all work on its GPUs.
  void synchronize() const {
    detail::check(kern_sharded_synchronize(handle.get()));
  }
  kern_sharded *get() const { return handle.get(); }

private:
  struct Release {
    void operator()(kern_sharded *one) const { kern_sharded_release(one); }
  };
  const DLTensor &form() const {
    if (!handle)
      throw Error(KERN_ERROR_ARGUMENT, "there is no array");
    return *kern_sharded_form(handle.get());
  }
  const DLTensor &partAt(size_t index) const {
    const DLTensor *part = kern_sharded_part(handle.get(), index);
    if (!part)
      throw Error(KERN_ERROR_ARGUMENT, "there is no part " +
                                           std::to_string(index) + " of " +
                                           std::to_string(partCount()));
    return *part;
  }
  static const DLTensor *tensorOf(const Argument &source) {
    const kern_value value = source.get();
    if (value.kind != KERN_VALUE_ARRAY)
      throw Error(KERN_ERROR_ARGUMENT,
                  "a number cannot be dealt over GPUs: pass an array");
    return value.as.array;
  }

  std::unique_ptr<kern_sharded, Release> handle;
};

/// An argument of a call over parts: a Sharded that has a name, or what other
/// calls take.
class ShardedArgument {
public:
  ShardedArgument(const Sharded &array KERN_LIFETIME_BOUND)
      : sharded(array.get()) {
    if (!sharded)
      throw Error(KERN_ERROR_ARGUMENT, "there is no array");
  }
  ShardedArgument(const Sharded &&) = KERN_DELETE_DANGLING;
  template <typename T>
    requires detail::isArgument<T>
  ShardedArgument(T &&other KERN_LIFETIME_BOUND)
      : plain(std::in_place, std::forward<T>(other)) {}

  /// Valid until this argument is moved or destroyed.
  kern_sharded_value get() const {
    kern_sharded_value out = {sharded, {}};
    if (plain)
      out.value = plain->get();
    return out;
  }

private:
  const kern_sharded *sharded = nullptr;
  std::optional<Argument> plain;
};

namespace detail {
/// Puts a mask into the options, which point to what it points to.
inline void setMask(const std::optional<ShardedArgument> &mask,
                    kern_call_request &options) {
  if (!mask)
    return;
  const kern_sharded_value given = mask->get();
  if (!given.sharded && given.value.kind != KERN_VALUE_ARRAY)
    throw Error(KERN_ERROR_ARGUMENT, "`where` takes an array of bool");
  options.sharded_where = given.sharded;
  options.where = given.sharded ? nullptr : given.value.as.array;
}
} // namespace detail

/// A call over parts that has not run yet. As Call, use it in the expression
/// that makes it.
class [[nodiscard("a call runs when its result is used")]] ShardedCall {
public:
  ShardedCall(const ShardedCall &) = delete;
  ShardedCall &operator=(const ShardedCall &) = delete;

  ShardedCall &&casting(kern_casting rule) && {
    options.casting = rule;
    return std::move(*this);
  }
  /// Calls the loop whose results have this type.
  ShardedCall &&dtype(kern_dtype type) && {
    options.has_dtype = 1;
    options.dtype = type;
    return std::move(*this);
  }
  /// Of a ufunc: results are written where `given` is true; new results are 0
  /// elsewhere. It is dealt as the arguments are, or whole.
  ShardedCall &&where(ShardedArgument given KERN_LIFETIME_BOUND) && {
    mask.emplace(std::move(given));
    return std::move(*this);
  }
  /// Fills `place` with a report of what the call did.
  ShardedCall &&report(Report &place KERN_LIFETIME_BOUND) && {
    place.size = sizeof place;
    reportPlace = &place;
    return std::move(*this);
  }

  /// Runs, and writes to arrays that are dealt as the arguments are.
  template <typename... Outputs>
    requires(std::same_as<Outputs, Sharded> && ...)
  void into(Outputs &...outputs) && {
    const std::array<kern_sharded *, sizeof...(Outputs)> places = {
        outputs.get()...};
    invoke(places.data(), nullptr, places.size());
  }
  /// Runs; one new array for each result.
  std::vector<Sharded> run() && {
    std::vector<kern_sharded *> made(kern_function_output_count(function),
                                     nullptr);
    invoke(nullptr, made.data(), made.size());
    return {made.begin(), made.end()};
  }
  /// Runs a function of one result.
  operator Sharded() && {
    kern_sharded *made = nullptr;
    invoke(nullptr, &made, 1);
    return Sharded(made);
  }

private:
  friend class Function;
  ShardedCall(kern_function *callee, std::shared_ptr<kern_module> owner,
              std::vector<ShardedArgument> given)
      : function(callee), module(std::move(owner)),
        arguments(std::move(given)) {
    options.call.size = sizeof options;
  }
  void invoke(kern_sharded *const *outputs, kern_sharded **results,
              size_t count) {
    detail::setMask(mask, options);
    std::vector<kern_sharded_value> inputs;
    for (const ShardedArgument &argument : arguments)
      inputs.push_back(argument.get());
    detail::check(kern_sharded_call(function, inputs.data(), inputs.size(),
                                    outputs, results, count, &options.call,
                                    reportPlace));
  }

  kern_function *function;
  std::shared_ptr<kern_module> module;
  std::vector<ShardedArgument> arguments;
  std::optional<ShardedArgument> mask;
  kern_call_request options = {};
  Report *reportPlace = nullptr;
};

/// A reduction of an array in parts that has not run yet; used as ShardedCall.
class [[nodiscard("a reduction runs when its result is used")]]
ShardedReduction {
public:
  ShardedReduction(const ShardedReduction &) = delete;
  ShardedReduction &operator=(const ShardedReduction &) = delete;

  /// The axes that are reduced; without, the first one.
  ShardedReduction &&axis(std::initializer_list<int64_t> several) && {
    axes = several;
    chosen = {axes.data(), axes.size()};
    options.axis = &chosen;
    return std::move(*this);
  }
  ShardedReduction &&axis(int64_t number) && {
    return std::move(*this).axis({number});
  }
  ShardedReduction &&allAxes() && {
    chosen = {};
    options.axis = &chosen;
    return std::move(*this);
  }
  /// Calls the loop whose results have this type.
  ShardedReduction &&dtype(kern_dtype type) && {
    options.has_dtype = 1;
    options.dtype = type;
    return std::move(*this);
  }
  /// Axes that are reduced stay, with extent 1.
  ShardedReduction &&keepdims() && {
    options.keepdims = 1;
    return std::move(*this);
  }
  /// Only elements where `given` is true count. It is dealt as the array is, or
  /// whole.
  ShardedReduction &&where(ShardedArgument given KERN_LIFETIME_BOUND) && {
    mask.emplace(std::move(given));
    return std::move(*this);
  }
  /// The number to begin with.
  template <typename Number>
  ShardedReduction &&initial(Number &&number KERN_LIFETIME_BOUND) && {
    if constexpr (detail::requireArgument<Number>())
      first.emplace(std::forward<Number>(number));
    return std::move(*this);
  }
  operator Sharded() && {
    detail::setMask(mask, options);
    const kern_value number = first ? first->get() : kern_value{};
    kern_sharded *made = nullptr;
    detail::check(kern_sharded_reduce(
        function, array, first ? &number : nullptr, &made, &options.call,
        /*report=*/nullptr));
    return Sharded(made);
  }

private:
  friend class Function;
  ShardedReduction(kern_function *callee, std::shared_ptr<kern_module> owner,
                   const Sharded &of)
      : function(callee), module(std::move(owner)), array(of.get()) {
    options.call.size = sizeof options;
  }

  kern_function *function;
  std::shared_ptr<kern_module> module;
  const kern_sharded *array;
  std::vector<int64_t> axes;
  kern_axes chosen = {};
  std::optional<ShardedArgument> mask;
  std::optional<Argument> first; ///< the number to begin with
  kern_call_request options = {};
};

namespace detail {
template <typename T>
inline constexpr bool isSharded = std::same_as<std::remove_cvref_t<T>, Sharded>;
/// Refuses, in one message, what cannot be an argument beside parts.
template <typename T> constexpr bool requireBesideParts() {
  if constexpr (isSharded<T>)
    return true;
  else
    return requireArgument<T>();
}
} // namespace detail

} // namespace api
} // namespace kern

#endif
