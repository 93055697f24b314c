//===- kern.hpp - the C++ interface of Kern ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header over kern.h: nothing here needs more than the C interface.
//
//     kern::Module module = kern::Module::compileFile("gaussian.kern");
//     kern::Function pdf = module.function("gaussian_pdf");
//     std::vector<float> x = {-1, 0, 1};
//     kern::Array density = pdf(x, 0, 1);
//     for (float value : density.span<float>()) …
//
// Every failure is a kern::Error, whose text is what a person needs to know;
// of a refused source, the rendered diagnostics.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_KERN_HPP
#define KERN_KERN_HPP

#include "kern/compile.h"
#include "kern/kern.h"

#include <array>
#include <complex>
#include <concepts>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kern {
// A namespace of its own keeps these names apart from the library's.
inline namespace api {

//===----------------------------------------------------------------------===//
// Errors, devices, element types
//===----------------------------------------------------------------------===//

/// What any function here throws.
class Error : public std::runtime_error {
public:
  Error(kern_status status, const std::string &message)
      : std::runtime_error(message), code(status) {}
  /// What kind of failure it is.
  kern_status status() const noexcept { return code; }

private:
  kern_status code;
};

namespace detail {
inline void check(kern_status status) {
  if (status != KERN_OK)
    throw Error(status, kern_last_error());
}
} // namespace detail

using Device = kern_device;

inline Device cpu() { return {kDLCPU, 0}; }
inline Device cuda(int index = 0) { return {kDLCUDA, index}; }
/// The first GPU, or the CPU where there is none.
inline Device defaultDevice() { return kern_default_device(); }
/// The GPUs and then the CPU.
inline std::vector<Device> devices() {
  std::vector<Device> all;
  for (int i = 0; i < kern_cuda_device_count(); ++i)
    all.push_back(cuda(i));
  all.push_back(cpu());
  return all;
}
inline kern_device_info describe(Device device) {
  kern_device_info info = {};
  detail::check(kern_device_describe(device, &info));
  return info;
}
/// Waits until all work on `device` is done. Throws what went wrong in calls
/// that had already returned.
inline void synchronize(Device device) {
  detail::check(kern_synchronize(device));
}

/// IEEE half precision as its bits; C++20 has no such type of its own.
struct half {
  uint16_t bits;
};
/// bfloat16 as its bits.
struct bfloat16 {
  uint16_t bits;
};

namespace detail {
template <typename T> inline constexpr bool isComplexFloat = false;
template <> inline constexpr bool isComplexFloat<std::complex<float>> = true;
template <> inline constexpr bool isComplexFloat<std::complex<double>> = true;

template <typename T>
concept Integer = std::integral<T> && sizeof(T) <= 8 &&
                  !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;
template <typename T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;
} // namespace detail

/// The C++ types that are element types: bool, the integers, float, double,
/// std::complex of these, kern::half and kern::bfloat16.
template <typename T>
concept Element = std::same_as<T, bool> || detail::Integer<T> ||
                  detail::Real<T> || detail::isComplexFloat<T> ||
                  std::same_as<T, half> || std::same_as<T, bfloat16>;

/// Kern's name for a C++ type.
template <Element T> constexpr kern_dtype dtypeOf() {
  if constexpr (std::same_as<T, bool>)
    return KERN_BOOL;
  else if constexpr (std::same_as<T, half>)
    return KERN_F16;
  else if constexpr (std::same_as<T, bfloat16>)
    return KERN_BF16;
  else if constexpr (detail::Real<T>)
    return sizeof(T) == 4 ? KERN_F32 : KERN_F64;
  else if constexpr (detail::isComplexFloat<T>)
    return sizeof(T) == 8 ? KERN_C64 : KERN_C128;
  else {
    // kern_dtype counts i8 u8 i16 u16 i32 u32 i64 u64.
    int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return kern_dtype(KERN_I8 + 2 * log + (std::is_unsigned_v<T> ? 1 : 0));
  }
}

using Shape = std::vector<int64_t>;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// An array in memory that belongs to someone else: an argument or a place
/// for a result. The memory must live until the call is done.
class View {
public:
  /// `strides` counts elements; empty means C-contiguous.
  View(void *data, kern_dtype dtype, Shape shape, Shape strides = {},
       Device device = cpu())
      : extents(std::move(shape)), steps(std::move(strides)) {
    tensor.data = data;
    tensor.device = device;
    tensor.dtype = kern_dtype_to_dl(dtype);
    if (!steps.empty() && steps.size() != extents.size())
      throw Error(KERN_ERROR_ARGUMENT,
                  "a view has not as many strides as dimensions");
  }
  /// Any DLPack tensor; shape and strides are copied.
  explicit View(const DLTensor &other)
      : tensor(other), extents(other.shape, other.shape + other.ndim) {
    if (other.strides)
      steps.assign(other.strides, other.strides + other.ndim);
  }

  /// Valid as long as this view stays where it is.
  const DLTensor *get() const {
    tensor.ndim = int(extents.size());
    tensor.shape = const_cast<int64_t *>(extents.data());
    tensor.strides =
        steps.empty() ? nullptr : const_cast<int64_t *>(steps.data());
    return &tensor;
  }
  const Shape &shape() const { return extents; }

private:
  mutable DLTensor tensor = {};
  Shape extents, steps;
};

namespace detail {
/// Memory that a span can be made of: vectors, arrays, spans; not
/// std::vector<bool>, which has none.
template <typename R>
concept Contiguous =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    Element<std::remove_cv_t<std::ranges::range_value_t<R>>>;

template <Contiguous R> View viewOfRange(R &&range) {
  using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
  return View(const_cast<T *>(std::ranges::data(range)), dtypeOf<T>(),
              {int64_t(std::ranges::size(range))});
}
} // namespace detail

/// Host memory as an array of `shape`, in C order. Its size must match.
template <detail::Contiguous R> View view(R &&range, Shape shape) {
  using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (count != int64_t(std::ranges::size(range)))
    throw Error(KERN_ERROR_SHAPE, "a view's shape has " +
                                      std::to_string(count) +
                                      " elements, its memory " +
                                      std::to_string(std::ranges::size(range)));
  return View(const_cast<T *>(std::ranges::data(range)), dtypeOf<T>(),
              std::move(shape));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// An array that owns its memory, on the host or a GPU. Moves, does not copy;
/// copy() and to() make another.
class Array {
public:
  /// No array at all.
  Array() = default;
  /// Takes over a DLPack tensor, which is released with the array.
  explicit Array(DLManagedTensor *managed) : tensor(managed) {}
  /// A copy of C++ data: `kern::Array a(std::vector<float>{1, 2, 3});`
  template <detail::Contiguous R>
  explicit Array(const R &data, Device device = cpu())
      : Array(copyOf(detail::viewOfRange(data), device)) {}
  /// The same with a shape, in C order.
  template <detail::Contiguous R>
  Array(const R &data, Shape shape, Device device = cpu())
      : Array(copyOf(view(data, std::move(shape)), device)) {}

  /// A C-contiguous array with undefined contents.
  static Array empty(kern_dtype dtype, const Shape &shape,
                     Device device = cpu()) {
    DLManagedTensor *made = nullptr;
    detail::check(
        kern_array_new(dtype, int(shape.size()), shape.data(), device, &made));
    return Array(made);
  }
  template <Element T>
  static Array empty(const Shape &shape, Device device = cpu()) {
    return empty(dtypeOf<T>(), shape, device);
  }
  /// A `.npy` file, on the host.
  static Array read(const std::string &path) {
    DLManagedTensor *made = nullptr;
    detail::check(kern_npy_read(path.c_str(), &made));
    return Array(made);
  }
  void write(const std::string &path) const {
    detail::check(kern_npy_write(path.c_str(), get()));
  }

  explicit operator bool() const { return tensor != nullptr; }
  /// NULL if there is no array.
  const DLTensor *get() const { return tensor ? &tensor->dl_tensor : nullptr; }
  /// Gives the tensor up; the caller releases it.
  DLManagedTensor *release() { return tensor.release(); }

  Device device() const { return dl().device; }
  bool onHost() const {
    return dl().device.device_type == kDLCPU ||
           dl().device.device_type == kDLCUDAHost;
  }
  kern_dtype dtype() const {
    kern_dtype type = KERN_F64;
    detail::check(kern_dtype_from_dl(dl().dtype, &type));
    return type;
  }
  size_t rank() const { return size_t(dl().ndim); }
  std::span<const int64_t> shape() const { return {dl().shape, rank()}; }
  /// The extent of one dimension.
  int64_t shape(size_t dimension) const { return shape()[dimension]; }
  /// In elements; C-contiguous ones if the tensor has none.
  Shape strides() const {
    Shape out(rank());
    int64_t stride = 1;
    for (size_t i = rank(); i-- > 0;) {
      out[i] = dl().strides ? dl().strides[i] : stride;
      stride *= dl().shape[i];
    }
    return out;
  }
  /// The number of elements.
  int64_t size() const {
    int64_t count = 1;
    for (int64_t extent : shape())
      count *= extent;
    return count;
  }
  bool isContiguous() const {
    int64_t expected = 1;
    Shape steps = strides();
    for (size_t i = rank(); i-- > 0;) {
      if (shape()[i] != 1 && steps[i] != expected)
        return size() == 0;
      expected *= shape()[i];
    }
    return true;
  }

  /// The first element, of which `T` must be the type; on the GPU a device
  /// pointer.
  template <Element T> T *data() const {
    if (dtype() != dtypeOf<T>())
      throw Error(KERN_ERROR_TYPE,
                  "the array's elements are not of the type asked for");
    return reinterpret_cast<T *>(static_cast<char *>(dl().data) +
                                 dl().byte_offset);
  }
  /// All elements of a host array in C order. An array in another order (the
  /// result of a call on such arrays) needs copy() first.
  template <Element T> std::span<T> span() const {
    if (!onHost())
      throw Error(KERN_ERROR_ARGUMENT,
                  "the array is on a GPU; bring it to the host with to(cpu())");
    if (!isContiguous())
      throw Error(KERN_ERROR_ARGUMENT,
                  "the array is not in C order; copy() makes one that is");
    return {data<T>(), size_t(size())};
  }
  /// The value of an array of one element, wherever it is.
  template <Element T> T item() const {
    if (size() != 1)
      throw Error(KERN_ERROR_ARGUMENT, "the array has " +
                                           std::to_string(size()) +
                                           " elements, not one");
    return onHost() ? *data<T>() : *to(cpu()).data<T>();
  }

  /// A C-contiguous copy on `device`.
  Array to(Device device) const { return copyOf(dl(), device); }
  /// A C-contiguous copy on the same device.
  Array copy() const { return to(device()); }
  /// Copies `source`, of the same shape and type, into this array.
  void assign(const Array &source) {
    detail::check(kern_array_assign(get(), source.get()));
  }

private:
  struct Release {
    void operator()(DLManagedTensor *managed) const {
      if (managed->deleter)
        managed->deleter(managed);
    }
  };
  const DLTensor &dl() const {
    if (!tensor)
      throw Error(KERN_ERROR_ARGUMENT, "there is no array");
    return tensor->dl_tensor;
  }
  static Array copyOf(const View &source, Device device) {
    return copyOf(*source.get(), device);
  }
  static Array copyOf(const DLTensor &source, Device device) {
    DLManagedTensor *made = nullptr;
    detail::check(kern_array_copy(&source, device, &made));
    return Array(made);
  }

  std::unique_ptr<DLManagedTensor, Release> tensor;
};

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
  Argument(const R &range) : place(detail::viewOfRange(range)) {}
  Argument(const Array &array) : place(array.get()) {}
  Argument(const View &view) : place(view) {}
  Argument(const DLTensor &tensor) : place(&tensor) {}
  inline Argument(Call &&call);

  /// Valid as long as this argument stays where it is.
  kern_value get() const {
    kern_value out = value;
    if (out.kind != KERN_VALUE_ARRAY)
      return out;
    if (const auto *view = std::get_if<View>(&place))
      out.as.array = view->get();
    else if (const auto *owned = std::get_if<Array>(&place))
      out.as.array = owned->get();
    else
      out.as.array = std::get<const DLTensor *>(place);
    return out;
  }

private:
  kern_value value = {KERN_VALUE_ARRAY, KERN_F64, {nullptr}};
  std::variant<const DLTensor *, View, Array> place;
};

/// A place for a result. Made implicitly of what an array argument is made of,
/// if it can be written.
class Output {
public:
  template <detail::Contiguous R>
    requires(!std::is_const_v<
             std::remove_reference_t<std::ranges::range_reference_t<R>>>)
  Output(R &&range) : place(detail::viewOfRange(range)) {}
  Output(const Array &array) : place(array.get()) {}
  Output(const View &view) : place(view) {}
  Output(const DLTensor &tensor) : place(&tensor) {}

  const DLTensor *get() const {
    const auto *view = std::get_if<View>(&place);
    return view ? view->get() : std::get<const DLTensor *>(place);
  }

private:
  std::variant<const DLTensor *, View> place;
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What a call did: kernel, form, device, launch.
using Report = kern_call_report;

/// A call that is about to run: as it becomes an Array, or through into(),
/// arrays() or run(). Use it in the expression that makes it.
///
///     kern::Array c = add(a, b);
///     add(a, b).on(kern::cpu()).into(c);
///     auto [q, r] = divmod(a, b).arrays<2>();
class [[nodiscard("a call runs when its result is used")]] Call {
public:
  Call(kern_function *callee, std::vector<Argument> operands)
      : function(callee), arguments(std::move(operands)) {
    options.size = sizeof options;
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// Where to run. Otherwise: where the arrays are; if all are on the host, on
  /// the default device.
  Call &&on(Device device) && {
    options.has_device = 1;
    options.device = device;
    return std::move(*this);
  }
  /// The CUDA stream (a CUstream or cudaStream_t). It must outlive the arrays
  /// that the call makes. Otherwise: the default stream.
  Call &&stream(void *stream) && {
    options.stream = stream;
    return std::move(*this);
  }
  /// Where to write what the call did.
  Call &&report(Report &place) && {
    reportPlace = &place;
    return std::move(*this);
  }

  /// Runs and writes to arrays of exactly the results' shapes; elements
  /// convert as by NumPy's `same_kind`.
  template <typename... Outputs> void into(Outputs &&...outputs) && {
    std::array<Output, sizeof...(Outputs)> places = {
        Output(std::forward<Outputs>(outputs))...};
    std::vector<const DLTensor *> tensors;
    for (const Output &place : places)
      tensors.push_back(place.get());
    invoke(tensors.data(), nullptr, tensors.size());
  }
  /// Runs; one new array for each result.
  std::vector<Array> run() && {
    size_t count = kern_function_output_count(function);
    std::vector<DLManagedTensor *> made(count, nullptr);
    std::vector<Array> arrays(count);
    invoke(nullptr, made.data(), count);
    for (size_t i = 0; i < count; ++i)
      arrays[i] = Array(made[i]);
    return arrays;
  }
  /// The same for a number of results that is known:
  /// `auto [q, r] = divmod(a, b).arrays<2>();`
  template <size_t N> std::array<Array, N> arrays() && {
    expectResults(N);
    std::vector<Array> all = std::move(*this).run();
    std::array<Array, N> out;
    std::move(all.begin(), all.end(), out.begin());
    return out;
  }
  /// Runs a function of one result.
  operator Array() && {
    expectResults(1);
    return std::move(std::move(*this).run().front());
  }
  /// The one result, where a conversion would not be asked for.
  Array array() && { return std::move(*this); }
  /// The value of a result of one element.
  template <Element T> T item() && {
    return Array(std::move(*this)).template item<T>();
  }

private:
  void expectResults(size_t wanted) const {
    size_t count = kern_function_output_count(function);
    if (count != wanted)
      throw Error(KERN_ERROR_ARGUMENT,
                  "`" + std::string(kern_function_name(function)) + "` has " +
                      std::to_string(count) + " results, not " +
                      std::to_string(wanted));
  }
  void invoke(const DLTensor *const *outputs, DLManagedTensor **results,
              size_t count) {
    std::vector<kern_value> values;
    values.reserve(arguments.size());
    for (const Argument &argument : arguments)
      values.push_back(argument.get());
    detail::check(kern_call(function, values.data(), values.size(), outputs,
                            results, count, &options, reportPlace));
  }

  kern_function *function;
  std::vector<Argument> arguments;
  kern_call_options options = {};
  Report *reportPlace = nullptr;
};

inline Argument::Argument(Call &&call) : place(Array(std::move(call))) {}

//===----------------------------------------------------------------------===//
// Functions and modules
//===----------------------------------------------------------------------===//

/// A ufunc or gufunc. Keeps its module alive.
class Function {
public:
  std::string_view name() const { return kern_function_name(function); }
  /// NumPy's form: "(m,k),(k,n)->(m,n)".
  std::string_view signature() const {
    return kern_function_signature(function);
  }
  size_t inputCount() const { return kern_function_input_count(function); }
  size_t outputCount() const { return kern_function_output_count(function); }

  /// Calls with NumPy's rules for types and shapes.
  template <typename... Arguments>
    requires(std::constructible_from<Argument, Arguments &&> && ...)
  Call operator()(Arguments &&...arguments) const {
    std::vector<Argument> all;
    all.reserve(sizeof...(Arguments));
    (all.emplace_back(std::forward<Arguments>(arguments)), ...);
    return Call(function, std::move(all));
  }
  /// The same for a number of arguments that is not known before.
  Call call(std::vector<Argument> arguments) const {
    return Call(function, std::move(arguments));
  }

private:
  friend class Module;
  Function(std::shared_ptr<kern_module> owner, kern_function *handle)
      : module(std::move(owner)), function(handle) {}
  std::shared_ptr<kern_module> module;
  kern_function *function;
};

/// Compiled or loaded code. Copies share it.
class Module {
public:
  /// Compiles source text; `fileName` is for messages. Needs the library
  /// `kern`, not `kern_runtime`.
  static Module compile(std::string_view source,
                        const std::string &fileName = "<source>",
                        kern_fp_mode mode = KERN_FP_DEFAULT) {
    const kern_compile_options options{sizeof options, mode};
    kern_module *made = nullptr;
    detail::check(kern_compile_source_with(source.data(), source.size(),
                                           fileName.c_str(), &options, &made));
    return Module(made);
  }
  /// Compiles a `.kern` file. Needs the library `kern`.
  static Module compileFile(const std::string &path,
                            kern_fp_mode mode = KERN_FP_DEFAULT) {
    const kern_compile_options options{sizeof options, mode};
    kern_module *made = nullptr;
    detail::check(kern_compile_file_with(path.c_str(), &options, &made));
    return Module(made);
  }
  /// Loads a compiled `.ptx` file; no compiler is needed.
  static Module loadFile(const std::string &path) {
    kern_module *made = nullptr;
    detail::check(kern_load_file(path.c_str(), &made));
    return Module(made);
  }
  /// The same of a text in memory.
  static Module loadText(std::string_view ptx) {
    kern_module *made = nullptr;
    detail::check(kern_load_text(ptx.data(), ptx.size(), &made));
    return Module(made);
  }

  /// Throws with the nearest name if there is none of this name.
  Function function(const std::string &name) const {
    kern_function *found = nullptr;
    detail::check(kern_module_find(module.get(), name.c_str(), &found));
    return Function(module, found);
  }
  Function operator[](const std::string &name) const { return function(name); }
  /// All functions, in the source's order.
  std::vector<Function> functions() const {
    std::vector<Function> all;
    for (size_t i = 0; i < kern_module_function_count(module.get()); ++i)
      all.push_back(Function(module, kern_module_function_at(module.get(), i)));
    return all;
  }
  /// Functions, signatures, loops and kernels as JSON.
  std::string_view manifest() const {
    return kern_module_manifest(module.get());
  }

private:
  explicit Module(kern_module *made) : module(made, kern_module_release) {}
  std::shared_ptr<kern_module> module;
};

} // namespace api
} // namespace kern

#endif
