# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Inversight developers
#
# A room of the house is one folder and one CMake target (docs/architecture.md). Every room is
# declared through inversight_room(), so that the list of rooms and their dependencies has one
# source; tests/house compares that list with the allowed directions.

add_library(inversight_options INTERFACE)
target_include_directories(inversight_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(inversight_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  # Clang takes a TRY whose value nobody needs for a forgotten result, and blames libstdc++ 12's
  # stable_sort on its callers; GCC's builds watch both.
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety;-Wno-unused-result;-Wno-deprecated-declarations>
  # GCC 12 reports string's own inlined copies, differently by how a file is reached (GCC PR 105329, 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)
if(CMAKE_UNITY_BUILD)
  # In a unity build every anonymous namespace is "somebody else's".
  target_compile_options(inversight_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
target_link_libraries(inversight_options INTERFACE Threads::Threads)
if(INVERSIGHT_SANITIZE)
  target_compile_options(inversight_options INTERFACE
    -fsanitize=${INVERSIGHT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(inversight_options INTERFACE -fsanitize=${INVERSIGHT_SANITIZE})
endif()

# inversight_room(NAME core/base SOURCES a.cpp HEADERS a.h DEPENDS core/x LIBRARIES fmt::fmt)
#   NAME       the folder, from the top of the tree; the target is inversight_core_base and
#              its alias inversight::core/base's form inversight::core_base
#   HEADERS    all headers of the room; each is compiled alone by all_verify_interface_header_sets
#   DEPENDS    other rooms, public
#   LIBRARIES  third-party targets, public;  PRIVATE_LIBRARIES  the same, private
function(inversight_room)
  cmake_parse_arguments(ROOM "" "NAME" "SOURCES;HEADERS;DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" suffix "${ROOM_NAME}")
  set(target "inversight_${suffix}")
  if(ROOM_SOURCES)
    add_library(${target} STATIC ${ROOM_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(inversight::${suffix} ALIAS ${target})
  target_sources(${target} ${scope}
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${ROOM_HEADERS})
  target_link_libraries(${target} ${scope} inversight_options ${ROOM_LIBRARIES})
  if(ROOM_PRIVATE_LIBRARIES)
    target_link_libraries(${target} PRIVATE ${ROOM_PRIVATE_LIBRARIES})
  endif()
  foreach(dependency IN LISTS ROOM_DEPENDS)
    string(REPLACE "/" "_" dependency_suffix "${dependency}")
    target_link_libraries(${target} ${scope} inversight_${dependency_suffix})
  endforeach()
  string(REPLACE ";" " " depends_text "${ROOM_DEPENDS}")
  set_property(GLOBAL APPEND_STRING PROPERTY INVERSIGHT_HOUSE "${ROOM_NAME}: ${depends_text}\n")
endfunction()

# GoogleTest's headers are most of what a test costs to compile: all tests share one precompiled form.
function(inversight_test_headers)
  if(NOT TARGET inversight_test_headers)
    file(WRITE "${CMAKE_BINARY_DIR}/test_headers.cpp" "")
    add_library(inversight_test_headers OBJECT "${CMAKE_BINARY_DIR}/test_headers.cpp")
    target_link_libraries(inversight_test_headers PUBLIC inversight_options GTest::gmock)
    target_precompile_headers(inversight_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endfunction()

# inversight_test(NAME test_core_base SOURCES a_test.cpp ROOMS core/base LIBRARIES x LABELS y)
# A GoogleTest executable whose cases ctest knows one by one.
function(inversight_test)
  cmake_parse_arguments(TEST "" "NAME" "SOURCES;ROOMS;LIBRARIES;LABELS" ${ARGN})
  inversight_test_headers()
  if(NOT TEST_LABELS)
    set(TEST_LABELS hermetic)
  endif()
  add_executable(${TEST_NAME} ${TEST_SOURCES})
  target_link_libraries(${TEST_NAME} PRIVATE inversight_options GTest::gmock_main ${TEST_LIBRARIES})
  foreach(room IN LISTS TEST_ROOMS)
    string(REPLACE "/" "_" suffix "${room}")
    target_link_libraries(${TEST_NAME} PRIVATE inversight_${suffix})
  endforeach()
  target_precompile_headers(${TEST_NAME} REUSE_FROM inversight_test_headers)
  set(timeout 300)
  if("soak" IN_LIST TEST_LABELS)
    set(timeout 3600)
  endif()
  # Sanitizers start a program slowly: there it is one test, and nobody asks it for its cases.
  if(INVERSIGHT_SANITIZE)
    add_test(NAME ${TEST_NAME} COMMAND ${TEST_NAME})
    set_tests_properties(${TEST_NAME} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT 1800)
  else()
    gtest_discover_tests(${TEST_NAME} DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${timeout} SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
endfunction()

# Writes "room: dependencies" lines for tests/house.
function(inversight_write_house)
  get_property(house GLOBAL PROPERTY INVERSIGHT_HOUSE)
  file(WRITE "${CMAKE_BINARY_DIR}/house.txt" "${house}")
endfunction()
