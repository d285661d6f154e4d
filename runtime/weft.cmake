# Weft in a CMake build: the library weft::weft, which is the runtime compiled with the flags of the
# build, and
#
#   weft_generate(TARGET SCHEMA FILE [STRICT])
#
# which generates C from a schema, and adds the sources, their include path and the library to TARGET.
# A target may have several worlds. The project must enable C, and CXX too for games in C++.
#
# WEFT_GENERATOR is the command of the generator, as a list. If it is not set, the generator next to
# this file is used, with the Python of its .venv or the one that CMake finds; else `weft` from PATH.
include_guard(GLOBAL)

set(WEFT_RUNTIME "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "the folder of Weft's runtime")

if(NOT CMAKE_C_COMPILER_LOADED)
    message(FATAL_ERROR "Weft's runtime and generated code are C: project(… LANGUAGES C)")
endif()

find_package(Threads REQUIRED)

# Runtime, generated code and game must be compiled with the same flags, so each build compiles the
# library. If a * b + c is not contracted, equal seeds give equal worlds on every machine.
add_library(weft_runtime STATIC "${WEFT_RUNTIME}/weft.c" "${WEFT_RUNTIME}/weft_json.c")
add_library(weft::weft ALIAS weft_runtime)
set_target_properties(weft_runtime PROPERTIES OUTPUT_NAME weft POSITION_INDEPENDENT_CODE ON)
target_include_directories(weft_runtime SYSTEM PUBLIC "${WEFT_RUNTIME}")
target_compile_features(weft_runtime PUBLIC c_std_11)
target_link_libraries(weft_runtime PUBLIC Threads::Threads)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(weft_runtime PUBLIC -ffp-contract=off)
endif()
# The linker drops functions of the runtime that a program does not call.
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
    target_compile_options(weft_runtime PUBLIC -ffunction-sections -fdata-sections)
    target_link_options(weft_runtime PUBLIC "LINKER:$<IF:$<PLATFORM_ID:Darwin>,-dead_strip,--gc-sections>")
endif()

# Finds the command of the generator, unless the project or the user sets it.
if(NOT WEFT_GENERATOR)
    foreach(place "${WEFT_RUNTIME}/../codegen" "${WEFT_RUNTIME}/codegen")
        if(EXISTS "${place}/__main__.py")
            get_filename_component(place "${place}" ABSOLUTE)
            if(NOT Python3_EXECUTABLE AND EXISTS "${place}/../.venv/bin/python3")
                set(Python3_EXECUTABLE "${place}/../.venv/bin/python3")
            endif()
            find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
            set(WEFT_GENERATOR "${Python3_EXECUTABLE}" "${place}" CACHE STRING "Weft's generator")
            break()
        endif()
    endforeach()
endif()
if(NOT WEFT_GENERATOR)
    find_program(WEFT_GENERATOR weft DOC "Weft's generator")
endif()
if(NOT WEFT_GENERATOR)
    message(FATAL_ERROR "there is no command 'weft', which generates code: install it by pip from the folder "
        "codegen of Weft, or say where it is, as in -DWEFT_GENERATOR=/usr/local/bin/weft")
endif()

# Returns paths that the generator prints. They must be known when CMake configures. After an edit of
# the schema, CMake configures again.
function(_weft_list result)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE report RESULT_VARIABLE code
        OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${report}")
    endif()
    string(REPLACE ";" "\\;" text "${text}")
    string(REPLACE "\n" ";" paths "${text}")
    set(${result} "${paths}" PARENT_SCOPE)
endfunction()

function(weft_generate target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT" "SCHEMA" "")
    if(NOT TARGET "${target}" OR NOT arg_SCHEMA OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "weft_generate(TARGET SCHEMA FILE [STRICT]), after add_executable or add_library")
    endif()
    get_filename_component(schema "${arg_SCHEMA}" ABSOLUTE)
    set(out "${CMAKE_CURRENT_BINARY_DIR}/weft/${target}")
    set(command ${WEFT_GENERATOR} generate "${schema}" --out "${out}")
    if(arg_STRICT)
        list(APPEND command --strict)
    endif()
    # If the schema has an error, CMake must configure again after it is mended.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${schema}")
    _weft_list(inputs ${command} --list-schema)
    _weft_list(outputs ${command} --list)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})

    list(GET outputs 0 first)
    get_filename_component(folder "${first}" DIRECTORY)
    get_filename_component(world "${folder}" NAME)
    set(stamp "${out}/${world}.stamp")
    set(sources ${outputs})
    list(FILTER sources INCLUDE REGEX "\\.c$")
    # The generated files are byproducts, because files that do not change keep their times. So files
    # that depend on them are not built again.
    add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${outputs}
        COMMAND ${command} --stamp "${stamp}" --depfile "${stamp}.d"
        DEPENDS ${inputs} DEPFILE "${stamp}.d"
        COMMENT "Generating world ${world}" VERBATIM)
    add_custom_target(${target}_${world}_weft DEPENDS "${stamp}")
    add_dependencies(${target} ${target}_${world}_weft)
    set_source_files_properties(${outputs} PROPERTIES GENERATED TRUE)
    target_sources(${target} PRIVATE ${sources})
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${folder}>")
    target_link_libraries(${target} PUBLIC weft::weft)
endfunction()
