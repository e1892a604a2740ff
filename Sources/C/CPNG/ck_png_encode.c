#include <stdlib.h>
#include <string.h>

#include "ck_png.h"
#include "ck_png_error.h"

typedef struct sink {
    uint8_t *bytes;
    size_t count, room;
} sink;

static void write_bytes(png_structp codec, png_bytep bytes, size_t byte_count) {
    sink *to = png_get_io_ptr(codec);
    if (byte_count > to->room - to->count) {
        size_t room = to->room * 2 > to->count + byte_count ? to->room * 2 : to->count + byte_count;
        uint8_t *larger = realloc(to->bytes, room);
        if (!larger) {
            ((ck_png_state *)png_get_error_ptr(codec))->status = CK_PNG_NO_MEMORY;
            png_error(codec, "out of memory");
        }
        to->bytes = larger;
        to->room = room;
    }
    memcpy(to->bytes + to->count, bytes, byte_count);
    to->count += byte_count;
}

static void flush(png_structp codec) { (void)codec; }

static int color_type(ck_png_samples samples) {
    switch (samples) {
    case CK_PNG_GREY:
    case CK_PNG_GREY_OF_BGRX: return PNG_COLOR_TYPE_GRAY;
    case CK_PNG_GREY_ALPHA_OF_BGRA: return PNG_COLOR_TYPE_GRAY_ALPHA;
    case CK_PNG_BGRA: return PNG_COLOR_TYPE_RGB_ALPHA;
    default: return PNG_COLOR_TYPE_RGB;
    }
}

static int is_grey_of_four(ck_png_samples samples) {
    return samples == CK_PNG_GREY_OF_BGRX || samples == CK_PNG_GREY_ALPHA_OF_BGRA;
}

static void take_grey(const uint8_t *row, int width, ck_png_samples samples, uint8_t *grey) {
    if (samples == CK_PNG_GREY_OF_BGRX) {
        for (int x = 0; x < width; x++) grey[x] = row[4 * x];
        return;
    }
    for (int x = 0; x < width; x++) {
        grey[2 * x] = row[4 * x];
        grey[2 * x + 1] = row[4 * x + 3];
    }
}

static void encode(png_structp codec, png_infop info, const ck_png_picture *picture, uint8_t *grey) {
    png_set_IHDR(codec, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
                 color_type(picture->samples), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(codec, info);
    if (picture->samples == CK_PNG_BGR || picture->samples == CK_PNG_BGRA || picture->samples == CK_PNG_BGRX)
        png_set_bgr(codec);
    if (picture->samples == CK_PNG_BGRX) png_set_filler(codec, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *row = picture->pixels + (size_t)y * picture->stride;
        if (grey) take_grey(row, picture->width, picture->samples, grey);
        png_write_row(codec, grey ? grey : row);
    }
    png_write_end(codec, NULL);
}

ck_png_status ck_png_encode(const ck_png_picture *picture, uint8_t **bytes, size_t *byte_count,
                            ck_png_message *message) {
    ck_png_state state;
    ck_png_state_start(&state, message, SIZE_MAX);
    sink to = {malloc(1 << 16), 0, 1 << 16};
    int has_grey = is_grey_of_four(picture->samples);
    uint8_t *grey = has_grey ? malloc(2 * (size_t)picture->width) : NULL;
    png_structp volatile codec = NULL;
    png_infop volatile info = NULL;
    if (!to.bytes || (!grey && has_grey)) state.status = CK_PNG_NO_MEMORY;
    if (state.status == CK_PNG_OK && setjmp(state.escape) == 0) {
        codec = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &state, ck_png_leave, ck_png_be_silent, &state,
                                          ck_png_allocate, ck_png_release);
        if (!codec) {
            state.status = CK_PNG_NO_MEMORY;
        } else {
            info = png_create_info_struct(codec);
            if (!info) png_error(codec, "out of memory");
            png_set_write_fn(codec, &to, write_bytes, flush);
            encode(codec, info, picture, grey);
        }
    }
    png_structp made = codec;
    png_infop made_info = info;
    if (made) png_destroy_write_struct(&made, &made_info);
    free(grey);
    if (state.status != CK_PNG_OK) {
        free(to.bytes);
        return state.status;
    }
    *bytes = to.bytes;
    *byte_count = to.count;
    return CK_PNG_OK;
}
