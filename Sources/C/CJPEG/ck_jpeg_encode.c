#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "ck_convert_loops.h"
#include "ck_jpeg.h"
#include "ck_jpeg_error.h"
#include "ck_jpeg_rows.h"

// MARK: - Where the bytes go: one block that grows

typedef struct sink {
    struct jpeg_destination_mgr manager;
    uint8_t *bytes;
    size_t capacity;
    size_t expected;
} sink;

static void sink_aim(sink *sink, size_t used) {
    sink->manager.next_output_byte = sink->bytes + used;
    sink->manager.free_in_buffer = sink->capacity - used;
}

static void sink_start(j_compress_ptr codec) {
    sink *target = (sink *)codec->dest;
    target->bytes = malloc(target->expected);
    if (!target->bytes) ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_NO_MEMORY, "no memory");
    target->capacity = target->expected;
    sink_aim(target, 0);
}

// libjpeg calls this when the block is full, whatever its pointers say by then.
static boolean sink_grow(j_compress_ptr codec) {
    sink *target = (sink *)codec->dest;
    size_t used = target->capacity;
    uint8_t *bytes = realloc(target->bytes, used * 2);
    if (!bytes) ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_NO_MEMORY, "no memory");
    target->bytes = bytes;
    target->capacity = used * 2;
    sink_aim(target, used);
    return TRUE;
}

static void sink_end(j_compress_ptr codec) { (void)codec; }

// MARK: - Strips: the rows of one row of blocks

enum { MOST_ROWS = 2 * DCTSIZE };

typedef struct strip {
    uint8_t *memory;
    JSAMPROW rows[3][MOST_ROWS];
    int rows_count[3];
    size_t samples[3];   // in a row
    size_t capacity[3];  // in a row, whole blocks
} strip;

static int strip_allocate(strip *strip, const ck_jpeg_picture *picture) {
    size_t width = (size_t)picture->width;
    int quarter = picture->samples == CK_JPEG_SEMI_PLANAR || picture->samples == CK_JPEG_PLANAR;
    int planes = picture->samples == CK_JPEG_GREY ? 1 : 3;
    size_t size = 0;
    for (int plane = 0; plane < planes; plane++) {
        strip->samples[plane] = plane ? (width + 1) / 2 : width;
        // Packed formats give an even number of luma samples; rows of whole pairs of blocks have room for it.
        strip->capacity[plane] = ((width + 31) / 32) * (plane ? 16 : 32);
        strip->rows_count[plane] = quarter && plane == 0 ? MOST_ROWS : DCTSIZE;
        size += strip->capacity[plane] * (size_t)strip->rows_count[plane];
    }
    strip->memory = malloc(size);
    return strip->memory != NULL;
}

// Points at the strip's own rows again, after `strip_repeat` has pointed elsewhere.
static void strip_aim(strip *strip, int planes) {
    uint8_t *next = strip->memory;
    for (int plane = 0; plane < planes; plane++)
        for (int row = 0; row < strip->rows_count[plane]; row++, next += strip->capacity[plane])
            strip->rows[plane][row] = next;
}

// Rows and columns past the picture's edge repeat its last ones: they cost the fewest bytes and leave no seam.
static void strip_repeat(strip *strip, int plane, int filled) {
    size_t samples = strip->samples[plane], rest = strip->capacity[plane] - samples;
    if (rest)
        for (int row = 0; row < filled; row++) {
            uint8_t *samples_of_row = strip->rows[plane][row];
            memset(samples_of_row + samples, samples_of_row[samples - 1], rest);
        }
    for (int row = filled; row < strip->rows_count[plane]; row++)
        strip->rows[plane][row] = strip->rows[plane][filled - 1];
}

// What is of BT.601 only needs its range expanded.
static int is_bt601(const ck_jpeg_picture *picture) {
    ck_colour_meaning meaning = picture->meaning;
    meaning.limited_range = 0;
    return picture->samples == CK_JPEG_GREY || ck_colour_is_same(meaning, ck_colour_jpeg);
}

static int expands(const ck_jpeg_picture *picture) { return picture->meaning.limited_range && is_bt601(picture); }

