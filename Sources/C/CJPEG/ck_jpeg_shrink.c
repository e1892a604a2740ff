#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "ck_jpeg_decode.h"
#include "ck_jpeg_limiter.h"
#include "ck_jpeg_reader.h"
#include "ck_scale.h"

// What one shrinking holds beside libjpeg; kept apart, so that it can be given back wherever libjpeg leaves.
typedef struct shrinking {
    ck_jpeg_reader *reader;
    const ck_jpeg_shrinking *how;
    uint8_t *target;
    size_t stride;
    ck_scaler *scaler;
    ck_jpeg_limiter limiter;
} shrinking;

// MARK: - Plan

// Of smaller pictures all is decoded: it costs little, and a block that the picture's edge cuts is much of them.
enum { SMALL_PIXELS = 1 << 16 };

// The least part of a block that leaves enough samples. Of the parts there are SIMD loops for these alone.
static unsigned eighths_for(const struct jpeg_decompress_struct *codec, const ck_jpeg_shrinking *how) {
    if ((size_t)codec->image_width * codec->image_height <= SMALL_PIXELS) return 8;
    const ck_scale_wish *wish = &how->wish;
    double across = wish->width / wish->target_width, down = wish->height / wish->target_height;
    double ratio = across < down ? across : down;
    for (unsigned eighths = (unsigned)how->least_eighths; eighths < 8; eighths *= 2)
        if (ratio * eighths / 8 >= how->least_block_ratio) return eighths;
    return 8;
}

static ck_scale_plan plan_for(const shrinking *s) {
    const struct jpeg_decompress_struct *codec = &s->reader->codec;
    ck_scale_plan plan = ck_scale_plan_of(&s->how->wish, (int)codec->image_width, (int)codec->image_height);
    plan.is_inverted = codec->saw_Adobe_marker;
    return plan;
}

static void make_scaler(shrinking *s, const ck_scale_plan *plan) {
    s->scaler = ck_scaler_make(plan);
    if (!s->scaler) ck_jpeg_fail((j_common_ptr)&s->reader->codec, CK_JPEG_NO_MEMORY, "no memory for its rows");
}

static void refuse_colours(struct jpeg_decompress_struct *codec) {
    ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_UNSUPPORTED, "a number of colour components that has no meaning");
}

// MARK: - Planes, as they are stored: a few target pixels become colours instead of all that is decoded

static ck_scale_colours colours_of(struct jpeg_decompress_struct *codec) {
    switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE: return CK_SCALE_GREY;
    case JCS_YCbCr: return CK_SCALE_YCC;
    case JCS_RGB: return CK_SCALE_RGB;
    case JCS_CMYK: return CK_SCALE_CMYK;
    case JCS_YCCK: return CK_SCALE_YCCK;
    default: refuse_colours(codec);
    }
    return CK_SCALE_GREY;
}

static void plan_planes(struct jpeg_decompress_struct *codec, ck_scale_plan *plan) {
    plan->colours = colours_of(codec);
    plan->plane_count = codec->num_components;
    for (int i = 0; i < codec->num_components; i++) {
        const jpeg_component_info *component = &codec->comp_info[i];
        int size = component->DCT_scaled_size;
        plan->planes[i] = (ck_scale_plane_shape){
            .width = (int)component->downsampled_width,
            .height = (int)component->downsampled_height,
            .pixels_across = 8.0 * codec->max_h_samp_factor / (component->h_samp_factor * size),
            .pixels_down = 8.0 * codec->max_v_samp_factor / (component->v_samp_factor * size),
            .batch = component->v_samp_factor * size,
        };
    }
}

