#pragma once

// libpng's error handler and memory as return values: by default it prints and ends the process.

#include <setjmp.h>

#include <png.h>

#include "ck_png.h"

typedef struct ck_png_state {
    jmp_buf escape;
    ck_png_status status;
    ck_png_message *message;
    size_t memory_left;
} ck_png_state;

void ck_png_state_start(ck_png_state *state, ck_png_message *message, size_t memory_limit);

_Noreturn void ck_png_leave(png_structp codec, png_const_charp sentence);
void ck_png_be_silent(png_structp codec, png_const_charp sentence);

// Memory that is counted and bounded.
png_voidp ck_png_allocate(png_structp codec, png_alloc_size_t byte_count);
void ck_png_release(png_structp codec, png_voidp memory);
