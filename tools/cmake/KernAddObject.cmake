# kern_add_object(TARGET SOURCE.kern… [NAME NAME] [CPU LEVEL] [INCLUDE FOLDER…]
#                 [OPTIONS OPTION…])
#
# Compiles Kern sources to object files and links them into a target of this
# folder. The target's sources include "SOURCE.h", which declares SOURCE_kern. A
# source is compiled again when it changes and, from CMake 3.20 on, when a file
# that it imports does. The target links Kern::runtime.
#
#   NAME      another name for a single source: NAME.h and NAME_kern
#   CPU       the x86-64 level: x86-64, x86-64-v2, …; by default this machine's
#   INCLUDE   folders of imported modules, after those of the importing files
#   OPTIONS   further options of `kern compile`, such as --fp-mode=precise

# CMake adapts dependency files with absolute paths to the generator.
if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW)
endif()

function(kern_add_object kern_target)
  cmake_parse_arguments(PARSE_ARGV 1 kern "" "NAME;CPU" "INCLUDE;OPTIONS")
  set(kern_sources ${kern_UNPARSED_ARGUMENTS})
  list(LENGTH kern_sources kern_count)
  if(NOT TARGET ${kern_target})
    message(FATAL_ERROR "kern_add_object: there is no target '${kern_target}'")
  elseif(kern_count EQUAL 0)
    message(FATAL_ERROR "kern_add_object(${kern_target}): name a source to compile")
  elseif(kern_NAME AND kern_count GREATER 1)
    message(FATAL_ERROR "kern_add_object(${kern_target}): NAME is for one source")
  endif()
  if(kern_CPU)
    list(APPEND kern_OPTIONS --target ${kern_CPU})
  endif()
  foreach(kern_folder IN LISTS kern_INCLUDE)
    get_filename_component(kern_folder "${kern_folder}" ABSOLUTE)
    list(APPEND kern_OPTIONS -I "${kern_folder}")
  endforeach()

  set(kern_folder "${CMAKE_CURRENT_BINARY_DIR}/kern/${kern_target}")
  foreach(kern_source IN LISTS kern_sources)
    get_filename_component(kern_source "${kern_source}" ABSOLUTE)
    set(kern_name "${kern_NAME}")
    set(kern_naming "")
    if(kern_name)
      set(kern_naming --name "${kern_name}")
    else()
      get_filename_component(kern_name "${kern_source}" NAME_WLE)
    endif()
    set(kern_made "${kern_folder}/${kern_name}")
    set(kern_rules "")
    if(POLICY CMP0116)
      set(kern_rules DEPFILE "${kern_made}.d")
    endif()
    add_custom_command(
      OUTPUT "${kern_made}.o" "${kern_made}.h"
      COMMAND Kern::tool compile "${kern_source}" --emit obj,header ${kern_naming}
              --out-dir "${kern_folder}" --depfile "${kern_made}.d" ${kern_OPTIONS}
      DEPENDS "${kern_source}" Kern::tool
      ${kern_rules}
      COMMENT "Compiling ${kern_name} with kern"
      VERBATIM)
    set_source_files_properties("${kern_made}.o" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${kern_target} PRIVATE "${kern_made}.o" "${kern_made}.h")
  endforeach()
  target_include_directories(${kern_target} PRIVATE "${kern_folder}")
endfunction()
