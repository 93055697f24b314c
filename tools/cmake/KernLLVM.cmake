# kern_llvm_headers: the headers of LLVM 22 and MLIR; kern_llvm: their libraries
# too; kern_llvm_support: numbers and texts alone, without MLIR and targets.
#
# For static linking the archives are named by path, in one group: MLIR's imported
# CMake targets would also link libLLVM.so.
find_program(KERN_LLVM_CONFIG NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${KERN_LLVM_CONFIG} --prefix OUTPUT_VARIABLE KERN_LLVM_PREFIX
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_program(KERN_MLIR_TBLGEN NAMES mlir-tblgen mlir-tblgen-22 PATHS ${KERN_LLVM_PREFIX}/bin REQUIRED)

add_library(kern_llvm_headers INTERFACE)
add_library(kern_llvm INTERFACE)
add_library(kern_llvm_support INTERFACE)
target_link_libraries(kern_llvm INTERFACE kern_llvm_headers)
target_link_libraries(kern_llvm_support INTERFACE kern_llvm_headers)
target_include_directories(kern_llvm_headers SYSTEM INTERFACE ${KERN_LLVM_PREFIX}/include)
# LLVM's package is built without assertions; our development builds have them.
target_compile_definitions(kern_llvm_headers INTERFACE LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1
                           _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
target_compile_options(kern_llvm_headers INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-parameter>)

if(KERN_STATIC_LLVM)
  execute_process(COMMAND ${KERN_LLVM_CONFIG} --link-static --libfiles
                          core support irreader bitreader bitwriter linker ipo passes target
                          nvptx native orcjit
                  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(llvm_archives)
  execute_process(COMMAND ${KERN_LLVM_CONFIG} --link-static --libfiles support
                  OUTPUT_VARIABLE support_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(support_archives)
  target_link_libraries(kern_llvm_support INTERFACE
    ${support_archives} -l:libz.a -l:libzstd.a -lpthread -ldl -lm)
  file(GLOB mlir_archives ${KERN_LLVM_PREFIX}/lib/libMLIR*.a)
  list(FILTER mlir_archives EXCLUDE REGEX "libMLIR(CAPI|Test|ExecutionEngine|Lsp|Tblgen|BytecodeReader_test)")
  target_link_libraries(kern_llvm INTERFACE
    -Wl,--start-group ${mlir_archives} ${llvm_archives} -Wl,--end-group
    -l:libz.a -l:libzstd.a -lpthread -ldl -lm)
  # The package needs only glibc and libgcc_s. Not having to look up five thousand symbols of
  # libstdc++ also saves a third of the time that loading libkern takes.
  if(NOT KERN_SANITIZE)
    add_link_options($<$<LINK_LANGUAGE:CXX>:-static-libstdc++>)
  endif()
else()
  target_link_libraries(kern_llvm INTERFACE
    -L${KERN_LLVM_PREFIX}/lib ${KERN_LLVM_PREFIX}/lib/libMLIR.so ${KERN_LLVM_PREFIX}/lib/libLLVM.so)
  target_link_libraries(kern_llvm_support INTERFACE ${KERN_LLVM_PREFIX}/lib/libLLVM.so)
endif()

# kern_tablegen(File.td OUT FLAG…): generates OUT in the build's copy of the
# calling folder and adds it to KERN_TABLEGEN_OUTPUTS there.
function(kern_tablegen td out)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${out})
  add_custom_command(OUTPUT ${output}
    COMMAND ${KERN_MLIR_TBLGEN} ${ARGN} -I ${KERN_LLVM_PREFIX}/include -I ${CMAKE_SOURCE_DIR}
            ${CMAKE_CURRENT_SOURCE_DIR}/${td} -o ${output} --write-if-changed -d ${output}.d
    DEPFILE ${output}.d
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${td})
  set(KERN_TABLEGEN_OUTPUTS ${KERN_TABLEGEN_OUTPUTS} ${output} PARENT_SCOPE)
endfunction()

# MLIR's headers cost seconds in every translation unit. Those that nearly all of
# ours include are precompiled.
file(WRITE ${CMAKE_BINARY_DIR}/MlirHeaders.cpp "")
add_library(kern_mlir_headers OBJECT ${CMAKE_BINARY_DIR}/MlirHeaders.cpp)
target_link_libraries(kern_mlir_headers PRIVATE kern_flags kern_llvm)
target_compile_options(kern_mlir_headers PRIVATE -Xclang -fno-pch-timestamp)
# The precompiled header contains the build folder's name. For ccache to share
# objects between folders, ccache must identify the header by its inputs (the file
# .pch.sum below) and must see it as -include-pch.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
set(kern_mlir_header_list
  <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/DialectImplementation.h> <mlir/IR/IRMapping.h>
  <mlir/IR/PatternMatch.h> <mlir/IR/SymbolTable.h> <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h> <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/Math/IR/Math.h> <mlir/Pass/Pass.h>)
target_precompile_headers(kern_mlir_headers PRIVATE ${kern_mlir_header_list})
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/CMakeFiles/kern_mlir_headers.dir/cmake_pch.hxx.pch.sum
     CONTENT "${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${KERN_SANITIZE} ${kern_mlir_header_list}\n")

# kern_add_mlir_library(NAME SOURCE…): a static library that links MLIR, with what
# kern_tablegen generates in the calling folder. Targets that link it are built
# after the generated headers.
function(kern_add_mlir_library name)
  add_library(${name} STATIC ${ARGN} ${KERN_TABLEGEN_OUTPUTS})
  target_include_directories(${name} PUBLIC ${CMAKE_BINARY_DIR})
  target_link_libraries(${name} PUBLIC kern_flags kern_llvm)
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  target_precompile_headers(${name} REUSE_FROM kern_mlir_headers)
endfunction()
