//===- calls.hpp - calls and what they take ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kern.hpp's functions take and give back: arguments, places for results,
// calls with their options, prepared calls. Included by kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_CALLS_HPP
#define KERN_CALLS_HPP

#include "kern/arrays.hpp"
#include "kern/options.h"

#include <array>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <optional>
#include <variant>

namespace kern {
inline namespace api {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// A number that has a type, where a plain C++ number would be weak.
template <Element T> struct Scalar {
  T value;
};
/// `kern::scalar<float>(x)`: an f32, as an element of an array would be.
template <Element T> Scalar<T> scalar(T value) { return {value}; }

class Call;

/// One argument of a call. Made implicitly of
/// - plain numbers, which are weak as a literal is: `2`, `0.5`, std::complex
///   (bool is not weak);
/// - kern::scalar<T>(x);
/// - vectors, std::arrays and spans, seen as one-dimensional host arrays;
///   kern::view() gives them a shape;
/// - kern::Array, kern::View, DLTensor;
/// - the call of another function, whose result does not leave its device.
class Argument {
public:
  template <typename T>
    requires std::same_as<T, bool>
  Argument(T flag) : Argument(Scalar<bool>{flag}) {}
  template <detail::Integer T> Argument(T number) {
    if (!std::in_range<int64_t>(number))
      throw Error(KERN_ERROR_TYPE, std::to_string(number) +
                                       " is too large for a weak integer; "
                                       "use kern::scalar<uint64_t>()");
    value.kind = KERN_VALUE_WEAK_INT;
    value.as.integer = int64_t(number);
  }
  template <detail::Real T> Argument(T number) {
    value.kind = KERN_VALUE_WEAK_FLOAT;
    value.as.real = double(number);
  }
  template <detail::Real T> Argument(std::complex<T> number) {
    value.kind = KERN_VALUE_WEAK_COMPLEX;
    value.as.complex_parts[0] = double(number.real());
    value.as.complex_parts[1] = double(number.imag());
  }
  template <Element T> Argument(Scalar<T> typed) {
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = dtypeOf<T>();
    std::memcpy(value.as.bits, &typed.value, sizeof typed.value);
  }
  template <detail::Contiguous R>
  Argument(const R &range) : place(detail::Row(range)) {}
  Argument(const Array &array) : place(array.get()) {}
  Argument(const View &view) : place(view) {}
  Argument(const DLTensor &tensor) : place(&tensor) {}
  inline Argument(Call &&call);

  /// Valid as long as this argument stays where it is.
  kern_value get() const {
    kern_value out = value;
    if (out.kind != KERN_VALUE_ARRAY)
      return out;
    if (const auto *row = std::get_if<detail::Row>(&place))
      out.as.array = row->get();
    else if (const auto *view = std::get_if<View>(&place))
      out.as.array = view->get();
    else if (const auto *owned = std::get_if<Array>(&place))
      out.as.array = owned->get();
    else
      out.as.array = std::get<const DLTensor *>(place);
    return out;
  }

private:
  kern_value value = {KERN_VALUE_ARRAY, KERN_F64, {nullptr}};
  std::variant<const DLTensor *, detail::Row, View, Array> place;
};

/// A place for a result. Made implicitly of what an array argument is made of,
/// if it can be written.
class Output {
public:
  template <detail::Contiguous R>
    requires(!std::is_const_v<
             std::remove_reference_t<std::ranges::range_reference_t<R>>>)
  Output(R &&range) : place(detail::Row(range)) {}
  Output(const Array &array) : place(array.get()) {}
  Output(const View &view) : place(view) {}
  Output(const DLTensor &tensor) : place(&tensor) {}

  const DLTensor *get() const {
    if (const auto *row = std::get_if<detail::Row>(&place))
      return row->get();
    const auto *view = std::get_if<View>(&place);
    return view ? view->get() : std::get<const DLTensor *>(place);
  }

private:
  std::variant<const DLTensor *, detail::Row, View> place;
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What a call did: kernel, form, device, launch.
using Report = kern_call_report;

/// A call whose types, shapes, strides, device and kernel are decided. Copies
/// share it; several threads may launch it at once.
class Prepared {
public:
  /// Takes over what kern_prepare() gave.
  explicit Prepared(kern_prepared *made)
      : handle(made, kern_prepared_release) {}
  /// Makes the call with other memory: addresses of arrays, on the device or
  /// the host as they were prepared, and addresses of numbers
  /// (kern_prepared_launch()).
  void launch(std::span<const void *const> inputs,
              std::span<void *const> outputs, void *stream = nullptr) const {
    detail::check(kern_prepared_launch(handle.get(), inputs.data(),
                                       outputs.data(), stream));
  }

private:
  std::shared_ptr<kern_prepared> handle;
};

/// A call that is about to run: as it becomes an Array, or through into(),
/// arrays() or run(). Use it in the expression that makes it.
///
///     kern::Array c = add(a, b);
///     add(a, b).on(kern::cpu()).into(c);
///     auto [q, r] = divmod(a, b).arrays<2>();
class [[nodiscard("a call runs when its result is used")]] Call {
public:
  Call(kern_function *callee, std::vector<Argument> operands)
      : function(callee), many(std::move(operands)), count(many.size()) {
    options.call.size = sizeof options;
  }
  /// Of arguments made of `operands`. A few take no memory.
  template <typename... Operands>
  Call(kern_function *callee, std::in_place_t, Operands &&...operands)
      : function(callee), count(sizeof...(Operands)) {
    options.call.size = sizeof options;
    if constexpr (sizeof...(Operands) <= few) {
      [[maybe_unused]] size_t i = 0;
      (here[i++].emplace(std::forward<Operands>(operands)), ...);
    } else {
      many.reserve(count);
      (many.emplace_back(std::forward<Operands>(operands)), ...);
    }
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// Where to run. Otherwise: where the arrays are; if all are on the host, on
  /// the default device.
  Call &&on(Device device) && {
    options.call.has_device = 1;
    options.call.device = device;
    return std::move(*this);
  }
  /// The CUDA stream (a CUstream or cudaStream_t). It must outlive the arrays
  /// that the call makes. Otherwise: the default stream.
  Call &&stream(void *stream) && {
    options.call.stream = stream;
    return std::move(*this);
  }
  /// Of a gufunc with one core dimension: the axis that it stands for.
  Call &&axis(int64_t axis) && { return std::move(*this).axis({axis}); }
  /// Several axes, whose elements are taken in C order.
  Call &&axis(std::initializer_list<int64_t> several) && {
    wanted().axis = list(several);
    return std::move(*this);
  }
  Call &&allAxes() && {
    wanted().axis = kern_axes{nullptr, 0};
    return std::move(*this);
  }
  /// Of a gufunc: the axes of each operand's core dimensions.
  Call &&axes(std::initializer_list<std::initializer_list<int64_t>> all) && {
    wanted().axes.emplace();
    for (std::initializer_list<int64_t> one : all)
      wanted().axes->push_back(list(one));
    return std::move(*this);
  }
  /// Core dimensions stay in the results with extent 1.
  Call &&keepdims() && {
    options.keepdims = 1;
    return std::move(*this);
  }
  /// How new results lie in memory.
  Call &&order(kern_order order) && {
    options.order = order;
    return std::move(*this);
  }
  Call &&casting(kern_casting rule) && {
    options.casting = rule;
    return std::move(*this);
  }
  /// The loop whose results are of this type.
  Call &&dtype(kern_dtype type) && {
    options.has_dtype = 1;
    options.dtype = type;
    return std::move(*this);
  }
  /// The loop of these types, one for each input and result; KERN_ANY_DTYPE
  /// where any will do.
  Call &&signature(std::initializer_list<int> types) && {
    wanted().signature.emplace(types);
    return std::move(*this);
  }
  /// Of a ufunc: results are written only where `mask` is true; new ones are 0
  /// elsewhere.
  Call &&where(Argument mask) && {
    wanted().where.emplace(std::move(mask));
    return std::move(*this);
  }
  /// Where to write what the call did.
  Call &&report(Report &place) && {
    place.size = sizeof place;
    reportPlace = &place;
    return std::move(*this);
  }

  /// Runs and writes to arrays of exactly the results' shapes; elements
  /// convert as by NumPy's `same_kind`.
  template <typename... Outputs> void into(Outputs &&...outputs) && {
    std::array<Output, sizeof...(Outputs)> places = {
        Output(std::forward<Outputs>(outputs))...};
    auto tensors = tensorsOf(places);
    invoke(tensors.data(), nullptr, tensors.size());
  }
  /// Plans the call for arrays of these types, shapes, strides and places, and
  /// does not make it (kern_prepare()).
  template <typename... Outputs> Prepared prepare(Outputs &&...outputs) && {
    std::array<Output, sizeof...(Outputs)> places = {
        Output(std::forward<Outputs>(outputs))...};
    auto tensors = tensorsOf(places);
    Values inputs = values();
    kern_prepared *made = nullptr;
    detail::check(kern_prepare(function, inputs.data(), count, tensors.data(),
                               tensors.size(), finishOptions(), &made));
    return Prepared(made);
  }
  /// Runs; one new array for each result.
  std::vector<Array> run() && {
    std::vector<Array> arrays(kern_function_output_count(function));
    std::vector<DLManagedTensor *> made(arrays.size(), nullptr);
    invoke(nullptr, made.data(), made.size());
    for (size_t i = 0; i < made.size(); ++i)
      arrays[i] = Array(made[i]);
    return arrays;
  }
  /// The same for a number of results that is known:
  /// `auto [q, r] = divmod(a, b).arrays<2>();`
  template <size_t N> std::array<Array, N> arrays() && {
    expectResults(N);
    std::array<DLManagedTensor *, N> made = {};
    invoke(nullptr, made.data(), N);
    std::array<Array, N> out;
    for (size_t i = 0; i < N; ++i)
      out[i] = Array(made[i]);
    return out;
  }
  /// Runs a function of one result.
  operator Array() && {
    expectResults(1);
    DLManagedTensor *made = nullptr;
    invoke(nullptr, &made, 1);
    return Array(made);
  }
  /// The one result, where a conversion would not be asked for.
  Array array() && { return std::move(*this); }
  /// The value of a result of one element.
  template <Element T> T item() && {
    return Array(std::move(*this)).template item<T>();
  }

private:
  /// Arguments that a call holds in itself.
  static constexpr size_t few = 8;

  /// What `options` points at.
  struct Wanted {
    std::deque<std::vector<int64_t>> lists;
    std::optional<kern_axes> axis;
    std::optional<std::vector<kern_axes>> axes;
    std::optional<std::vector<int>> signature;
    std::optional<Argument> where;
  };
  Wanted &wanted() {
    if (!wishes)
      wishes = std::make_unique<Wanted>();
    return *wishes;
  }
  kern_axes list(std::initializer_list<int64_t> axes) {
    std::vector<int64_t> &kept = wanted().lists.emplace_back(axes);
    kept.reserve(1); // a list of none is not NULL
    return {kept.data(), kept.size()};
  }
  const kern_call_options *finishOptions() {
    if (!wishes)
      return &options.call;
    options.axis = wishes->axis ? &*wishes->axis : nullptr;
    options.axes = wishes->axes ? wishes->axes->data() : nullptr;
    options.axes_count = wishes->axes ? wishes->axes->size() : 0;
    options.signature = wishes->signature ? wishes->signature->data() : nullptr;
    if (wishes->where) {
      kern_value mask = wishes->where->get();
      if (mask.kind != KERN_VALUE_ARRAY)
        throw Error(KERN_ERROR_ARGUMENT, "`where` takes an array of bool");
      options.where = mask.as.array;
    }
    return &options.call;
  }

  void expectResults(size_t expected) const {
    size_t count = kern_function_output_count(function);
    if (count != expected)
      throw Error(KERN_ERROR_ARGUMENT,
                  "`" + std::string(kern_function_name(function)) + "` has " +
                      std::to_string(count) + " results, not " +
                      std::to_string(expected));
  }
  /// The arguments as the C interface takes them.
  struct Values {
    std::array<kern_value, few> here;
    std::vector<kern_value> many;
    const kern_value *data() const {
      return many.empty() ? here.data() : many.data();
    }
  };
  Values values() const {
    Values all;
    for (size_t i = 0; many.empty() && i < count; ++i)
      all.here[i] = here[i]->get();
    all.many.reserve(many.size());
    for (const Argument &argument : many)
      all.many.push_back(argument.get());
    return all;
  }
  template <size_t N>
  static std::array<const DLTensor *, N>
  tensorsOf(const std::array<Output, N> &places) {
    std::array<const DLTensor *, N> tensors;
    for (size_t i = 0; i < N; ++i)
      tensors[i] = places[i].get();
    return tensors;
  }
  void invoke(const DLTensor *const *outputs, DLManagedTensor **results,
              size_t resultCount) {
    Values inputs = values();
    detail::check(kern_call(function, inputs.data(), count, outputs, results,
                            resultCount, finishOptions(), reportPlace));
  }

  kern_function *function;
  std::array<std::optional<Argument>, few> here;
  std::vector<Argument> many; ///< all of them, instead
  size_t count;
  kern_call_request options = {};
  std::unique_ptr<Wanted> wishes; ///< none for most calls
  Report *reportPlace = nullptr;
};

inline Argument::Argument(Call &&call) : place(Array(std::move(call))) {}

} // namespace api
} // namespace kern

#endif
