#include "g_world.c"
#include "g_run.c"
#include "g_schema.c"
