# Tests of the installed package: the static one built here, and the shared one that a consumer built.
if(NOT EXISTS "${PCHR_OUTSIDE_DIR}")
  execute_process(COMMAND mktemp -d -t pchr-package-XXXXXX OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  set(PCHR_OUTSIDE_DIR ${folder} CACHE INTERNAL "Where the package tests build")
endif()
set(outside ${PCHR_OUTSIDE_DIR})
set(character ${PROJECT_SOURCE_DIR}/assets/kiri.pchr)

# pchr_consumer(NAME PROJECT VARIABLE=VALUE...): builds tests/embed/PROJECT outside this tree and runs it.
function(pchr_consumer name project)
  list(TRANSFORM ARGN PREPEND -D OUTPUT_VARIABLE options)
  add_test(NAME ${name} COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/${project} ${outside}/${name}
    --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
    --build-options -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
      -DPCHR_SOURCE_DIR=${PROJECT_SOURCE_DIR} ${options}
    --test-command ${outside}/${name}/${project} ${character})
endfunction()

# pchr_installed(LINKAGE BUILD [LIBRARY...]): installs BUILD and adds the tests NAME_LINKAGE, which use it. They expect the
# LIBRARYs besides those that are always there.
function(pchr_installed linkage build)
  add_test(NAME installed_${linkage} COMMAND ${CMAKE_COMMAND} -D BUILD=${build} -D PREFIX=${outside}/${linkage}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/install.cmake)
  set_tests_properties(installed_${linkage} PROPERTIES FIXTURES_SETUP installed_${linkage})
  pchr_consumer(found_by_find_package_${linkage} consumer CMAKE_PREFIX_PATH=${outside}/${linkage})
  pchr_consumer(found_from_c_${linkage} c_consumer CMAKE_PREFIX_PATH=${outside}/${linkage}
    CMAKE_DISABLE_FIND_PACKAGE_glm=$<STREQUAL:${linkage},shared>)
  add_test(NAME found_by_pkg_config_${linkage} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/with_pkg_config.sh
    ${outside}/${linkage} ${linkage} ${outside}/pkg_config_${linkage} ${CMAKE_CXX_COMPILER} ${CMAKE_C_COMPILER}
    ${PROJECT_SOURCE_DIR}/tests ${character})
  set(extension $<IF:$<STREQUAL:${linkage},shared>,so,a>)
  add_test(NAME shows_only_pchr_${linkage} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/symbols.sh ${CMAKE_NM}
    ${outside}/${linkage} libpchr.${extension} libpchr_render.${extension} libpchr_runtime.${extension} ${ARGN})
  pchr_consumer(found_from_c_for_v1_${linkage} c_consumer CMAKE_PREFIX_PATH=${outside}/${linkage} COMPONENT=c_v1
    CMAKE_DISABLE_FIND_PACKAGE_GIF=ON CMAKE_DISABLE_FIND_PACKAGE_glm=$<STREQUAL:${linkage},shared>)
  set_tests_properties(found_by_find_package_${linkage} found_from_c_${linkage} found_from_c_for_v1_${linkage}
    found_by_pkg_config_${linkage} shows_only_pchr_${linkage} PROPERTIES FIXTURES_REQUIRED "outside;installed_${linkage}")
endfunction()

add_test(NAME left_outside COMMAND ${CMAKE_COMMAND} -E rm -rf ${outside})
set_tests_properties(left_outside PROPERTIES FIXTURES_CLEANUP outside)

# FetchContent adds the directory as add_subdirectory does, so configuring is enough.
add_test(NAME added_by_fetch_content COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR}
  -S ${CMAKE_CURRENT_SOURCE_DIR}/consumer -B ${outside}/added_by_fetch_content -DHOW=FetchContent
  -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -DPCHR_SOURCE_DIR=${PROJECT_SOURCE_DIR})
# A project that adds pchr only has to configure.
foreach(has targets export "targets\\;export")
  string(REPLACE "\\;" _and_ name "${has}")
  add_test(NAME added_to_a_project_with_${name} COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR}
    -S ${CMAKE_CURRENT_SOURCE_DIR}/parent -B ${outside}/parent_${name} -DHAS=${has}
    -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
    -DPCHR_SOURCE_DIR=${PROJECT_SOURCE_DIR})
  set_tests_properties(added_to_a_project_with_${name} PROPERTIES FIXTURES_REQUIRED outside)
endforeach()
set(shared HOW=add_subdirectory BUILD_SHARED_LIBS=ON PCHR_C=ON PCHR_INSTALL=ON CMAKE_UNITY_BUILD=ON
  CMAKE_UNITY_BUILD_BATCH_SIZE=16)
