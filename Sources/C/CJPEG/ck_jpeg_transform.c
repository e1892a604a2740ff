#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "ck_jpeg.h"
#include "ck_jpeg_blocks.h"
#include "ck_jpeg_decode.h"
#include "ck_jpeg_error.h"
#include "ck_jpeg_limiter.h"
#include "ck_jpeg_sink.h"

// Both codecs, and what has to go with them.
typedef struct job {
    struct jpeg_decompress_struct source;
    struct jpeg_compress_struct target;
    ck_jpeg_errors errors;
    ck_jpeg_limiter limiter;
    ck_jpeg_sink sink;
} job;

static int rounded_up(int value, int step) { return (value + step - 1) / step * step; }
static int larger(int a, int b) { return a > b ? a : b; }

// A component that is alone is coded block by block, whatever its factors.
static int unit_across(const struct jpeg_decompress_struct *source) {
    return source->num_components == 1 ? DCTSIZE : source->max_h_samp_factor * DCTSIZE;
}
static int unit_down(const struct jpeg_decompress_struct *source) {
    return source->num_components == 1 ? DCTSIZE : source->max_v_samp_factor * DCTSIZE;
}

static void check(job *job, const ck_jpeg_change *change) {
    struct jpeg_decompress_struct *source = &job->source;
    j_common_ptr common = (j_common_ptr)source;
    if (source->jpeg_color_space == JCS_UNKNOWN)
        ck_jpeg_fail(common, CK_JPEG_UNSUPPORTED, "a number of colour components that has no meaning");
    if (change->x < 0 || change->y < 0 || change->width <= 0 || change->height <= 0
        || change->width > (int)source->image_width || change->height > (int)source->image_height
        || change->x > (int)source->image_width - change->width
        || change->y > (int)source->image_height - change->height)
        ck_jpeg_fail(common, CK_JPEG_CORRUPT, "another size than its header says");
    int right = change->x + change->width, lower = change->y + change->height;
    int first_x = change->reverses_x ? right : change->x, first_y = change->reverses_y ? lower : change->y;
    if (first_x % unit_across(source) || first_y % unit_down(source))
        ck_jpeg_fail(common, CK_JPEG_NOT_ALIGNED, "no whole blocks of samples");
}

// How many blocks of a component a picture of this size has, a row of units counted whole.
static void size_target(job *job, const ck_jpeg_change *change, int index, JDIMENSION *across, JDIMENSION *down) {
    const jpeg_component_info *component = job->source.comp_info + index;
    int alone = job->source.num_components == 1;
    int h = alone ? 1 : component->h_samp_factor, v = alone ? 1 : component->v_samp_factor;
    int columns = (change->width + unit_across(&job->source) - 1) / unit_across(&job->source) * h;
    int rows = (change->height + unit_down(&job->source) - 1) / unit_down(&job->source) * v;
    *across = (JDIMENSION)(change->transposes ? rows : columns);
    *down = (JDIMENSION)(change->transposes ? columns : rows);
}

static jvirt_barray_ptr *request_targets(job *job, const ck_jpeg_change *change) {
    struct jpeg_decompress_struct *source = &job->source;
    j_common_ptr common = (j_common_ptr)source;
    jvirt_barray_ptr *arrays = (*source->mem->alloc_small)(
        common, JPOOL_IMAGE, sizeof(jvirt_barray_ptr) * (size_t)source->num_components);
    for (int index = 0; index < source->num_components; index++) {
        const jpeg_component_info *component = source->comp_info + index;
        JDIMENSION across, down;
        size_target(job, change, index, &across, &down);
        JDIMENSION at_once = (JDIMENSION)larger(component->h_samp_factor, component->v_samp_factor);
        arrays[index] = (*source->mem->request_virt_barray)(common, JPOOL_IMAGE, FALSE, across, down, at_once);
    }
    return arrays;
}

static ck_jpeg_grid grid(job *job, jvirt_barray_ptr array, int across, int down, int writes) {
    struct jpeg_decompress_struct *source = &job->source;
    j_common_ptr common = (j_common_ptr)source;
    ck_jpeg_grid grid = {.across = across, .down = down};
    grid.rows = (*source->mem->alloc_large)(common, JPOOL_IMAGE, sizeof(JBLOCKROW) * (size_t)down);
    // Arrays lie in memory as a whole: libjpeg is built without any other place for them.
    for (int row = 0; row < down; row++)
        grid.rows[row] =
            (*source->mem->access_virt_barray)(common, array, (JDIMENSION)row, 1, (boolean)writes)[0];
    return grid;
}

