#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "ck_jpeg.h"
#include "ck_jpeg_error.h"
#include "ck_jpeg_part.h"
#include "ck_jpeg_sink.h"
#include "ck_jpeg_strip.h"

static void start(struct jpeg_compress_struct *codec, const ck_jpeg_picture *picture,
                  const ck_jpeg_encode_options *options, unsigned restart_interval) {
    codec->image_width = (JDIMENSION)picture->width;
    codec->image_height = (JDIMENSION)picture->height;
    switch (picture->samples) {
    case CK_JPEG_GREY: codec->in_color_space = JCS_GRAYSCALE; break;
    case CK_JPEG_RGB: codec->in_color_space = JCS_EXT_RGB; break;
    case CK_JPEG_BGR: codec->in_color_space = JCS_EXT_BGR; break;
    case CK_JPEG_BGRX: codec->in_color_space = JCS_EXT_BGRX; break;
    default: codec->in_color_space = JCS_YCbCr; break;
    }
    switch (picture->samples) {
    case CK_JPEG_GREY: codec->input_components = 1; break;
    case CK_JPEG_BGRX: codec->input_components = 4; break;
    default: codec->input_components = 3; break;
    }
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, options->quality, TRUE);
    codec->dct_method = JDCT_ISLOW;
    ck_jpeg_unit unit = ck_jpeg_unit_of(picture, options);
    codec->comp_info[0].h_samp_factor = unit.width / DCTSIZE;
    codec->comp_info[0].v_samp_factor = unit.height / DCTSIZE;
    codec->restart_interval = restart_interval;
    codec->raw_data_in = picture->samples < CK_JPEG_RGB;
    // JFIF and Exif both ask for the place after SOI: Exif says more.
    codec->write_JFIF_header = options->exif_size == 0;
    jpeg_start_compress(codec, TRUE);
    if (options->exif_size)
        jpeg_write_marker(codec, JPEG_APP0 + 1, options->exif, (unsigned int)options->exif_size);
}

static void write_planes(struct jpeg_compress_struct *codec, const ck_jpeg_picture *picture, ck_strip *strip) {
    JSAMPARRAY planes[3] = {strip->rows[0], strip->rows[1], strip->rows[2]};
    for (int top = 0; top < picture->height; top += strip->rows_count[0]) {
        ck_strip_fill(strip, picture, top);
        jpeg_write_raw_data(codec, planes, (JDIMENSION)strip->rows_count[0]);
    }
}

static void write_pixels(struct jpeg_compress_struct *codec, const ck_jpeg_picture *picture) {
    for (int row = 0; row < picture->height; row++) {
        JSAMPROW samples = (JSAMPROW)(picture->planes[0] + (size_t)row * picture->strides[0]);
        jpeg_write_scanlines(codec, &samples, 1);
    }
}

ck_jpeg_unit ck_jpeg_unit_of(const ck_jpeg_picture *picture, const ck_jpeg_encode_options *options) {
    switch (picture->samples) {
    case CK_JPEG_GREY: return (ck_jpeg_unit){DCTSIZE, DCTSIZE};
    case CK_JPEG_SEMI_PLANAR:
    case CK_JPEG_PLANAR: return (ck_jpeg_unit){2 * DCTSIZE, 2 * DCTSIZE};
    case CK_JPEG_YUYV:
    case CK_JPEG_UYVY: return (ck_jpeg_unit){2 * DCTSIZE, DCTSIZE};
    default: return (ck_jpeg_unit){options->full_chroma ? DCTSIZE : 2 * DCTSIZE, DCTSIZE};
    }
}

void ck_jpeg_encode_part(ck_jpeg_part *part) {
    const ck_jpeg_picture *picture = &part->picture;
    struct jpeg_compress_struct codec = {0};
    ck_jpeg_errors errors;
    ck_jpeg_sink target = {0};
    ck_strip strip = {0};
    codec.err = ck_jpeg_errors_start(&errors, &part->message, NULL);
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&codec);
        free(target.bytes);
        free(strip.memory);
        part->status = errors.status;
        return;
    }
    jpeg_create_compress(&codec);
    // Most photos at quality 85 take two thirds of this. A block much larger would be mapped afresh for each
    // photo, and its pages cost more than growing seldom does.
    size_t expected = (size_t)picture->width * (size_t)picture->height / 4 + part->options.exif_size + 4096;
    ck_jpeg_sink_start(&target, &codec, expected);
    if (part->fails) ck_jpeg_fail((j_common_ptr)&codec, CK_JPEG_NO_MEMORY, "no memory, as a test wanted it");
    int has_planes = picture->samples < CK_JPEG_RGB;
    if (has_planes && !ck_strip_allocate(&strip, picture, part->options.loops))
        ck_jpeg_fail((j_common_ptr)&codec, CK_JPEG_NO_MEMORY, "no memory");
    start(&codec, picture, &part->options, part->restart_interval);
    if (has_planes)
        write_planes(&codec, picture, &strip);
    else
        write_pixels(&codec, picture);
    jpeg_finish_compress(&codec);
    part->byte_count = target.capacity - target.manager.free_in_buffer;
    part->bytes = target.bytes;
    part->capacity = target.capacity;
    part->status = CK_JPEG_OK;
    jpeg_destroy_compress(&codec);
    free(strip.memory);
}
