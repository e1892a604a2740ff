#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "ck_jpeg.h"
#include "ck_jpeg_decode.h"
#include "ck_jpeg_error.h"
#include "ck_jpeg_limiter.h"

void ck_jpeg_cmyk_to_bgra(const uint8_t *cmyk, int width, int inverted, uint8_t *bgra) {
    int flip = inverted ? 0 : 255;
    for (int x = 0; x < width; x++, cmyk += 4, bgra += 4) {
        int c = cmyk[0] ^ flip, m = cmyk[1] ^ flip, y = cmyk[2] ^ flip, k = cmyk[3] ^ flip;
        bgra[0] = (uint8_t)((y * k + 127) / 255);
        bgra[1] = (uint8_t)((m * k + 127) / 255);
        bgra[2] = (uint8_t)((c * k + 127) / 255);
        bgra[3] = 255;
    }
}

static void start(struct jpeg_decompress_struct *codec, int eighths) {
    switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr: codec->out_color_space = JCS_EXT_BGRA; break;
    case JCS_CMYK:
    case JCS_YCCK: codec->out_color_space = JCS_CMYK; break;
    default:
        ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_UNSUPPORTED, "a number of colour components that has no meaning");
    }
    codec->scale_num = (unsigned)eighths;
    codec->scale_denom = 8;
    jpeg_start_decompress(codec);
}

int ck_jpeg_is_complete(const struct jpeg_decompress_struct *codec) {
    if (!jpeg_has_multiple_scans((j_decompress_ptr)codec)) return 1;
    if (!codec->progressive_mode) return codec->input_scan_number >= codec->num_components;
    for (int component = 0; component < codec->num_components; component++)
        for (int coefficient = 0; coefficient < DCTSIZE2; coefficient++)
            if (codec->coef_bits[component][coefficient] != 0) return 0;
    return 1;
}

static void read_rows(struct jpeg_decompress_struct *codec, uint8_t *pixels, size_t stride,
                      ck_jpeg_report *report) {
    int is_cmyk = codec->out_color_space == JCS_CMYK;
    JSAMPARRAY spare = NULL;
    if (!pixels || is_cmyk)
        spare = (*codec->mem->alloc_sarray)((j_common_ptr)codec, JPOOL_IMAGE, codec->output_width * 4, 1);
    while (codec->output_scanline < codec->output_height) {
        size_t row = codec->output_scanline;
        JSAMPROW target = spare ? spare[0] : pixels + row * stride;
        jpeg_read_scanlines(codec, &target, 1);
        if (pixels && is_cmyk)
            ck_jpeg_cmyk_to_bgra(target, (int)codec->output_width, codec->saw_Adobe_marker, pixels + row * stride);
        if (!report->damaged) report->whole_rows = (int)row + 1;
    }
}

static void fill_grey(uint8_t *pixels, size_t stride, int width, int from, int to) {
    for (int row = from; row < to; row++)
        for (int x = 0; x < width; x++)
            memcpy(pixels + (size_t)row * stride + (size_t)x * 4, "\x80\x80\x80\xFF", 4);
}

ck_jpeg_status ck_jpeg_decode(const uint8_t *bytes, size_t byte_count, int width, int height, int eighths,
                              uint8_t *pixels, size_t stride, const ck_jpeg_limits *limits, int allows_damage,
                              ck_jpeg_report *report, ck_jpeg_message *message) {
    struct jpeg_decompress_struct codec = {0};
    ck_jpeg_errors errors;
    ck_jpeg_limiter limiter;
    volatile int has_started = 0;
    codec.err = ck_jpeg_errors_start(&errors, message, report);
    if (setjmp(errors.escape)) {
        int row = (int)codec.output_scanline;
        jpeg_destroy_decompress(&codec);
        if (!has_started || !allows_damage || !pixels || errors.status != CK_JPEG_CORRUPT) return errors.status;
        report->damaged = 1;
        fill_grey(pixels, stride, (width * eighths + 7) / 8, row, (height * eighths + 7) / 8);
        return CK_JPEG_OK;
    }
    jpeg_create_decompress(&codec);
    ck_jpeg_limiter_start(&limiter, &codec, limits, allows_damage ? NULL : report);
    jpeg_mem_src(&codec, bytes, (unsigned long)byte_count);
    jpeg_read_header(&codec, TRUE);
    if (codec.image_width != (JDIMENSION)width || codec.image_height != (JDIMENSION)height)
        ck_jpeg_fail((j_common_ptr)&codec, CK_JPEG_CORRUPT, "two headers of different sizes");
    start(&codec, pixels ? eighths : 1);
    has_started = 1;
    // Scans that are missing leave all rows coarse.
    if (report->end_missing && !ck_jpeg_is_complete(&codec)) report->damaged = 1;
    read_rows(&codec, pixels, stride, report);
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    return CK_JPEG_OK;
}