static void turn_component(job *job, const ck_jpeg_change *change, int index, jvirt_barray_ptr from,
                           jvirt_barray_ptr to) {
    const jpeg_component_info *component = job->source.comp_info + index;
    JDIMENSION across, down;
    size_target(job, change, index, &across, &down);
    int alone = job->source.num_components == 1;
    int h = alone ? 1 : component->h_samp_factor, v = alone ? 1 : component->v_samp_factor;
    // Rows and columns that make a last unit whole belong to no picture, but are there.
    int source_across = rounded_up((int)component->width_in_blocks, component->h_samp_factor);
    int source_down = rounded_up((int)component->height_in_blocks, component->v_samp_factor);
    int first_x = change->reverses_x ? change->x + change->width : change->x;
    int first_y = change->reverses_y ? change->y + change->height : change->y;
    int left = first_x / unit_across(&job->source) * h - (change->reverses_x ? 1 : 0);
    int top = first_y / unit_down(&job->source) * v - (change->reverses_y ? 1 : 0);
    ck_jpeg_turn turn = {change->transposes, change->reverses_x, change->reverses_y};
    ck_jpeg_blocks_turn(grid(job, to, (int)across, (int)down, 1), grid(job, from, source_across, source_down, 0),
                        left, top, turn);
}

static void transpose_tables(struct jpeg_compress_struct *target) {
    for (int number = 0; number < NUM_QUANT_TBLS; number++) {
        JQUANT_TBL *table = target->quant_tbl_ptrs[number];
        if (!table) continue;
        for (int row = 0; row < DCTSIZE; row++)
            for (int column = 0; column < row; column++) {
                UINT16 value = table->quantval[row * DCTSIZE + column];
                table->quantval[row * DCTSIZE + column] = table->quantval[column * DCTSIZE + row];
                table->quantval[column * DCTSIZE + row] = value;
            }
    }
}

static void describe_target(job *job, const ck_jpeg_change *change) {
    struct jpeg_compress_struct *target = &job->target;
    jpeg_copy_critical_parameters(&job->source, target);
    target->image_width = (JDIMENSION)(change->transposes ? change->height : change->width);
    target->image_height = (JDIMENSION)(change->transposes ? change->width : change->height);
    for (int index = 0; index < target->num_components; index++) {
        jpeg_component_info *component = target->comp_info + index;
        int h = component->h_samp_factor, v = component->v_samp_factor;
        component->h_samp_factor = target->num_components == 1 ? 1 : change->transposes ? v : h;
        component->v_samp_factor = target->num_components == 1 ? 1 : change->transposes ? h : v;
    }
    if (change->transposes) transpose_tables(target);
    // The caller writes what the picture says of itself. Of Adobe's marker depends what the samples mean.
    target->write_JFIF_header = FALSE;
    target->write_Adobe_marker = job->source.saw_Adobe_marker || target->jpeg_color_space == JCS_RGB;
    if (job->source.progressive_mode) jpeg_simple_progression(target);
}

static void run(job *job, const uint8_t *bytes, size_t byte_count, const ck_jpeg_change *change,
                const ck_jpeg_limits *limits) {
    struct jpeg_decompress_struct *source = &job->source;
    jpeg_create_decompress(source);
    ck_jpeg_limiter_start(&job->limiter, source, limits, job->errors.report);
    jpeg_create_compress(&job->target);
    jpeg_mem_src(source, bytes, (unsigned long)byte_count);
    jpeg_read_header(source, TRUE);
    check(job, change);
    jvirt_barray_ptr *targets = request_targets(job, change);
    jvirt_barray_ptr *sources = jpeg_read_coefficients(source);
    // As when it is decoded: what libjpeg warned of is damage, and so are scans that are missing.
    if (job->errors.report->damaged || (job->errors.report->end_missing && !ck_jpeg_is_complete(source)))
        ck_jpeg_fail((j_common_ptr)source, CK_JPEG_CORRUPT, NULL);
    describe_target(job, change);
    for (int index = 0; index < source->num_components; index++)
        turn_component(job, change, index, sources[index], targets[index]);
    ck_jpeg_sink_start(&job->sink, &job->target, byte_count + 4096);
    jpeg_write_coefficients(&job->target, targets);
    jpeg_finish_compress(&job->target);
    jpeg_finish_decompress(source);
}

ck_jpeg_status ck_jpeg_transform(const uint8_t *bytes, size_t byte_count, const ck_jpeg_change *change,
                                 const ck_jpeg_limits *limits, uint8_t **result, size_t *result_count,
                                 ck_jpeg_report *report, ck_jpeg_message *message) {
    *result = NULL;
    *result_count = 0;
    job *job = calloc(1, sizeof *job);
    if (!job) return CK_JPEG_NO_MEMORY;
    job->source.err = job->target.err = ck_jpeg_errors_start(&job->errors, message, report);
    if (setjmp(job->errors.escape) == 0) {
        run(job, bytes, byte_count, change, limits);
        *result = ck_jpeg_sink_take(&job->sink, result_count);
    }
    ck_jpeg_status status = job->errors.status;
    free(job->sink.bytes);
    jpeg_destroy_compress(&job->target);
    jpeg_destroy_decompress(&job->source);
    free(job);
    return status;
}
