//===- FuncSyntax.cpp - the assembly syntax of functions ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/Kern.h"
#include "dialects/Kern/OperandSyntax.h"

#include "mlir/IR/Builders.h"

#include <string>

using namespace mlir;

namespace kern::ir {

//===----------------------------------------------------------------------===//
// Functions: printing
//===----------------------------------------------------------------------===//

namespace {
class FuncPrinter {
public:
  FuncPrinter(OpAsmPrinter &p, FuncOp func) : p(p), func(func) {}

  void print() {
    p << (func.isTyped() ? " typed " : " ") << stringifyFuncKind(func.getKind())
      << ' ';
    p.printSymbolName(func.getSymName());
    p << '(';
    llvm::interleaveComma(func.parameterInfos(), p, [&](OperandAttr parameter) {
      printParameter(parameter);
    });
    p << ')';
    printResults();
    printWhere();
    if (func.getOrigin()) {
      p << " of ";
      p.printSymbolName(*func.getOrigin());
    }
    p.printOptionalAttrDictWithKeyword(func->getAttrs(),
                                       elided(func->getName()));
    p << ' ';
    p.printRegion(func.getBody(), /*printEntryBlockArgs=*/false);
  }

  /// The attributes that are part of the custom syntax.
  static SmallVector<StringRef> elided(OperationName name) {
    return {
        FuncOp::getSymNameAttrName(name),      FuncOp::getKindAttrName(name),
        FuncOp::getParametersAttrName(name),   FuncOp::getResultsAttrName(name),
        FuncOp::getTypeVarsAttrName(name),     FuncOp::getLoopsAttrName(name),
        FuncOp::getOptionalDimsAttrName(name), FuncOp::getOriginAttrName(name),
        FuncOp::getTypedAttrName(name)};
  }

private:
  void printAnnotation(OperandAttr operand) {
    std::optional<ArrayAttr> optional = func.getOptionalDims();
    ir::printAnnotation(
        p, operand, optional ? optional->getValue() : ArrayRef<Attribute>());
  }

  /// Prints an operand that is the next argument of the entry block.
  void printArgument(OperandAttr operand) {
    BlockArgument argument = func.getBody().getArgument(next++);
    std::string name;
    llvm::raw_string_ostream stream(name);
    p.printOperand(argument, stream);
    p.printRegionArgument(argument, /*argAttrs=*/{}, /*omitType=*/true);
    if (StringRef(name).drop_front() != operand.getName()) {
      p << ' ';
      p.printString(operand.getName());
    }
    if (hasAnnotation(operand)) {
      p << ": ";
      printAnnotation(operand);
    }
  }

  void printParameter(OperandAttr parameter) {
    p << (parameter.getIsInout() ? "inout " : "");
    if (!parameter.getIsDim())
      return printArgument(parameter);
    printOperandName(p, parameter.getName());
    p << ": dim";
  }

  void printResult(OperandAttr result) {
    if (result.isArray())
      return printArgument(result);
    if (!result.getName().empty()) {
      p.printKeywordOrString(result.getName());
      p << ": ";
    }
    printAnnotation(result);
  }

  void printResults() {
    ArrayAttr results = func.getResults();
    if (results.empty())
      return;
    auto first = cast<OperandAttr>(results[0]);
    const bool isBare =
        results.size() == 1 && first.getName().empty() && !first.isArray();
    p << (isBare ? " -> " : " -> (");
    llvm::interleaveComma(func.resultInfos(), p,
                          [&](OperandAttr result) { printResult(result); });
    p << (isBare ? "" : ")");
  }

  /// Prints `where T in (f32, f64)` or
  /// `where (T, I) in ((f32, si32), (f64, si64))`.
  void printWhere() {
    ArrayAttr variables = func.getTypeVars();
    if (variables.empty())
      return;
    const bool isSingle = variables.size() == 1;
    auto parenthesised = [&](bool isList, ArrayAttr elements, auto print) {
      p << (isList ? "(" : "");
      llvm::interleaveComma(elements, p, print);
      p << (isList ? ")" : "");
    };
    p << " where ";
    parenthesised(!isSingle, variables, [&](Attribute variable) {
      p.printKeywordOrString(cast<StringAttr>(variable));
    });
    p << " in ";
    parenthesised(true, func.getLoops(), [&](Attribute row) {
      parenthesised(!isSingle, cast<ArrayAttr>(row), [&](Attribute type) {
        p << cast<TypeAttr>(type).getValue();
      });
    });
  }