static void fill_packed(strip *strip, const ck_jpeg_picture *picture, const ck_rows *rows, int top, int count) {
    void (*split)(const uint8_t *, size_t, uint8_t *, uint8_t *, uint8_t *) =
        picture->samples == CK_JPEG_YUYV
            ? (expands(picture) ? rows->split_expand_yuyv : rows->split_yuyv)
            : (expands(picture) ? rows->split_expand_uyvy : rows->split_uyvy);
    for (int row = 0; row < count; row++)
        split(picture->planes[0] + (size_t)(top + row) * picture->strides[0], strip->samples[1],
              strip->rows[0][row], strip->rows[1][row], strip->rows[2][row]);
}

static void fill_luma(strip *strip, const ck_jpeg_picture *picture, const ck_rows *rows, int top, int count) {
    for (int row = 0; row < count; row++) {
        const uint8_t *source = picture->planes[0] + (size_t)(top + row) * picture->strides[0];
        if (expands(picture))
            rows->expand_luma(source, strip->samples[0], strip->rows[0][row]);
        else
            memcpy(strip->rows[0][row], source, strip->samples[0]);
    }
}

static void fill_chroma(strip *strip, const ck_jpeg_picture *picture, const ck_rows *rows, int top, int count) {
    size_t samples = strip->samples[1];
    for (int row = 0; row < count; row++) {
        if (picture->samples == CK_JPEG_SEMI_PLANAR) {
            const uint8_t *source = picture->planes[1] + (size_t)(top + row) * picture->strides[1];
            (expands(picture) ? rows->split_expand_chroma : rows->split_chroma)(
                source, samples, strip->rows[1][row], strip->rows[2][row]);
            continue;
        }
        for (int plane = 1; plane < 3; plane++) {
            const uint8_t *source = picture->planes[plane] + (size_t)(top + row) * picture->strides[plane];
            if (expands(picture))
                rows->expand_chroma(source, samples, strip->rows[plane][row]);
            else
                memcpy(strip->rows[plane][row], source, samples);
        }
    }
}

static int smaller(int a, int b) { return a < b ? a : b; }

// Matrix and range in one step. The row below an odd last one only repeats it, and is converted with it.
static void convert(strip *strip, const ck_fixed *fixed, int luma_rows, int chroma_rows) {
    const ck_convert_loops *loops = ck_convert_best_loops();
    for (int row = 0; row < luma_rows; row++) {
        int chroma = luma_rows > chroma_rows ? row / 2 : row;
        loops->change_luma(&fixed->out[0], strip->rows[1][chroma], strip->rows[2][chroma],
                           strip->samples[0], strip->rows[0][row]);
    }
    for (int row = 0; row < chroma_rows; row++)
        loops->change_chroma(fixed, strip->samples[1], strip->rows[1][row], strip->rows[2][row]);
}

// Fills the strip whose first luma row is `top`.
static void strip_fill(strip *strip, const ck_jpeg_picture *picture, const ck_rows *rows, const ck_fixed *fixed,
                       int top) {
    int luma = smaller(strip->rows_count[0], picture->height - top);
    if (picture->samples == CK_JPEG_GREY) {
        strip_aim(strip, 1);
        fill_luma(strip, picture, rows, top, luma);
        strip_repeat(strip, 0, luma);
        return;
    }
    strip_aim(strip, 3);
    int chroma = luma;
    if (picture->samples == CK_JPEG_YUYV || picture->samples == CK_JPEG_UYVY) {
        fill_packed(strip, picture, rows, top, luma);
    } else {
        chroma = (luma + 1) / 2;
        fill_luma(strip, picture, rows, top, luma);
        fill_chroma(strip, picture, rows, top / 2, chroma);
    }
    // Before what lies past the edge repeats it.
    if (fixed) convert(strip, fixed, luma, chroma);
    strip_repeat(strip, 0, luma);
    strip_repeat(strip, 1, chroma);
    strip_repeat(strip, 2, chroma);
}

// MARK: - Encoding

