#include <string.h>

#include "ck_png.h"
#include "ck_png_error.h"

enum { SMALL_READ = 16 };

typedef struct source {
    const uint8_t *bytes;
    size_t left;
    int is_empty;  // more was asked for than there is
} source;

static void read_bytes(png_structp codec, png_bytep target, size_t byte_count) {
    source *from = png_get_io_ptr(codec);
    if (byte_count > from->left) {
        from->is_empty = 1;
        png_error(codec, "the bytes stop too early");
    }
    memcpy(target, from->bytes, byte_count);
    from->bytes += byte_count;
    from->left -= byte_count;
}

static void fill_with_grey(uint8_t *pixels, size_t stride, const ck_png_decode_options *options) {
    for (int y = 0; y < options->height; y++) {
        uint8_t *row = pixels + (size_t)y * stride;
        memset(row, 128, (size_t)options->width * 4);
        for (int x = 0; x < options->width; x++) row[4 * x + 3] = 255;
    }
}

// Whatever is in the file, libpng is to hand out blue, green, red, alpha of eight bits.
static void ask_for_bgra(png_structp codec, png_infop info, double gamma) {
    png_set_expand(codec);
    // By rounding, not by leaving the low byte out.
    png_set_scale_16(codec);
    if (!(png_get_color_type(codec, info) & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(codec);
    png_set_add_alpha(codec, 0xFF, PNG_FILLER_AFTER);
    png_set_bgr(codec);
    if (gamma > 0) png_set_gamma(codec, PNG_DEFAULT_sRGB, gamma);
}

static void decode(png_structp codec, png_infop info, const ck_png_decode_options *options, uint8_t *pixels,
                   size_t stride, int *whole_rows) {
    // What a picture says of itself is read elsewhere, with limits: here it costs nothing.
    png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_user_limits(codec, (png_uint_32)options->width, (png_uint_32)options->height);
    // libpng takes what it asks for whole or not at all.
    if (options->allows_damage) png_set_compression_buffer_size(codec, SMALL_READ);
    png_read_info(codec, info);
    if (png_get_image_width(codec, info) != (png_uint_32)options->width ||
        png_get_image_height(codec, info) != (png_uint_32)options->height)
        png_error(codec, "two headers of different sizes");
    ask_for_bgra(codec, info, options->gamma);
    int passes = png_set_interlace_handling(codec);
    png_read_update_info(codec, info);
    if (png_get_rowbytes(codec, info) != (size_t)options->width * 4) png_error(codec, "rows of a strange length");
    if (options->allows_damage) fill_with_grey(pixels, stride, options);
    *whole_rows = 0;
    for (int pass = 0; pass < passes; pass++)
        for (int row = 0; row < options->height; row++) {
            png_read_row(codec, pixels + (size_t)row * stride, NULL);
            if (pass == passes - 1) *whole_rows = row + 1;
        }
    png_read_end(codec, NULL);
}

ck_png_status ck_png_decode(const uint8_t *bytes, size_t byte_count, const ck_png_decode_options *options,
                            uint8_t *pixels, size_t stride, int *whole_rows, ck_png_message *message) {
    ck_png_state state;
    ck_png_state_start(&state, message, options->memory_limit);
    source from = {bytes, byte_count, 0};
    *whole_rows = -1;
    png_structp volatile codec = NULL;
    png_infop volatile info = NULL;
    if (setjmp(state.escape)) {
        png_structp made = codec;
        png_infop made_info = info;
        if (made) png_destroy_read_struct(&made, &made_info, NULL);
        int is_partial = options->allows_damage && *whole_rows >= 0 && state.status == CK_PNG_CORRUPT;
        // Wrong bytes are found after rows have been made of them.
        if (!is_partial || !from.is_empty) *whole_rows = 0;
        return is_partial ? CK_PNG_OK : state.status;
    }
    codec = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &state, ck_png_leave, ck_png_be_silent, &state,
                                     ck_png_allocate, ck_png_release);
    if (!codec) return state.status == CK_PNG_OK ? CK_PNG_NO_MEMORY : state.status;
    info = png_create_info_struct(codec);
    if (!info) png_error(codec, "out of memory");
    png_set_read_fn(codec, &from, read_bytes);
    decode(codec, info, options, pixels, stride, whole_rows);
    png_structp made = codec;
    png_infop made_info = info;
    png_destroy_read_struct(&made, &made_info, NULL);
    return CK_PNG_OK;
}
