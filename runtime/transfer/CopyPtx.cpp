//===- CopyPtx.cpp - PTX of strided copies --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/CopyPtx.h"

#include <vector>

using namespace kern::runtime;

namespace {
/// The types of values between load and store.
enum class Carrier { S32, U32, S64, U64, F32, F64 };

Carrier carrierOf(DType t) {
  switch (t) {
  case DType::Bool:
  case DType::U8:
  case DType::U16:
  case DType::U32:
    return Carrier::U32;
  case DType::I8:
  case DType::I16:
  case DType::I32:
    return Carrier::S32;
  case DType::I64:
    return Carrier::S64;
  case DType::U64:
    return Carrier::U64;
  case DType::F16:
  case DType::BF16:
  case DType::F32:
  case DType::C64:
    return Carrier::F32;
  case DType::F64:
  case DType::C128:
    return Carrier::F64;
  }
  return Carrier::U32;
}

std::string ptxName(Carrier c) {
  static constexpr const char *names[] = {"s32", "u32", "s64",
                                          "u64", "f32", "f64"};
  return names[unsigned(c)];
}
bool isFloating(Carrier c) { return c == Carrier::F32 || c == Carrier::F64; }
bool isLong(Carrier c) { return c == Carrier::S64 || c == Carrier::U64; }

/// The real type of a complex type's parts.
DType partOf(DType t) {
  return t == DType::C64 ? DType::F32 : t == DType::C128 ? DType::F64 : t;
}

enum class Register : uint8_t { B16, B32, B64, F32, F64, Predicate };
struct RegisterWords {
  std::string_view letter, type;
};
/// By Register.
constexpr RegisterWords registerWords[] = {{"h", ".b16"},  {"r", ".b32"},
                                           {"rd", ".b64"}, {"f", ".f32"},
                                           {"d", ".f64"},  {"p", ".pred"}};

class Writer {
public:
  std::string text;

