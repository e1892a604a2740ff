#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "ck_jpeg.h"
#include "ck_jpeg_error.h"

// Cameras' pictures and our own: grey, or luma and chroma in one scan. Others are refused.
static void start(struct jpeg_decompress_struct *codec, const uint8_t *bytes, size_t byte_count) {
    jpeg_mem_src(codec, bytes, (unsigned long)byte_count);
    jpeg_read_header(codec, TRUE);
    if (jpeg_has_multiple_scans(codec))
        ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_UNSUPPORTED, "more than one scan");
    switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_YCbCr: break;
    default: ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_UNSUPPORTED, "colours that no camera sends");
    }
    codec->out_color_space = codec->jpeg_color_space;
    codec->scale_num = 1;
    codec->scale_denom = 8;
    // Of the samples that are left hardly any is made by interpolation.
    codec->do_fancy_upsampling = FALSE;
    codec->dct_method = JDCT_IFAST;
    jpeg_start_decompress(codec);
}

ck_jpeg_status ck_jpeg_average(const uint8_t *bytes, size_t byte_count, double means[3], ck_jpeg_report *report,
                               ck_jpeg_message *message) {
    struct jpeg_decompress_struct codec = {0};
    ck_jpeg_errors errors;
    codec.err = ck_jpeg_errors_start(&errors, message, report);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&codec);
        return errors.status;
    }
    jpeg_create_decompress(&codec);
    start(&codec, bytes, byte_count);
    size_t width = codec.output_width, components = (size_t)codec.output_components;
    JSAMPARRAY row = (*codec.mem->alloc_sarray)((j_common_ptr)&codec, JPOOL_IMAGE,
                                                (JDIMENSION)(width * components), 1);
    uint64_t sums[3] = {0};
    while (codec.output_scanline < codec.output_height) {
        jpeg_read_scanlines(&codec, row, 1);
        for (size_t x = 0; x < width; x++)
            for (size_t component = 0; component < components; component++)
                sums[component] += row[0][x * components + component];
    }
    double count = (double)width * codec.output_height;
    for (size_t component = 0; component < 3; component++)
        means[component] = component < components ? (double)sums[component] / count : 128;
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    return CK_JPEG_OK;
}
