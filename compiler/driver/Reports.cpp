//===- Reports.cpp - diagnostics that outlive their sources ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Reports.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace kern::compiler {

using runtime::Reported;
using runtime::ReportedPlace;
using runtime::ReportedText;

//===----------------------------------------------------------------------===//
// From the compiler
//===----------------------------------------------------------------------===//

static kern_severity severityOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return KERN_SEVERITY_ERROR;
  case Severity::Warning:
    return KERN_SEVERITY_WARNING;
  case Severity::Remark:
    return KERN_SEVERITY_REMARK;
  }
  llvm_unreachable("all severities are handled");
}

static ReportedPlace resolve(const SourceManager &sources, Span span) {
  if (span.file >= sources.size())
    return {};
  const SourceFile &file = sources.file(span.file);
  const LineColumn begin = file.position(span.begin);
  const LineColumn end = file.position(span.end);
  return {file.name(),  span.begin, span.end,  begin.line,
          begin.column, end.line,   end.column};
}

std::shared_ptr<const kern_diagnostics>
reportOf(const DiagnosticEngine &diagnostics, bool remarks) {
  const SourceManager &sources = diagnostics.sourceManager();
  kern_diagnostics report;
  for (const Diagnostic *diagnostic : diagnostics.inOrder(remarks)) {
    const DiagInfo &row = info(diagnostic->id);
    Reported &made = report.list.emplace_back();
    made.severity = severityOf(diagnostics.severity(diagnostic->id));
    made.code = row.code;
    made.text = diagnostic->message;
    made.help = diagnostic->help;
    made.place = resolve(sources, diagnostic->span);
    for (const Note &note : diagnostic->notes)
      made.notes.push_back({resolve(sources, note.span), note.text});
    for (const Fix &fix : diagnostic->fixes)
      made.fixes.push_back({resolve(sources, fix.span), fix.replacement});
  }
  if (report.list.empty())
    return nullptr;
  return std::make_shared<const kern_diagnostics>(std::move(report));
}

//===----------------------------------------------------------------------===//
// In the cache
//===----------------------------------------------------------------------===//

namespace {
using llvm::json::Array;
using llvm::json::Value;

/// Fields by position. A file of `files` is its number, any other its name.
class Packer {
public:
  explicit Packer(std::span<const std::string> files) : files(files) {}

  Array operator()(const Reported &from) const {
    return Array{int64_t(from.severity), from.code,         text(from.text),
                 text(from.help),        place(from.place), texts(from.notes),
                 texts(from.fixes)};
  }

private:
  /// Messages never show invalid UTF-8.
  static Value text(const std::string &text) {
    return llvm::json::fixUTF8(text);
  }
  Value file(const std::string &name) const {
    auto at = llvm::find(files, name);
    return at == files.end() ? text(name) : Value(int64_t(at - files.begin()));
  }
  Value place(const ReportedPlace &from) const {
    if (from.file.empty())
      return nullptr;
    return Array{file(from.file),        int64_t(from.begin),
                 int64_t(from.end),      int64_t(from.line),
                 int64_t(from.column),   int64_t(from.endLine),
                 int64_t(from.endColumn)};
  }
  Value texts(const std::vector<ReportedText> &from) const {
    Array all;
    for (const ReportedText &each : from)
      all.push_back(Array{place(each.place), text(each.text)});
    return all;
  }

  std::span<const std::string> files;
};

/// The inverse of Packer. Invalid input makes `isGood` false.
class Unpacker {
public:
  explicit Unpacker(std::span<const std::string> files) : files(files) {}

  Reported operator()(const Value &value) {
    Reported made;
    const Array &fields = array(value, 7);
    if (!isGood)
      return made;
    const uint64_t severity = number(fields[0]);
    isGood &=
        severity >= KERN_SEVERITY_REMARK && severity <= KERN_SEVERITY_ERROR;
    if (isGood)
      made.severity = kern_severity(severity);
    made.code = text(fields[1]);
    made.text = text(fields[2]);
    made.help = text(fields[3]);
    made.place = place(fields[4]);
    made.notes = texts(fields[5]);
    made.fixes = texts(fields[6]);
    return made;
  }
  bool isGood = true;

private:
  const Array &array(const Value &value, size_t size) {
    static const Array none;
    const Array *found = value.getAsArray();
    isGood &= found && found->size() == size;
    return isGood ? *found : none;
  }
  uint64_t number(const Value &value) {
    std::optional<int64_t> found = value.getAsInteger();
    isGood &= found && *found >= 0;
    return isGood ? uint64_t(*found) : 0;
  }
  std::string text(const Value &value) {
    std::optional<llvm::StringRef> found = value.getAsString();
    isGood &= found.has_value();
    return isGood ? found->str() : "";
  }
  std::string file(const Value &value) {
    if (value.kind() == Value::String)
      return text(value);
    const uint64_t index = number(value);
    isGood &= index < files.size();
    return isGood ? files[index] : "";
  }
  ReportedPlace place(const Value &value) {
    if (value.kind() == Value::Null)
      return {};
    const Array &fields = array(value, 7);
    if (!isGood)
      return {};
    return {file(fields[0]),
            size_t(number(fields[1])),
            size_t(number(fields[2])),
            unsigned(number(fields[3])),
            unsigned(number(fields[4])),
            unsigned(number(fields[5])),
            unsigned(number(fields[6]))};
  }
  std::vector<ReportedText> texts(const Value &value) {
    std::vector<ReportedText> made;
    const Array *all = value.getAsArray();
    isGood &= all != nullptr;
    for (size_t i = 0; isGood && i < all->size(); ++i)
      if (const Array &fields = array((*all)[i], 2); isGood)
        made.push_back({place(fields[0]), text(fields[1])});
    return made;
  }

  std::span<const std::string> files;
};
} // namespace

std::string packReport(const kern_diagnostics *report,
                       std::span<const std::string> files) {
  Array all;
  if (report)
    for (const Reported &each : report->list)
      all.push_back(Packer(files)(each));
  std::string text;
  llvm::raw_string_ostream(text) << Value(std::move(all));
  return text;
}

std::optional<std::shared_ptr<const kern_diagnostics>>
unpackReport(std::string_view text, std::span<const std::string> files) {
  llvm::Expected<Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const Array *all = parsed->getAsArray();
  if (!all)
    return std::nullopt;
  Unpacker unpack(files);
  kern_diagnostics report;
  for (const Value &each : *all)
    report.list.push_back(unpack(each));
  if (!unpack.isGood)
    return std::nullopt;
  if (report.list.empty())
    return std::shared_ptr<const kern_diagnostics>();
  return std::make_shared<const kern_diagnostics>(std::move(report));
}

} // namespace kern::compiler
