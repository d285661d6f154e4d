# find_package(weft) reads this file: installed in <prefix>/share/weft, or here with -Dweft_DIR=….
include("${CMAKE_CURRENT_LIST_DIR}/weft.cmake")