  void line(const std::string &instruction) {
    text += "\t" + instruction + ";\n";
  }
  /// A new register for a value.
  std::string fresh(Register kind) {
    const RegisterWords &words = registerWords[size_t(kind)];
    std::string name = "%" + std::string(words.letter) + "v";
    name += std::to_string(next++);
    declarations += "\t.reg " + std::string(words.type) + " " + name + ";\n";
    return name;
  }
  std::string fresh(Carrier c) {
    return fresh(c == Carrier::F32   ? Register::F32
                 : c == Carrier::F64 ? Register::F64
                 : isLong(c)         ? Register::B64
                                     : Register::B32);
  }
  std::string declarations;

private:
  unsigned next = 0;
};

/// Loads a real element into a register of its carrier.
std::string load(Writer &w, DType t, const std::string &address, int offset) {
  std::string at = "[" + address + "+" + std::to_string(offset) + "]";
  std::string value = w.fresh(carrierOf(t));
  switch (t) {
  case DType::Bool: {
    w.line("ld.global.u8 " + value + ", " + at);
    w.line("min.u32 " + value + ", " + value + ", 1");
    break;
  }
  case DType::F16: {
    std::string half = w.fresh(Register::B16);
    w.line("ld.global.b16 " + half + ", " + at);
    w.line("cvt.f32.f16 " + value + ", " + half);
    break;
  }
  case DType::BF16: {
    std::string bits = w.fresh(Register::B32);
    w.line("ld.global.u16 " + bits + ", " + at);
    w.line("shl.b32 " + bits + ", " + bits + ", 16");
    w.line("mov.b32 " + value + ", " + bits);
    break;
  }
  default: {
    char kind = isFloat(t) ? 'f' : isSigned(t) ? 's' : 'u';
    w.line("ld.global." + std::string(1, kind) +
           std::to_string(itemSize(t) * 8) + " " + value + ", " + at);
  }
  }
  return value;
}

/// A float as f32, rounded to odd from f64, so that it can be rounded again.
std::string narrowedToOdd(Writer &w, const std::string &value) {
  std::string out = w.fresh(Register::F32), back = w.fresh(Register::F64),
              bits = w.fresh(Register::B32), odd = w.fresh(Register::B32),
              inexact = w.fresh(Register::Predicate);
  w.line("cvt.rz.f32.f64 " + out + ", " + value);
  w.line("cvt.f64.f32 " + back + ", " + out);
  w.line("setp.ne.f64 " + inexact + ", " + back + ", " + value);
  w.line("mov.b32 " + bits + ", " + out);
  w.line("or.b32 " + odd + ", " + bits + ", 1");
  w.line("selp.b32 " + bits + ", " + odd + ", " + bits + ", " + inexact);
  w.line("mov.b32 " + out + ", " + bits);
  return out;
}

std::string toCarrier(Writer &w, const std::string &value, Carrier from,
                      Carrier to) {
  if (from == to)
    return value;
  std::string out = w.fresh(to);
  bool rounds = isFloating(to) && !(from == Carrier::F32);
  w.line("cvt." + std::string(rounds ? "rn." : "") + ptxName(to) + "." +
         ptxName(from) + " " + out + ", " + value);
  return out;
}

/// Truncates and saturates; NaN becomes 0.
std::string floatToInteger(Writer &w, const std::string &value, Carrier from,
                           DType to) {
  Carrier carrier = carrierOf(to);
  bool isNarrow = itemSize(to) < 4;
  if (isNarrow)
    carrier = Carrier::S32; // clamped below
  std::string out = w.fresh(carrier), isNan = w.fresh(Register::Predicate);
  std::string width = isLong(carrier) ? "64" : "32";
  w.line("cvt.rzi." + ptxName(carrier) + "." + ptxName(from) + " " + out +
         ", " + value);
  w.line("setp.nan." + ptxName(from) + " " + isNan + ", " + value + ", " +
         value);
  w.line("selp.b" + width + " " + out + ", 0, " + out + ", " + isNan);
  if (isNarrow) {
    int bits = int(itemSize(to)) * 8;
    int low = isSigned(to) ? -(1 << (bits - 1)) : 0;
    int high = isSigned(to) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    w.line("max.s32 " + out + ", " + out + ", " + std::to_string(low));
    w.line("min.s32 " + out + ", " + out + ", " + std::to_string(high));
  }
  return out;
}

/// f32 to the bits of bf16, rounded to nearest even, in a 32-bit register.
/// sm_75 has no instruction for it.
std::string bfloatBits(Writer &w, const std::string &value) {
  std::string bits = w.fresh(Register::B32), high = w.fresh(Register::B32),
              quiet = w.fresh(Register::B32),
              isNan = w.fresh(Register::Predicate);
  w.line("mov.b32 " + bits + ", " + value);
  w.line("shr.u32 " + high + ", " + bits + ", 16");
  w.line("or.b32 " + quiet + ", " + high + ", 64");
  w.line("and.b32 " + high + ", " + high + ", 1");
  w.line("add.u32 " + high + ", " + high + ", 32767");
  w.line("add.u32 " + high + ", " + high + ", " + bits);
  w.line("shr.u32 " + high + ", " + high + ", 16");
  w.line("setp.nan.f32 " + isNan + ", " + value + ", " + value);
  w.line("selp.b32 " + high + ", " + quiet + ", " + high + ", " + isNan);
  return high;
}

/// Converts a real value and stores it.
void convertAndStore(Writer &w, const std::string &value, Carrier from,
                     DType to, const std::string &address, int offset) {
  std::string at = "[" + address + "+" + std::to_string(offset) + "]";
  auto store = [&](const std::string &type, const std::string &stored) {
    w.line("st.global." + type + " " + at + ", " + stored);
  };
  if (to == DType::Bool) {
    std::string truth = w.fresh(Register::Predicate),
                out = w.fresh(Register::B32);
    std::string zero = from == Carrier::F32   ? "0f00000000"
                       : from == Carrier::F64 ? "0d0000000000000000"
                                              : "0";
    w.line(std::string("setp.") + (isFloating(from) ? "neu." : "ne.") +
           ptxName(from) + " " + truth + ", " + value + ", " + zero);
    w.line("selp.u32 " + out + ", 1, 0, " + truth);
    return store("u8", out);
  }
  if (isInteger(to)) {
    std::string out = value;
    if (isFloating(from))
      out = floatToInteger(w, value, from, to);
    else if (isLong(from) != (itemSize(to) == 8))
      out = toCarrier(w, value, from, carrierOf(to));
    return store("b" + std::to_string(itemSize(to) * 8), out);
  }
  if (to == DType::F16) {
    std::string half = w.fresh(Register::B16);
    if (from != Carrier::F64) {
      std::string single = toCarrier(w, value, from, Carrier::F32);
      w.line("cvt.rn.f16.f32 " + half + ", " + single);
    } else {
      w.line("cvt.rn.f16.f64 " + half + ", " + value);
    }
    return store("b16", half);
  }
  if (to == DType::BF16) {
    std::string single = from == Carrier::F64
                             ? narrowedToOdd(w, value)
                             : toCarrier(w, value, from, Carrier::F32);
    return store("b16", bfloatBits(w, single));
  }
  Carrier carrier = carrierOf(to);
  store(ptxName(carrier), toCarrier(w, value, from, carrier));
}

void copySameBits(Writer &w, size_t size, const std::string &source,
                  const std::string &destination) {
  if (size == 16) {
    std::string low = w.fresh(Register::B64), high = w.fresh(Register::B64);
    w.line("ld.global.b64 " + low + ", [" + source + "]");
    w.line("ld.global.b64 " + high + ", [" + source + "+8]");
    w.line("st.global.b64 [" + destination + "], " + low);
    w.line("st.global.b64 [" + destination + "+8], " + high);
    return;
  }
  std::string value = w.fresh(size == 8 ? Register::B64 : Register::B32);
  std::string type = size < 4 ? "u" : "b";
  type += std::to_string(size * 8);
  w.line("ld.global." + type + " " + value + ", [" + source + "]");
  w.line("st.global." + type + " [" + destination + "], " + value);
}

void convertElement(Writer &w, DType from, DType to, const std::string &source,
                    const std::string &destination) {
  if (from == to)
    return copySameBits(w, itemSize(from), source, destination);
  DType fromPart = partOf(from), toPart = partOf(to);
  Carrier carrier = carrierOf(fromPart);
  int fromSize = int(itemSize(fromPart)), toSize = int(itemSize(toPart));
  std::string real = load(w, fromPart, source, 0);
  convertAndStore(w, real, carrier, toPart, destination, 0);
  if (!isComplex(to))
    return;
  if (isComplex(from)) {
    std::string imaginary = load(w, fromPart, source, fromSize);
    convertAndStore(w, imaginary, carrier, toPart, destination, toSize);
  } else {
    std::string zero = w.fresh(carrierOf(toPart));
    bool isSingle = carrierOf(toPart) == Carrier::F32;
    w.line(std::string("mov.") + (isSingle ? "f32 " : "f64 ") + zero + ", " +
           (isSingle ? "0f00000000" : "0d0000000000000000"));
    convertAndStore(w, zero, carrierOf(toPart), toPart, destination, toSize);
  }
}
} // namespace

