/*===- kern/diagnostics.h - diagnostics as data -------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What the compiler says of a source: errors of one that was refused,        *|
|* warnings and remarks of one that was accepted.                             *|
|*                                                                            *|
|*     const kern_diagnostics *list = kern_module_diagnostics(module);        *|
|*     for (size_t i = 0; i < kern_diagnostics_count(list); ++i) {            *|
|*       kern_diagnostic diagnostic = {sizeof diagnostic};                    *|
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
  KERN_SEVERITY_ERROR = 3    /**< the source, or a loop of it, was refused */
} kern_severity;

/** A range of a file, in bytes and as people count. It may be empty: between
    two bytes. The struct keeps its size. */
typedef struct kern_place {
  const char *file;  /**< as the compilation named it, or the path of what it
                          imports; NULL: in no file, the rest is 0 */
  size_t begin, end; /**< bytes before it, and up to its end */
  unsigned line;     /**< of its begin, from 1 */
  unsigned column;   /**< from 1, in code points */
  unsigned end_line; /**< of what comes after it */
  unsigned end_column;
} kern_place;

/** One diagnostic. All text is UTF-8 and lives as long as its list. */
typedef struct kern_diagnostic {
  size_t size; /**< sizeof(kern_diagnostic) */
  kern_severity severity;
  const char
      *code; /**< "K0201"; keeps its meaning for ever (docs/reference/errors) */
  const char *text; /**< one line */
  const char *help; /**< what to do about it; "" if that is not known */
  kern_place place;
  size_t note_count; /**< other places that have to do with it */
  size_t fix_count;  /**< changes that do what `help` says, mostly none */
} kern_diagnostic;

/** A place that a diagnostic points to, and what it says there. */
typedef struct kern_note {
  size_t size; /**< sizeof(kern_note) */
  kern_place place;
  const char *text;
} kern_note;

/** A change of the source. The changes of one diagnostic belong together; their
    places do not overlap. */
typedef struct kern_fix {
  size_t size;             /**< sizeof(kern_fix) */
  kern_place place;        /**< what is replaced */
  const char *replacement; /**< the text instead of it */
} kern_fix;

/** Diagnostics in the order of their files and places. Immutable. */
typedef struct kern_diagnostics kern_diagnostics;

/** Those of the last failure on this thread: of KERN_ERROR_COMPILE, and of
    KERN_ERROR_TYPE where a call needed a loop for which a generic function does
    not compile. NULL if it had none. Valid until the next failing call on this
    thread. Of more than 100 errors or 1000 diagnostics the rest is left out;
   how many errors, kern_last_error() says. Threads: any, each with its own. */
KERN_API const kern_diagnostics *kern_last_diagnostics(void);
/** The warnings of a compiled source, and if its options ask for them the
    remarks (kern/compile.h); NULL if there are none, as of what is loaded.
    Those of a source that the cache knows are the same. Valid as long as the
    module. Threads: any. */
KERN_API const kern_diagnostics *
kern_module_diagnostics(const kern_module *module);

/** 0 for NULL. Threads: any. */
KERN_API size_t kern_diagnostics_count(const kern_diagnostics *diagnostics);
/** Fills `diagnostic` with number `index`; KERN_ERROR_ARGUMENT if there are not
    so many. Threads: any. */
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
