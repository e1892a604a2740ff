#include "ck_png_error.h"

#include <stdio.h>
#include <stdlib.h>

void ck_png_state_start(ck_png_state *state, ck_png_message *message, size_t memory_limit) {
    state->status = CK_PNG_OK;
    state->message = message;
    state->memory_left = memory_limit;
    message->text[0] = 0;
}

void ck_png_leave(png_structp codec, png_const_charp sentence) {
    ck_png_state *state = png_get_error_ptr(codec);
    snprintf(state->message->text, sizeof state->message->text, "%s", sentence);
    if (state->status == CK_PNG_OK) state->status = CK_PNG_CORRUPT;
    longjmp(state->escape, 1);
}

void ck_png_be_silent(png_structp codec, png_const_charp sentence) {
    (void)codec;
    (void)sentence;
}

// Each block begins with its size, in room that keeps what follows aligned.
enum { ALIGNED_SIZE = 16 };

png_voidp ck_png_allocate(png_structp codec, png_alloc_size_t byte_count) {
    ck_png_state *state = png_get_mem_ptr(codec);
    if (byte_count > state->memory_left || state->memory_left - byte_count < ALIGNED_SIZE) {
        state->status = CK_PNG_TOO_LARGE;
        return NULL;
    }
    uint8_t *block = malloc(byte_count + ALIGNED_SIZE);
    if (!block) {
        state->status = CK_PNG_NO_MEMORY;
        return NULL;
    }
    *(size_t *)block = byte_count + ALIGNED_SIZE;
    state->memory_left -= byte_count + ALIGNED_SIZE;
    return block + ALIGNED_SIZE;
}

void ck_png_release(png_structp codec, png_voidp memory) {
    if (!memory) return;
    ck_png_state *state = png_get_mem_ptr(codec);
    uint8_t *block = (uint8_t *)memory - ALIGNED_SIZE;
    state->memory_left += *(size_t *)block;
    free(block);
}