pchr_consumer(added_by_add_subdirectory consumer ${shared})
# The importers take longer to build than the rest.
pchr_consumer(added_with_importers consumer ${shared} PCHR_IMPORT=ON)
set_tests_properties(added_with_importers PROPERTIES LABELS long)
set_tests_properties(added_by_fetch_content added_by_add_subdirectory added_with_importers PROPERTIES
  FIXTURES_REQUIRED outside)
set_tests_properties(added_by_add_subdirectory PROPERTIES FIXTURES_SETUP built_shared COST 100)

pchr_installed(static ${CMAKE_BINARY_DIR} libpchr_import.a)
include(GNUInstallDirs)
foreach(program pchr pchr-player)
  string(REPLACE - _ target ${program})
  if(TARGET ${target})
    set(share ${outside}/static/${CMAKE_INSTALL_DATADIR})
    add_test(NAME ${program}_is_installed_with_man_page_and_completions COMMAND ${CMAKE_COMMAND} -E cat
      ${outside}/static/${CMAKE_INSTALL_MANDIR}/man1/${program}.1 ${share}/bash-completion/completions/${program}
      ${share}/zsh/site-functions/_${program} ${share}/fish/vendor_completions.d/${program}.fish)
    set_tests_properties(${program}_is_installed_with_man_page_and_completions PROPERTIES
      FIXTURES_REQUIRED "outside;installed_static" PASS_REGULAR_EXPRESSION "^.TH PCHR.*complete -c ${program} ")
  endif()
endforeach()
if(PCHR_C_SHARED)
  pchr_consumer(found_from_c_without_glm c_consumer CMAKE_PREFIX_PATH=${outside}/static COMPONENT=c_shared
    CMAKE_DISABLE_FIND_PACKAGE_glm=ON)
  set_tests_properties(found_from_c_without_glm PROPERTIES FIXTURES_REQUIRED "outside;installed_static")
endif()
# Limits the code size of a game that loads, animates and draws characters.
set_tests_properties(found_by_find_package_static PROPERTIES FIXTURES_SETUP static_game)
add_test(NAME game_is_small COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/game_size.sh
  ${outside}/found_by_find_package_static/consumer 700000 ${CMAKE_NM} ${CMAKE_STRIP})
set_tests_properties(game_is_small PROPERTIES FIXTURES_REQUIRED "outside;static_game")
# The same for a C program that draws itself.
set_tests_properties(found_by_pkg_config_static PROPERTIES FIXTURES_SETUP static_v1)
add_test(NAME c_game_is_small COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/game_size.sh
  ${outside}/pkg_config_static/v1 600000 ${CMAKE_NM} ${CMAKE_STRIP})
set_tests_properties(c_game_is_small PROPERTIES FIXTURES_REQUIRED "outside;static_v1")
if(TARGET snippet_program)
  # The program of docs/embedding.md with its own CMakeLists.txt.
  add_test(NAME program_of_embedding_builds COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test ${snippets}/program_0 ${outside}/program_of_embedding_builds
    --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
    --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${outside}/static)
  set_tests_properties(program_of_embedding_builds PROPERTIES FIXTURES_REQUIRED "outside;installed_static")
endif()
if(TARGET example_game)
  add_test(NAME example_game_builds_in_its_own_folder COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test ${PROJECT_SOURCE_DIR}/examples/game ${outside}/example_game
    --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
    --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${outside}/static
      "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
  set_tests_properties(example_game_builds_in_its_own_folder PROPERTIES FIXTURES_REQUIRED "outside;installed_static")
endif()
pchr_installed(shared ${outside}/added_by_add_subdirectory)
set_tests_properties(installed_static PROPERTIES FIXTURES_REQUIRED outside)
set_tests_properties(installed_shared PROPERTIES FIXTURES_REQUIRED "outside;built_shared")

# The shared libraries take longer to build than all other tests of the package.
set_tests_properties(added_by_add_subdirectory installed_shared found_by_find_package_shared found_from_c_shared
  found_from_c_for_v1_shared found_by_pkg_config_shared shows_only_pchr_shared PROPERTIES LABELS long)

# Packages are looked at by tests/packages/contents_test.py.
set(check_paths Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/packages/library_paths.py)
add_test(NAME programs_load_no_library_from_the_current_folder
  COMMAND ${check_paths} ${CMAKE_BINARY_DIR} ${outside}/static)
set_tests_properties(programs_load_no_library_from_the_current_folder PROPERTIES
  FIXTURES_REQUIRED "outside;installed_static")
add_test(NAME shared_libraries_load_none_from_the_current_folder
  COMMAND ${check_paths} ${outside}/added_by_add_subdirectory/pchr ${outside}/shared)
set_tests_properties(shared_libraries_load_none_from_the_current_folder PROPERTIES
  FIXTURES_REQUIRED "outside;installed_shared" LABELS long)
