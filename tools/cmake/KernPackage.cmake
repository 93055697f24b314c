# What `cmake --install` installs. tools/scripts/pack.sh packs it with the site.
#
#   bin/kern  lib/libkern*.so  include/{kern,dlpack}  lib/{cmake/Kern,pkgconfig}
#   share/man/man1, and completions in the folders where shells look
#   share/kern/{stdlib,examples,test,editors}: copies of the source folders
#   share/kern/{LICENSE,licences}
#
# The root includes this file last, when all targets are known.
set(CMAKE_INSTALL_LIBDIR lib)
set(CMAKE_INSTALL_INCLUDEDIR include)
set(CMAKE_INSTALL_BINDIR bin)
include(CMakePackageConfigHelpers)
include(KernTargets)

kern_targets_below(${CMAKE_SOURCE_DIR} targets)
foreach(target ${targets})
  get_target_property(type ${target} TYPE)
  get_target_property(name ${target} OUTPUT_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  if(type STREQUAL "SHARED_LIBRARY" AND name MATCHES "^kern(_runtime)?$")
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  elseif(type STREQUAL "EXECUTABLE" AND name STREQUAL "kern")
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  elseif(type STREQUAL "EXECUTABLE" AND (name MATCHES "^kern_.*_tests$" OR name STREQUAL "kern-opt"))
    # If LLVM is linked statically, each of these would contain the compiler
    # again. Those that need it are only built with shared LLVM.
    kern_links(${target} kern_llvm needs_llvm)
    if(NOT needs_llvm)
      set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../../../../lib")
      install(TARGETS ${target} RUNTIME DESTINATION share/kern/test/bin)
    elseif(KERN_STATIC_LLVM)
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
  endif()
endforeach()

find_path(KERN_DLPACK_INCLUDE dlpack/dlpack.h REQUIRED)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include/kern DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${KERN_DLPACK_INCLUDE}/dlpack/dlpack.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dlpack)
foreach(folder stdlib examples)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION share/kern PATTERN __pycache__ EXCLUDE)
endforeach()
foreach(folder e2e bench programs)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/test/${folder} DESTINATION share/kern/test
          PATTERN __pycache__ EXCLUDE)
endforeach()
# Grammars for editors.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/tools/editors DESTINATION share/kern PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/kern)
# Licences of statically linked libraries that must accompany the binary.
install(FILES ${CMAKE_SOURCE_DIR}/tools/licences/utf8proc.txt DESTINATION share/kern/licences)

configure_package_config_file(${CMAKE_SOURCE_DIR}/tools/cmake/KernConfig.cmake.in
  ${CMAKE_BINARY_DIR}/KernConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Kern
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/KernConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/KernConfig.cmake ${CMAKE_BINARY_DIR}/KernConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/tools/cmake/KernAddObject.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Kern)

# The manual page and completions, which the tool writes.
if(TARGET kern_tool)
  set(share ${CMAKE_BINARY_DIR}/share)
  foreach(row "man/man1/kern.1 help --man" "bash-completion/completions/kern completions bash"
              "zsh/site-functions/_kern completions zsh"
              "fish/vendor_completions.d/kern.fish completions fish")
    separate_arguments(row)
    list(POP_FRONT row file)
    get_filename_component(folder ${file} DIRECTORY)
    file(MAKE_DIRECTORY ${share}/${folder})
    add_custom_command(OUTPUT ${share}/${file} COMMAND kern_tool ${row} > ${share}/${file}
                       DEPENDS kern_tool VERBATIM)
    install(FILES ${share}/${file} DESTINATION share/${folder})
    list(APPEND said ${share}/${file})
  endforeach()
  add_custom_target(kern_share ALL DEPENDS ${said})
endif()

# kern_pkg_config(NAME LIBRARY DESCRIPTION): NAME.pc.
function(kern_pkg_config pc_name pc_library pc_description)
  set(file ${CMAKE_BINARY_DIR}/pkgconfig/${pc_name}.pc)
  configure_file(${CMAKE_SOURCE_DIR}/tools/cmake/kern.pc.in ${file} @ONLY)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
kern_pkg_config(kern kern "Kern: compiles .kern sources and runs them")
kern_pkg_config(kern-runtime kern_runtime "Kern's runtime: runs compiled files, without a compiler")
