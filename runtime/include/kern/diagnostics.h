/*===- kern/diagnostics.h - diagnostics as data -------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What the compiler reports for a source: the errors of a rejected one, the  *|
|* warnings and remarks of an accepted one.                                   *|
|*                                                                            *|
|*     const kern_diagnostics *list = kern_module_diagnostics(module);        *|
|*     for (size_t i = 0; i < kern_diagnostics_count(list); ++i) {            *|
|*       kern_diagnostic diagnostic = {0}; // in C++: {}                      *|
|*       diagnostic.size = sizeof diagnostic;                                 *|
|*       kern_diagnostics_get(list, i, &diagnostic);                          *|
|*       printf("%s:%u: %s\n", diagnostic.place.file,                         *|
|*              diagnostic.place.line, diagnostic.text);                      *|
|*     }                                                                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_DIAGNOSTICS_H
#define KERN_DIAGNOSTICS_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Rising. */
typedef enum kern_severity {
  KERN_SEVERITY_REMARK = 1,  /**< what makes a function slow, if asked for */
  KERN_SEVERITY_WARNING = 2, /**< most likely a mistake */
  KERN_SEVERITY_ERROR = 3    /**< the source, or a loop of it, was rejected */
} kern_severity;

/** A range of a file, in bytes and in lines and columns. It may be empty:
    between two bytes. This struct never grows. */
typedef struct kern_place {
  const char *file;  /**< as the compilation named it, or the path of an
                          imported module; NULL: no file, and the rest is 0 */
  size_t begin, end; /**< byte offsets: begin, and one past the end */
  unsigned line;     /**< of its begin, from 1 */
  unsigned column;   /**< from 1, in code points */
  unsigned end_line; /**< one past the end */
  unsigned end_column;
} kern_place;

/** One diagnostic. All text is UTF-8 and lives as long as its list. */
typedef struct kern_diagnostic {
  size_t size; /**< sizeof(kern_diagnostic) */
  kern_severity severity;
  const char
      *code; /**< "K0201"; never changes its meaning (docs/reference/errors) */
  const char *text; /**< one line */
  const char *help; /**< what to do about it; "" if that is not known */
  kern_place place;
  size_t note_count; /**< other places involved */
  size_t fix_count;  /**< changes that do what `help` says; often none */
} kern_diagnostic;

/** Another place that a diagnostic points to, with a text. */
typedef struct kern_note {
  size_t size; /**< sizeof(kern_note) */
  kern_place place;
  const char *text;
} kern_note;

/** A change of the source. Apply all changes of a diagnostic together; their
    places do not overlap. */
typedef struct kern_fix {
  size_t size;             /**< sizeof(kern_fix) */
  kern_place place;        /**< what is replaced */
  const char *replacement; /**< the new text */
} kern_fix;

/** Diagnostics, ordered by file and place. Immutable. */
typedef struct kern_diagnostics kern_diagnostics;

/** The diagnostics of the last failure on this thread: of KERN_ERROR_COMPILE,
    and of KERN_ERROR_TYPE where a generic function does not compile for the
    types of a call. NULL if it had none. Valid until the next failing call on
    this thread. At most 100 errors and 1000 diagnostics are kept;
    kern_last_error() has the number of errors. Threads: any, each with its
    own. */
KERN_API const kern_diagnostics *kern_last_diagnostics(void);
/** The warnings of a compiled source, and its remarks if the options ask for
    them (kern/compile.h). NULL if there are none; loaded modules have none. The
    cache keeps them. Valid as long as the module. Threads: any. */
KERN_API const kern_diagnostics *
kern_module_diagnostics(const kern_module *module);

/** 0 for NULL. Threads: any. */
KERN_API size_t kern_diagnostics_count(const kern_diagnostics *diagnostics);
/** Fills `diagnostic` with diagnostic `index`; KERN_ERROR_ARGUMENT if `index`
   is not below the count. Threads: any. */
KERN_API kern_status kern_diagnostics_get(const kern_diagnostics *diagnostics,
                                          size_t index,
                                          kern_diagnostic *diagnostic);
/** The same of note `note_index` of diagnostic `index`. Threads: any. */
KERN_API kern_status kern_diagnostics_note(const kern_diagnostics *diagnostics,
                                           size_t index, size_t note_index,
                                           kern_note *note);
/** The same of fix `fix_index` of diagnostic `index`. Threads: any. */
KERN_API kern_status kern_diagnostics_fix(const kern_diagnostics *diagnostics,
                                          size_t index, size_t fix_index,
                                          kern_fix *fix);

#ifdef __cplusplus
}
#endif
#endif
