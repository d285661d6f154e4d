# The version, as weft.h has it, and which ones find_package(weft 1.0) takes: those of one major number
# that are not older.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/weft.h" PACKAGE_VERSION REGEX "^#define WEFT_VERSION_[A-Z]+ [0-9]+$")
list(TRANSFORM PACKAGE_VERSION REPLACE "^.* " "")
list(GET PACKAGE_VERSION 0 weft_major)
list(JOIN PACKAGE_VERSION "." PACKAGE_VERSION)
if(PACKAGE_FIND_VERSION_MAJOR STREQUAL weft_major AND PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
        set(PACKAGE_VERSION_EXACT TRUE)
    endif()
endif()
