/*===- kern/build.h - files of compiled code ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What `kern compile` and `kern check` do: PTX files for kern_load_file,     *|
|* object files and headers to link, and diagnostics without any code. The    *|
|* functions are in the library `kern`, not in `kern_runtime`.                *|
|*                                                                            *|
|*     kern_build *build;                                                     *|
|*     kern_status status = kern_build_file("blur.kern", NULL, &build);       *|
|*     kern_built built = {0}; // in C++: {}                                  *|
|*     built.size = sizeof built;                                             *|
|*     if (build && kern_build_get(build, &built) == KERN_OK) {               *|
|*       fputs(built.report, stderr);                                         *|
|*       if (status == KERN_OK)                                               *|
|*         fwrite(built.output, 1, built.length, file);                       *|
|*     }                                                                      *|
|*     kern_build_release(build);                                             *|
|*                                                                            *|
|* Memory: as in kern/compile.h.                                              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_BUILD_H
#define KERN_BUILD_H

#include "kern/compile.h"
#include "kern/diagnostics.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a report is written. */
typedef enum kern_report_form {
  KERN_REPORT_TEXT = 0,  /**< for people, with the lines of the source */
  KERN_REPORT_JSON = 1,  /**< an object for each diagnostic, one a line:
                              docs/reference/diagnostics.md */
  KERN_REPORT_GITHUB = 2 /**< workflow commands, which GitHub shows beside the
                              source of a pull request */
} kern_report_form;

/** Zeros are the defaults. Texts need to live until the call returns. One
    record, since a caller sets the members that it needs by name. */
typedef struct kern_build_options {
  size_t size;      /**< sizeof(kern_build_options) */
  const char *emit; /**< what to make, as `kern compile --emit` names it: "ptx",
                         "obj", "header", "manifest" …; NULL: "ptx" */
  const char *target; /**< "sm_90", or "x86-64-v3" for obj, header and the other
                           stages of CPUs; NULL: this machine's GPU, or sm_75
                           without one; for obj and header the highest level of
                           this machine's CPU, else the CPU itself */
  const char *name; /**< for obj and header: the code is called NAME_kern in C;
                         NULL: after the source's file */
  const char *const *signatures; /**< of the loops to make: "f32(f32, f32)", or
                                      "hypot: f32(f32, f32)" for one function.
                                      None: all that are declared */
  size_t signature_count;
  kern_fp_mode fp_mode;
  unsigned checks;   /**< of kern_check */
  int all_forms;     /**< not 0: of each kernel of a ufunc the fastest for each
                          layout too; else a contiguous and a strided one, which
                          serve every layout */
  int deny_warnings; /**< not 0: warnings are errors */
  int remarks;       /**< not 0: say also what makes functions slow. Only
                          kern_check_source and kern_check_file do */
  kern_report_form report; /**< how kern_built.report is written */
  int timing;              /**< not 0: measure what takes how long */
  int reserved;            /**< 0 */
} kern_build_options;

/** What became of a source. Immutable. */
typedef struct kern_build kern_build;

/** What a kern_build holds; it lives as long. Never NULL but for
    `diagnostics`. */
typedef struct kern_built {
  size_t size;        /**< sizeof(kern_built) */
  const char *output; /**< the file's content; "" if the source was refused, and
                           if it was only checked. A 0 follows it */
  size_t length;      /**< of the output, in bytes */
  const char *report; /**< the diagnostics in the form that was asked for; ""
                           if there are none */
  const kern_diagnostics *diagnostics; /**< the same as data; NULL if none */
  size_t error_count;         /**< including those that are not in the list */
  size_t warning_count;       /**< likewise */
  const char *const *imports; /**< the files that were imported, directly or by
                                   others, but for the standard library's; NULL
                                   follows the last */
  size_t import_count;
  const char *timing; /**< a table for people; "" unless it was asked for */
} kern_built;

/** Compiles a source to a file's content. `file_name` stands for the source in
    messages, and modules are imported from its folder; NULL: "<source>".
    `options`: NULL for the defaults. KERN_ERROR_COMPILE if the source is
    refused and KERN_ERROR_INTERNAL for a defect in Kern; there is a `*build`
    then too, without output, and kern_last_error() is its report. After other
    failures `*build` is NULL. kern_build_release() lets it go. Threads: any. */
KERN_API kern_status kern_build_source(const char *text, size_t length,
                                       const char *file_name,
                                       const kern_build_options *options,
                                       kern_build **build);
/** The same of a file. KERN_ERROR_IO and KERN_ERROR_NOT_FOUND for one that
    cannot be read: its `*build` reports that. Threads: any. */
KERN_API kern_status kern_build_file(const char *path,
                                     const kern_build_options *options,
                                     kern_build **build);

/** Finds out what is wrong with a source, and makes nothing. Otherwise as
    kern_build_source(); of `options` it reads deny_warnings, remarks and
    report. Unlike a build, a source without declared loops is right. Threads:
    any. */
KERN_API kern_status kern_check_source(const char *text, size_t length,
                                       const char *file_name,
                                       const kern_build_options *options,
                                       kern_build **build);
/** The same of a file, as kern_build_file(). Threads: any. */
KERN_API kern_status kern_check_file(const char *path,
                                     const kern_build_options *options,
                                     kern_build **build);

/** Fills `built`. Threads: any. */
KERN_API kern_status kern_build_get(const kern_build *build, kern_built *built);

/** NULL is ignored. Threads: last. */
KERN_API void kern_build_release(kern_build *build);

#ifdef __cplusplus
}
#endif
#endif