  OpAsmPrinter &p;
  FuncOp func;
  unsigned next = 0; ///< argument
};
} // namespace

void FuncOp::print(OpAsmPrinter &p) { FuncPrinter(p, *this).print(); }

//===----------------------------------------------------------------------===//
// Functions: parsing
//===----------------------------------------------------------------------===//

namespace {
class FuncParser {
public:
  FuncParser(OpAsmParser &parser, OperationState &state)
      : parser(parser), state(state), builder(parser.getBuilder()),
        annotations(parser) {}

  ParseResult parse() {
    isTyped = succeeded(parser.parseOptionalKeyword("typed"));
    const SMLoc place = parser.getCurrentLocation();
    StringRef word;
    StringAttr name;
    std::optional<FuncKind> kind;
    if (succeeded(parser.parseOptionalKeyword(&word)))
      kind = symbolizeFuncKind(word);
    if (!kind)
      return parser.emitError(place, "expected `ufunc` or `gufunc`");
    if (parser.parseSymbolName(name) ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                       [&] { return parseParameter(); }) ||
        (succeeded(parser.parseOptionalArrow()) && parseResults()))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("where"))) {
      if (parseWhere())
        return failure();
    } else if (!isTyped) {
      loops.push_back(builder.getArrayAttr({})); // without variables
    }
    StringAttr origin;
    if (succeeded(parser.parseOptionalKeyword("of")) &&
        parser.parseSymbolName(origin))
      return failure();

    const SMLoc dictionary = parser.getCurrentLocation();
    if (parser.parseOptionalAttrDictWithKeyword(state.attributes))
      return failure();
    for (StringRef taken : FuncPrinter::elided(state.name))
      if (state.attributes.get(taken))
        return parser.emitError(dictionary, "`")
               << taken << "` is part of the function's header";
    set(FuncOp::getSymNameAttrName(state.name), name);
    set(FuncOp::getKindAttrName(state.name),
        FuncKindAttr::get(builder.getContext(), *kind));
    set(FuncOp::getParametersAttrName(state.name),
        builder.getArrayAttr(parameters));
    set(FuncOp::getResultsAttrName(state.name), builder.getArrayAttr(results));
    set(FuncOp::getTypeVarsAttrName(state.name),
        builder.getArrayAttr(variables));
    set(FuncOp::getLoopsAttrName(state.name), builder.getArrayAttr(loops));
    if (!annotations.optionalDims.empty())
      set(FuncOp::getOptionalDimsAttrName(state.name),
          builder.getArrayAttr(annotations.optionalDims));
    if (origin)
      set(FuncOp::getOriginAttrName(state.name), origin);
    if (isTyped)
      set(FuncOp::getTypedAttrName(state.name), builder.getUnitAttr());
    if (FuncOp::verifyInherentAttrs(state.name, state.attributes, [&] {
          return parser.emitError(dictionary)
                 << "'" << state.name.getStringRef() << "' op ";
        }).failed())
      return failure();
    return parser.parseRegion(*state.addRegion(), arguments);
  }