static void read_planes(shrinking *s, const ck_scale_plan *plan) {
    struct jpeg_decompress_struct *codec = &s->reader->codec;
    JSAMPROW rows[CK_SCALE_MOST_PLANES][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY planes[CK_SCALE_MOST_PLANES];
    JDIMENSION most = (JDIMENSION)(codec->max_v_samp_factor * codec->min_DCT_scaled_size);
    while (codec->output_scanline < codec->output_height) {
        for (int i = 0; i < plan->plane_count; i++) {
            planes[i] = rows[i];
            for (int row = 0; row < plan->planes[i].batch; row++) rows[i][row] = ck_scaler_slot(s->scaler, i, row);
        }
        jpeg_read_raw_data(codec, planes, most);
        for (int i = 0; i < plan->plane_count; i++) ck_scaler_commit(s->scaler, i, plan->planes[i].batch);
        ck_scaler_draw(s->scaler, s->target, s->stride);
    }
}

// MARK: - Light

// Luma and chroma that are of one size when they are decoded.
static int is_even_ycc(struct jpeg_decompress_struct *codec) {
    if (codec->jpeg_color_space != JCS_YCbCr) return 0;
    jpeg_calc_output_dimensions(codec);
    const jpeg_component_info *luma = codec->comp_info;
    for (int i = 1; i < 3; i++) {
        const jpeg_component_info *chroma = &codec->comp_info[i];
        if (chroma->h_samp_factor * chroma->DCT_scaled_size != luma->h_samp_factor * luma->DCT_scaled_size) return 0;
        if (chroma->v_samp_factor * chroma->DCT_scaled_size != luma->v_samp_factor * luma->DCT_scaled_size) return 0;
    }
    return 1;
}

static void read_ycc(shrinking *s) {
    struct jpeg_decompress_struct *codec = &s->reader->codec;
    JDIMENSION batch = (JDIMENSION)(codec->max_v_samp_factor * codec->min_DCT_scaled_size);
    JSAMPARRAY planes[3];
    for (int i = 0; i < 3; i++) {
        const jpeg_component_info *component = &codec->comp_info[i];
        JDIMENSION width = component->width_in_blocks * (JDIMENSION)component->DCT_scaled_size;
        planes[i] = (*codec->mem->alloc_sarray)((j_common_ptr)codec, JPOOL_IMAGE, width + CK_SCALE_SPARE, batch);
    }
    while (codec->output_scanline < codec->output_height) {
        JDIMENSION left = codec->output_height - codec->output_scanline;
        jpeg_read_raw_data(codec, planes, batch);
        for (JDIMENSION row = 0; row < batch && row < left; row++) {
            const uint8_t *samples[3] = {planes[0][row], planes[1][row], planes[2][row]};
            ck_scaler_feed_ycc(s->scaler, samples);
            ck_scaler_draw(s->scaler, s->target, s->stride);
        }
    }
}

static void read_pixels(shrinking *s) {
    struct jpeg_decompress_struct *codec = &s->reader->codec;
    JSAMPARRAY row = (*codec->mem->alloc_sarray)((j_common_ptr)codec, JPOOL_IMAGE, codec->output_width * 4, 2);
    while (codec->output_scanline < codec->output_height) {
        jpeg_read_scanlines(codec, row, 1);
        if (codec->out_color_space == JCS_CMYK)
            ck_jpeg_cmyk_to_bgra(row[0], (int)codec->output_width, codec->saw_Adobe_marker, row[1]);
        ck_scaler_feed_pixels(s->scaler, row[codec->out_color_space == JCS_CMYK]);
        ck_scaler_draw(s->scaler, s->target, s->stride);
    }
}

static void plan_pixels(struct jpeg_decompress_struct *codec, ck_scale_plan *plan) {
    plan->colours = CK_SCALE_BGR;
    plan->plane_count = 3;
    for (int i = 0; i < 3; i++)
        plan->planes[i] = (ck_scale_plane_shape){
            .width = (int)codec->output_width,
            .height = (int)codec->output_height,
            .pixels_across = 8.0 / codec->scale_num,
            .pixels_down = 8.0 / codec->scale_num,
            .batch = 1,
        };
}

// MARK: - The whole picture

static void shrink(shrinking *s) {
    struct jpeg_decompress_struct *codec = &s->reader->codec;
    ck_jpeg_limiter_start(&s->limiter, codec, &s->how->limits, &s->reader->report);
    codec->scale_num = eighths_for(codec, s->how);
    codec->scale_denom = 8;
    ck_scale_colours colours = colours_of(codec);
    int is_linear = s->how->wish.is_linear;
    codec->raw_data_out = !is_linear || is_even_ycc(codec);
    if (!codec->raw_data_out)
        codec->out_color_space =
            colours == CK_SCALE_CMYK || colours == CK_SCALE_YCCK ? JCS_CMYK : JCS_EXT_BGRA;
    jpeg_start_decompress(codec);
    ck_jpeg_report *report = &s->reader->report;
    // Scans that are missing leave all rows coarse.
    if (report->end_missing && !ck_jpeg_is_complete(codec)) report->damaged = 1;
    ck_scale_plan plan = plan_for(s);
    (is_linear ? plan_pixels : plan_planes)(codec, &plan);
    make_scaler(s, &plan);
    if (!is_linear)
        read_planes(s, &plan);
    else if (codec->raw_data_out)
        read_ycc(s);
    else
        read_pixels(s);
    jpeg_finish_decompress(codec);
}

ck_jpeg_status ck_jpeg_shrink(ck_jpeg_reader *reader, const ck_jpeg_shrinking *how, uint8_t *target, size_t stride,
                              ck_jpeg_report *report, ck_jpeg_message *message) {
    shrinking s = {.reader = reader, .how = how, .target = target, .stride = stride};
    shrinking *volatile held = &s;
    ck_jpeg_status status = CK_JPEG_OK;
    if (setjmp(reader->errors.escape))
        status = reader->errors.status;
    else
        shrink(held);
    reader->codec.progress = NULL;
    ck_scaler_free(held->scaler);
    *report = reader->report;
    *message = reader->message;
    return status;
}
