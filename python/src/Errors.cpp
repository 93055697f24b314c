//===- Errors.cpp - failures of the library as exceptions -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Errors.h"
#include "Reference.h"

#include <cstring>

using namespace kern::python;

/// (file, begin, end, line, column, end_line, end_column), as kern.Place has
/// it.
static PyObject *placeTuple(const kern_place &place) {
  return Py_BuildValue("(znnIIII)", place.file, Py_ssize_t(place.begin),
                       Py_ssize_t(place.end), place.line, place.column,
                       place.end_line, place.end_column);
}

/// A list of what `get(k)` gives for each k.
template <typename Get> static Reference listOf(size_t count, Get get) {
  Reference list(PyList_New(Py_ssize_t(count)));
  for (size_t k = 0; list && k < count; ++k) {
    PyObject *item = get(k);
    if (!item)
      return {};
    PyList_SET_ITEM(list.get(), Py_ssize_t(k), item);
  }
  return list;
}

PyObject *kern::python::diagnosticsList(const kern_diagnostics *list) {
  return listOf(kern_diagnostics_count(list),
                [&](size_t i) -> PyObject * {
                  kern_diagnostic diagnostic = {};
                  diagnostic.size = sizeof diagnostic;
                  kern_diagnostics_get(list, i, &diagnostic);
                  Reference notes =
                      listOf(diagnostic.note_count, [&](size_t k) {
                        kern_note note = {};
                        note.size = sizeof note;
                        kern_diagnostics_note(list, i, k, &note);
                        return Py_BuildValue("(Ns)", placeTuple(note.place),
                                             note.text);
                      });
                  Reference fixes = listOf(diagnostic.fix_count, [&](size_t k) {
                    kern_fix fix = {};
                    fix.size = sizeof fix;
                    kern_diagnostics_fix(list, i, k, &fix);
                    return Py_BuildValue("(Ns)", placeTuple(fix.place),
                                         fix.replacement);
                  });
                  if (!notes || !fixes)
                    return nullptr;
                  return Py_BuildValue("(isssNNN)", int(diagnostic.severity),
                                       diagnostic.code, diagnostic.text,
                                       diagnostic.help,
                                       placeTuple(diagnostic.place),
                                       notes.release(), fixes.release());
                })
      .release();
}

void kern::python::raise(kern_status status) {
  // The message is of this thread and lasts until the next failure.
  const char *text = kern_last_error();
  Reference message(
      PyUnicode_DecodeUTF8(text, Py_ssize_t(std::strlen(text)), "replace"));
  Reference diagnostics(diagnosticsList(kern_last_diagnostics()));
  Reference module(PyImport_ImportModule("kern._errors"));
  if (!message || !diagnostics || !module)
    return;
  Reference error(PyObject_CallMethod(module.get(), "make_error", "iOO",
                                      int(status), message.get(),
                                      diagnostics.get()));
  if (error)
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.get())),
                    error.get());
}