std::string kern::runtime::copySymbol(const CopyKind &kind) {
  return "kern_copy_" + std::string(name(kind.from)) + "_" +
         std::string(name(kind.to)) + "_d" + std::to_string(kind.dims) +
         (kind.wide ? "w" : "") + (kind.masked ? "m" : "");
}

std::string kern::runtime::copyPtxHeader() {
  return ".version 6.4\n.target sm_75\n.address_size 64\n";
}

std::string kern::runtime::copyPtxKernel(const CopyKind &kind) {
  auto [from, to, dims, wide, masked] = kind;
  Writer w;
  std::string symbol = copySymbol(kind);
  unsigned parameter = 0;
  auto readWord = [&] {
    std::string value = w.fresh(Register::B64);
    w.line("ld.param.b64 " + value + ", [" + symbol + "_" +
           std::to_string(parameter++) + "]");
    return value;
  };
  auto readWords = [&] {
    std::vector<std::string> values;
    for (unsigned d = 0; d < kind.dims; ++d)
      values.push_back(readWord());
    return values;
  };
  std::string count = readWord();
  std::vector<std::string> extents = readWords();
  std::string source = readWord();
  std::vector<std::string> sourceStrides = readWords();
  std::string destination = readWord();
  std::vector<std::string> destinationStrides = readWords();
  std::string mask;
  std::vector<std::string> maskStrides;
  if (masked) {
    mask = readWord();
    maskStrides = readWords();
    w.line("cvta.to.global.u64 " + mask + ", " + mask);
  }
  w.line("cvta.to.global.u64 " + source + ", " + source);
  w.line("cvta.to.global.u64 " + destination + ", " + destination);

  // i = blockIdx * blockDim + threadIdx, stepping by the size of the grid.
  std::string thread = w.fresh(Register::B32), block = w.fresh(Register::B32),
              size = w.fresh(Register::B32), grid = w.fresh(Register::B32),
              i = w.fresh(Register::B64), step = w.fresh(Register::B64),
              wideThread = w.fresh(Register::B64),
              done = w.fresh(Register::Predicate);
  w.line("mov.u32 " + thread + ", %tid.x");
  w.line("mov.u32 " + block + ", %ctaid.x");
  w.line("mov.u32 " + size + ", %ntid.x");
  w.line("mov.u32 " + grid + ", %nctaid.x");
  w.line("cvt.u64.u32 " + wideThread + ", " + thread);
  w.line("mad.wide.u32 " + i + ", " + block + ", " + size + ", " + wideThread);
  w.line("mul.wide.u32 " + step + ", " + grid + ", " + size);
  w.text += "LOOP:\n";
  w.line("setp.ge.s64 " + done + ", " + i + ", " + count);
  w.line("@" + done + " bra DONE");

  std::string sourceAt = w.fresh(Register::B64),
              destinationAt = w.fresh(Register::B64),
              rest = w.fresh(Register::B64);
  w.line("mov.b64 " + sourceAt + ", " + source);
  w.line("mov.b64 " + destinationAt + ", " + destination);
  w.line("mov.b64 " + rest + ", " + i);
  std::string truthAt;
  if (masked) {
    truthAt = w.fresh(Register::B64);
    w.line("mov.b64 " + truthAt + ", " + mask);
  }
  for (unsigned d = 0; d < dims; ++d) {
    std::string index = rest;
    if (d + 1 < dims) {
      index = w.fresh(Register::B64);
      std::string quotient = w.fresh(Register::B64);
      if (wide) {
        w.line("div.u64 " + quotient + ", " + rest + ", " + extents[d]);
      } else {
        std::string a = w.fresh(Register::B32), b = w.fresh(Register::B32),
                    q = w.fresh(Register::B32);
        w.line("cvt.u32.u64 " + a + ", " + rest);
        w.line("cvt.u32.u64 " + b + ", " + extents[d]);
        w.line("div.u32 " + q + ", " + a + ", " + b);
        w.line("cvt.u64.u32 " + quotient + ", " + q);
      }
      std::string product = w.fresh(Register::B64);
      w.line("mul.lo.s64 " + product + ", " + quotient + ", " + extents[d]);
      w.line("sub.s64 " + index + ", " + rest + ", " + product);
      rest = quotient;
    }
    w.line("mad.lo.s64 " + sourceAt + ", " + index + ", " + sourceStrides[d] +
           ", " + sourceAt);
    w.line("mad.lo.s64 " + destinationAt + ", " + index + ", " +
           destinationStrides[d] + ", " + destinationAt);
    if (masked)
      w.line("mad.lo.s64 " + truthAt + ", " + index + ", " + maskStrides[d] +
             ", " + truthAt);
  }
  if (masked) {
    std::string truth = w.fresh(Register::B32),
                isOff = w.fresh(Register::Predicate);
    w.line("ld.global.u8 " + truth + ", [" + truthAt + "]");
    w.line("setp.eq.u32 " + isOff + ", " + truth + ", 0");
    w.line("@" + isOff + " bra NEXT");
  }
  convertElement(w, from, to, sourceAt, destinationAt);
  if (masked)
    w.text += "NEXT:\n";
  w.line("add.s64 " + i + ", " + i + ", " + step);
  w.line("bra LOOP");
  w.text += "DONE:\n\tret;\n";

  std::string out = ".visible .entry " + symbol + "(";
  for (unsigned p = 0; p < parameter; ++p)
    out += std::string(p ? ",\n" : "\n") + "\t.param .b64 " + symbol + "_" +
           std::to_string(p);
  return out + ")\n{\n" + w.declarations + w.text + "}\n";
}