static void start(struct jpeg_compress_struct *codec, const ck_jpeg_picture *picture,
                  const ck_jpeg_encode_options *options) {
    codec->image_width = (JDIMENSION)picture->width;
    codec->image_height = (JDIMENSION)picture->height;
    int horizontal = 2, vertical = 1;
    switch (picture->samples) {
    case CK_JPEG_GREY: codec->in_color_space = JCS_GRAYSCALE; break;
    case CK_JPEG_RGB: codec->in_color_space = JCS_EXT_RGB; break;
    case CK_JPEG_BGR: codec->in_color_space = JCS_EXT_BGR; break;
    case CK_JPEG_BGRX: codec->in_color_space = JCS_EXT_BGRX; break;
    default: codec->in_color_space = JCS_YCbCr; break;
    }
    switch (picture->samples) {
    case CK_JPEG_GREY: codec->input_components = 1; horizontal = 1; break;
    case CK_JPEG_SEMI_PLANAR:
    case CK_JPEG_PLANAR: codec->input_components = 3; vertical = 2; break;
    case CK_JPEG_BGRX: codec->input_components = 4; break;
    default: codec->input_components = 3; break;
    }
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, options->quality, TRUE);
    codec->dct_method = JDCT_ISLOW;
    if (picture->samples >= CK_JPEG_RGB && options->full_chroma) horizontal = 1;
    codec->comp_info[0].h_samp_factor = horizontal;
    codec->comp_info[0].v_samp_factor = vertical;
    codec->raw_data_in = picture->samples < CK_JPEG_RGB;
    // JFIF and Exif both ask for the place after SOI: Exif says more.
    codec->write_JFIF_header = options->exif_size == 0;
    jpeg_start_compress(codec, TRUE);
    if (options->exif_size)
        jpeg_write_marker(codec, JPEG_APP0 + 1, options->exif, (unsigned int)options->exif_size);
}

static void write_planes(struct jpeg_compress_struct *codec, const ck_jpeg_picture *picture,
                         const ck_rows *rows, strip *strip) {
    ck_colour_matrix matrix = ck_colour_between(picture->meaning, ck_colour_jpeg);
    ck_fixed fixed = ck_fixed_of(&matrix);
    int converts = !is_bt601(picture);
    JSAMPARRAY planes[3] = {strip->rows[0], strip->rows[1], strip->rows[2]};
    for (int top = 0; top < picture->height; top += strip->rows_count[0]) {
        strip_fill(strip, picture, rows, converts ? &fixed : NULL, top);
        jpeg_write_raw_data(codec, planes, (JDIMENSION)strip->rows_count[0]);
    }
}

static void write_pixels(struct jpeg_compress_struct *codec, const ck_jpeg_picture *picture) {
    for (int row = 0; row < picture->height; row++) {
        JSAMPROW samples = (JSAMPROW)(picture->planes[0] + (size_t)row * picture->strides[0]);
        jpeg_write_scanlines(codec, &samples, 1);
    }
}

ck_jpeg_status ck_jpeg_encode(const ck_jpeg_picture *picture, const ck_jpeg_encode_options *options,
                              uint8_t **bytes, size_t *byte_count, ck_jpeg_message *message) {
    struct jpeg_compress_struct codec = {0};
    ck_jpeg_errors errors;
    sink target = {0};
    strip strip = {0};
    *bytes = NULL;
    *byte_count = 0;
    codec.err = ck_jpeg_errors_start(&errors, message, NULL);
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&codec);
        free(target.bytes);
        free(strip.memory);
        return errors.status;
    }
    jpeg_create_compress(&codec);
    target.manager.init_destination = sink_start;
    target.manager.empty_output_buffer = sink_grow;
    target.manager.term_destination = sink_end;
    // Most photos at quality 85 take two thirds of this. A block much larger would be mapped afresh for each
    // photo, and its pages cost more than growing seldom does.
    target.expected = (size_t)picture->width * (size_t)picture->height / 4 + options->exif_size + 4096;
    codec.dest = &target.manager;
    if (picture->samples < CK_JPEG_RGB && !strip_allocate(&strip, picture))
        ck_jpeg_fail((j_common_ptr)&codec, CK_JPEG_NO_MEMORY, "no memory");
    start(&codec, picture, options);
    if (picture->samples < CK_JPEG_RGB)
        write_planes(&codec, picture, ck_rows_for(options->loops), &strip);
    else
        write_pixels(&codec, picture);
    jpeg_finish_compress(&codec);
    size_t used = target.capacity - target.manager.free_in_buffer;
    jpeg_destroy_compress(&codec);
    free(strip.memory);
    uint8_t *trimmed = realloc(target.bytes, used);
    *bytes = trimmed ? trimmed : target.bytes;
    *byte_count = used;
    return CK_JPEG_OK;
}
