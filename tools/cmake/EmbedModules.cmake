# cmake -DOUTPUT=… -DFOLDER=… -P EmbedModules.cmake: writes the texts of the
# modules FOLDER/*.kern as C++, for compiler/driver/StandardModules.h.
file(GLOB modules ${FOLDER}/*.kern)
list(SORT modules)
set(rows "")
set(count 0)
foreach(module ${modules})
  get_filename_component(name ${module} NAME_WE)
  file(READ ${module} text)
  string(APPEND rows "    {\"${name}\", R\"kern(${text})kern\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [=[
#include "compiler/driver/StandardModules.h"

namespace kern {
const StandardModuleText standardModuleTexts[] = {
@rows@    {nullptr, nullptr}};
const unsigned standardModuleCount = @count@;
} // namespace kern
]=] @ONLY)
