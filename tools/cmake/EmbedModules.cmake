# cmake -DOUTPUT=FILE -DFOLDER=stdlib -P EmbedModules.cmake: writes the folder's
# modules *.kern, and its files prelude/*.kern with the names of their functions,
# as C++ for compiler/driver/StandardModules.h.
cmake_minimum_required(VERSION 3.20)

function(embed pattern texts count functions function_count)
  file(GLOB paths ${pattern})
  list(SORT paths)
  set(rows "")
  set(index 0)
  set(known "")
  set(names "")
  foreach(path ${paths})
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} text)
    string(APPEND rows "    {\"${name}\", R\"kern(${text})kern\"},\n")
    string(REGEX MATCHALL "\n(def|g?ufunc) [a-z0-9_]+\\(" headers "\n${text}")
    foreach(header ${headers})
      string(REGEX REPLACE "\n[a-z]+ ([a-z0-9_]+)\\(" "\\1" function "${header}")
      if(NOT function IN_LIST known)
        list(APPEND known ${function})
        string(APPEND names "    {\"${function}\", ${index}},\n")
      endif()
    endforeach()
    math(EXPR index "${index} + 1")
  endforeach()
  list(LENGTH known known_count)
  set(${texts} "${rows}" PARENT_SCOPE)
  set(${count} ${index} PARENT_SCOPE)
  set(${functions} "${names}" PARENT_SCOPE)
  set(${function_count} ${known_count} PARENT_SCOPE)
endfunction()

embed(${FOLDER}/*.kern modules module_count unused unused_count)
embed(${FOLDER}/prelude/*.kern prelude prelude_count functions function_count)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [=[
#include "compiler/driver/StandardModules.h"

namespace kern::compiler {
const StandardModuleText standardModuleTexts[] = {
@modules@    {nullptr, nullptr}};
const unsigned standardModuleCount = @module_count@;
const PreludeFile preludeFiles[] = {
@prelude@    {nullptr, nullptr}};
const unsigned preludeFileCount = @prelude_count@;
const PreludeFunction preludeFunctions[] = {
@functions@    {nullptr, 0}};
const unsigned preludeFunctionCount = @function_count@;
} // namespace kern::compiler
]=] @ONLY)
