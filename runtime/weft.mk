# Weft in a GNU makefile. After
#
#   include weft/weft.mk
#   $(eval $(call weft_world,drift,drift.toml))
#
# the code of the world drift is in $(WEFT_OUT)/drift. WEFT_OBJECTS are the objects of generated code
# and runtime, and WEFT_CPPFLAGS are the include paths of their headers. A program that is linked with
# WEFT_LDFLAGS contains only the functions of the runtime that it calls. Paths must not contain spaces.
#
# The generator writes the depfile of a world, which Make includes. So if the schema has changed, Make
# runs the generator first and then starts again, and never uses the old times of generated headers.
WEFT_GENERATOR ?= weft
WEFT_OUT ?= generated
WEFT_BUILD ?= build
WEFT_RUNTIME := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
WEFT_FLAGS = $(CFLAGS) $(CPPFLAGS) -pthread -ffp-contract=off -ffunction-sections -fdata-sections -MMD -MP
WEFT_CPPFLAGS = -I $(WEFT_RUNTIME)
ifeq ($(shell uname),Darwin)
WEFT_LDFLAGS = -Wl,-dead_strip
else
WEFT_LDFLAGS = -Wl,--gc-sections
endif
WEFT_OBJECTS = $(WEFT_BUILD)/weft.o $(WEFT_BUILD)/weft_json.o

define weft_world
WEFT_CPPFLAGS += -I $(WEFT_OUT)/$(1)
WEFT_OBJECTS += $(WEFT_BUILD)/$(1)_world.o $(WEFT_BUILD)/$(1)_run.o $(WEFT_BUILD)/$(1)_schema.o
$(WEFT_OUT)/$(1)/$(1).d: $(2)
	$(WEFT_GENERATOR) generate $(2) --out $(WEFT_OUT) --depfile $$@
include $(WEFT_OUT)/$(1)/$(1).d
$(WEFT_BUILD)/$(1)_%.o: $(WEFT_OUT)/$(1)/$(1)_%.c
	@mkdir -p $$(@D)
	$$(CC) $$(WEFT_FLAGS) -c $$< -o $$@
-include $(WEFT_BUILD)/$(1)_world.d $(WEFT_BUILD)/$(1)_run.d $(WEFT_BUILD)/$(1)_schema.d
endef

$(WEFT_BUILD)/weft.o $(WEFT_BUILD)/weft_json.o: $(WEFT_BUILD)/%.o: $(WEFT_RUNTIME)/%.c
	@mkdir -p $(@D)
	$(CC) $(WEFT_FLAGS) -c $< -o $@
-include $(WEFT_BUILD)/weft.d $(WEFT_BUILD)/weft_json.d
