# kern_flags: the compile options that all our targets share.
add_library(kern_flags INTERFACE)
target_compile_options(kern_flags INTERFACE -Wall -Wextra -Wno-unused-parameter
                       $<$<BOOL:${KERN_WERROR}>:-Werror>)
target_include_directories(kern_flags INTERFACE
  ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/runtime/include)
# The cache's entries name the build ID of the Kern that wrote them.
target_link_options(kern_flags INTERFACE -Wl,--build-id=fast)
if(KERN_SANITIZE)
  # Without `function`: that check reads the words before a function, and the
  # JIT's code has none there.
  target_compile_options(kern_flags INTERFACE -fsanitize=${KERN_SANITIZE} -fno-sanitize=function
                         -fno-omit-frame-pointer)
  target_link_options(kern_flags INTERFACE -fsanitize=${KERN_SANITIZE})
  # The shared sanitizer runtime, so that Python can load libkern.
  if(NOT KERN_STATIC_LLVM)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir OUTPUT_VARIABLE kern_sanitizers
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    target_link_options(kern_flags INTERFACE -shared-libsan -Wl,-rpath,${kern_sanitizers})
  endif()
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(kern_flags INTERFACE -ffunction-sections -fdata-sections)
  target_link_options(kern_flags INTERFACE -Wl,--gc-sections)
  # tools/scripts/function_order.py needs the names.
  if(NOT KERN_KEEP_SYMBOLS)
    target_link_options(kern_flags INTERFACE -Wl,-s)
  endif()
endif()
find_program(KERN_CCACHE ccache)
if(KERN_CCACHE)
  # With precompiled headers ccache must compare contents, not times.
  set(kern_launcher ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1 ${KERN_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${kern_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${kern_launcher})
endif()