private:
  void set(StringAttr name, Attribute value) {
    state.addAttribute(name, value);
  }

  /// The source place of a parameter or result, and its block argument if it
  /// has one.
  struct Place {
    SMLoc at;
    bool isArgument = false;
    OpAsmParser::Argument argument;
  };

  /// Parses `%x`, or `%arg0 "größe"`, if there is one.
  ParseResult parseArgument(ParsedOperand &operand, Place &place) {
    operand.type = builder.getUnitAttr();
    place.at = parser.getCurrentLocation();
    OptionalParseResult result = parser.parseOptionalArgument(place.argument);
    place.isArgument = result.has_value();
    if (!place.isArgument)
      return success();
    if (failed(*result))
      return failure();
    operand.name = place.argument.ssaName.name.drop_front().str();
    std::string own;
    if (succeeded(parser.parseOptionalString(&own)))
      operand.name = own;
    return success();
  }

  /// Adds an operand, and its argument to the entry block if it has one.
  ParseResult finish(const ParsedOperand &operand, Place &place,
                     SmallVectorImpl<Attribute> &list) {
    OperandAttr built = operand.build(parser, place.at);
    if (!built)
      return failure();
    list.push_back(built);
    if (!place.isArgument)
      return success();
    MLIRContext *context = builder.getContext();
    Type element = OpenType::get(context);
    if (isTyped) {
      element = built.elementType();
      if (!element)
        return parser.emitError(place.at, "a typed function's ")
               << built.getName() << " needs an element type";
    }
    place.argument.type =
        built.isArray()
            ? ArrayType::get(context, element, unsigned(built.getCore().size()))
            : element;
    arguments.push_back(place.argument);
    return success();
  }

  ParseResult parseParameter() {
    ParsedOperand operand;
    Place place;
    bool isInout = succeeded(parser.parseOptionalKeyword("inout"));
    if (parseArgument(operand, place))
      return failure();
    if (!place.isArgument &&
        failed(parser.parseOptionalKeywordOrString(&operand.name)))
      return parser.emitError(place.at, "expected a parameter, as `%x: T` "
                                        "or `n: dim`");
    operand.isInout = isInout;
    if (succeeded(parser.parseOptionalColon()) &&
        annotations.parseAnnotation(operand))
      return failure();
    if (operand.isDim && place.isArgument)
      return parser.emitError(place.at, "a dim is not an argument: write `")
             << operand.name << ": dim`";
    if (!operand.isDim && !place.isArgument)
      return parser.emitError(place.at, "a parameter is an argument: write `%")
             << operand.name << "`";
    return finish(operand, place, parameters);
  }

  ParseResult parseResult() {
    ParsedOperand operand;
    Place place;
    if (parseArgument(operand, place))
      return failure();
    if (place.isArgument) {
      if (parser.parseColon() || annotations.parseAnnotation(operand))
        return failure();
    } else if (parseNamedResult(operand)) {
      return failure();
    }
    if (operand.isDim)
      return parser.emitError(place.at, "a result cannot be a dim");
    if (operand.core.empty() == place.isArgument)
      return parser.emitError(place.at)
             << (place.isArgument
                     ? "a result without core dimensions is not an argument"
                     : "a result with core dimensions is an argument: write "
                       "`%name: …`");
    return finish(operand, place, results);
  }

  /// Parses `name: annotation` or an annotation alone.
  ParseResult parseNamedResult(ParsedOperand &operand) {
    StringRef word;
    std::string text;
    const bool isWord = succeeded(parser.parseOptionalKeyword(&word));
    if (!isWord && failed(parser.parseOptionalString(&text)))
      return annotations.parseAnnotation(operand);
    if (succeeded(parser.parseOptionalColon())) {
      operand.name = isWord ? word.str() : text;
      return annotations.parseAnnotation(operand);
    }
    if (isWord)
      return annotations.parseAnnotation(word, operand);
    operand.type = builder.getStringAttr(text);
    return annotations.parseCore(operand);
  }

  ParseResult parseResults() {
    if (succeeded(parser.parseOptionalLParen()))
      return failure(parser.parseCommaSeparatedList([&] {
        return parseResult();
      }) || parser.parseRParen());
    return parseResult();
  }

  ParseResult parseWhere() {
    const SMLoc place = parser.getCurrentLocation();
    auto parseVariable = [&]() -> ParseResult {
      std::string name;
      if (parser.parseKeywordOrString(&name))
        return failure();
      variables.push_back(builder.getStringAttr(name));
      return success();
    };
    auto parseType = [&](SmallVectorImpl<Attribute> &row) -> ParseResult {
      Type type;
      if (parser.parseType(type))
        return failure();
      row.push_back(TypeAttr::get(type));
      return success();
    };
    if (isTyped)
      return parser.emitError(place, "a typed function has no type variables");
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalParen,
                                       parseVariable))
      return failure();
    const bool isList = !variables.empty();
    if (!isList && parseVariable())
      return failure();
    auto parseRow = [&]() -> ParseResult {
      SmallVector<Attribute> row;
      auto parseNext = [&] { return parseType(row); };
      if (isList ? parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                                  parseNext)
                 : parseNext())
        return failure();
      loops.push_back(builder.getArrayAttr(row));
      return success();
    };
    return failure(
        parser.parseKeyword("in") ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseRow));
  }

  OpAsmParser &parser;
  OperationState &state;
  Builder &builder;
  OperandParser annotations;
  bool isTyped = false;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> parameters, results, variables, loops;
};
} // namespace

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &state) {
  return FuncParser(parser, state).parse();
}

} // namespace kern::ir
