# The parts of the CUDA toolkit that the build needs: cuda.h (types only; the
# driver is loaded at run time), libdevice (built in) and ptxas (tests). Without a
# toolkit, `./dev setup` downloads them from PyPI into build/cuda.
set(KERN_CUDA_ROOTS ${CMAKE_SOURCE_DIR}/build/cuda $ENV{CUDA_HOME} /usr/local/cuda /usr/lib/cuda /usr)
find_path(KERN_CUDA_INCLUDE cuda.h PATHS ${KERN_CUDA_ROOTS} PATH_SUFFIXES include targets/x86_64-linux/include NO_DEFAULT_PATH)
find_file(KERN_LIBDEVICE libdevice.10.bc PATHS ${KERN_CUDA_ROOTS} PATH_SUFFIXES nvvm/libdevice NO_DEFAULT_PATH)
find_program(KERN_PTXAS ptxas PATHS ${KERN_CUDA_ROOTS} PATH_SUFFIXES bin NO_DEFAULT_PATH)
foreach(part KERN_CUDA_INCLUDE KERN_LIBDEVICE KERN_PTXAS)
  if(NOT ${part})
    message(FATAL_ERROR "${part} was not found in a CUDA toolkit. Run ./dev setup, which gets it from PyPI, "
                        "or set CUDA_HOME to a toolkit.")
  endif()
endforeach()
