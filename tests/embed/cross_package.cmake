# Tests of the installed package for another system, with the toolchain file of this build. Its programs run in the
# emulator.
set(outside ${CMAKE_CURRENT_BINARY_DIR}/outside)
set(character ${PROJECT_SOURCE_DIR}/assets/kiri.pchr)
cmake_path(GET CMAKE_TOOLCHAIN_FILE PARENT_PATH toolchain_folder)

add_test(NAME installed COMMAND ${CMAKE_COMMAND} -D BUILD=${CMAKE_BINARY_DIR} -D PREFIX=${outside}/static
  -P ${CMAKE_CURRENT_SOURCE_DIR}/install.cmake)
set_tests_properties(installed PROPERTIES FIXTURES_SETUP installed)

# pchr_consumer(NAME PROJECT VARIABLE=VALUE...): builds tests/embed/PROJECT outside this tree and runs it.
function(pchr_consumer name project)
  list(TRANSFORM ARGN PREPEND -D OUTPUT_VARIABLE options)
  add_test(NAME ${name} COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/${project} ${outside}/${name}
    --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
    --build-options -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE} -DPCHR_SOURCE_DIR=${PROJECT_SOURCE_DIR}
      -Dpchr_DIR=${outside}/static/lib/cmake/pchr ${options}
    --test-command ${CMAKE_CROSSCOMPILING_EMULATOR} ${outside}/${name}/${project}${CMAKE_EXECUTABLE_SUFFIX} ${character})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED installed)
endfunction()
pchr_consumer(found_by_find_package consumer)
pchr_consumer(found_from_c c_consumer)
if(PCHR_C_SHARED)
  pchr_consumer(found_from_c_without_glm c_consumer COMPONENT=c_shared CMAKE_DISABLE_FIND_PACKAGE_glm=ON)
  set_tests_properties(found_from_c_without_glm PROPERTIES ENVIRONMENT WINEPATH=${outside}/static/bin)
endif()
