#include "ck_scale_plane.h"

#include <stdlib.h>
#include <string.h>

// MARK: - Making

static int shrink_for(double length, int count, double least_ratio, int samples) {
    double ratio = length / count / least_ratio;
    return ratio < 2 ? 1 : ratio < samples ? (int)ratio : samples;
}

static ck_side side_of(double start, double length, double picture, double pixels_a_sample, int shrink, int samples) {
    double unit = pixels_a_sample * shrink;
    return (ck_side){start / unit, length / unit, picture / unit, (samples + shrink - 1) / shrink};
}

int ck_plane_make(ck_plane *plane, const ck_scale_plan *plan, int index, int is_wide) {
    ck_scale_plane_shape shape = plan->planes[index];
    double across = shape.pixels_across, down = shape.pixels_down;
    *plane = (ck_plane){.shape = shape, .is_wide = is_wide};
    plane->shrink_x = shrink_for(plan->width / across, plan->target_width, plan->least_ratio, shape.width);
    plane->shrink_y = shrink_for(plan->height / down, plan->target_height, plan->least_ratio, shape.height);
    ck_side x = side_of(plan->x, plan->width, plan->picture_width, across, plane->shrink_x, shape.width);
    ck_side y = side_of(plan->y, plan->height, plan->picture_height, down, plane->shrink_y, shape.height);
    plane->width = x.samples;
    plane->height = y.samples;
    return ck_weights_make(&plane->columns, x, plan->target_width, CK_SCALE_ACROSS)
        && ck_weights_make(&plane->rows, y, plan->target_height, 2);
}

static int averages(const ck_plane *plane) { return plane->shrink_x > 1 || plane->shrink_y > 1; }

int ck_plane_make_room(ck_plane *plane, int capacity) {
    size_t width = (size_t)plane->width, incoming = (size_t)plane->shape.width;
    int waits_wide = plane->is_wide || averages(plane);
    plane->capacity = capacity;
    plane->row_bytes = (width << waits_wide) + CK_SCALE_SPARE;
    plane->incoming_bytes = (incoming << plane->is_wide) + CK_SCALE_SPARE;
    plane->ring = calloc(1, plane->row_bytes * (size_t)capacity);
    plane->incoming = calloc(1, plane->incoming_bytes * (size_t)plane->shape.batch);
    plane->sums = calloc(1, averages(plane) ? incoming * sizeof *plane->sums : 1);
    plane->order = calloc(1, (size_t)plane->rows.taps * sizeof *plane->order);
    // The filter across reads whole registers of what weighs nothing.
    plane->filtered = calloc(1, (width + 2 * CK_SCALE_SPARE) * sizeof *plane->filtered);
    return plane->ring && plane->incoming && plane->sums && plane->order && plane->filtered;
}

void ck_plane_free(ck_plane *plane) {
    ck_weights_free(&plane->columns);
    ck_weights_free(&plane->rows);
    free(plane->ring);
    free(plane->incoming);
    free(plane->sums);
    free(plane->order);
    free(plane->filtered);
}

// MARK: - Rows that come

static uint8_t *waiting(ck_plane *plane, int row) {
    return plane->ring + (size_t)(row % plane->capacity) * plane->row_bytes;
}

uint8_t *ck_plane_slot(ck_plane *plane, int ahead) {
    int is_kept = !averages(plane) && plane->written + ahead < plane->shape.height;
    return is_kept ? waiting(plane, plane->written + ahead)
                   : plane->incoming + (size_t)ahead * plane->incoming_bytes;
}

static void add(ck_plane *plane, const uint8_t *row) {
    int count = plane->shape.width;
    if (plane->is_wide)
        for (int x = 0; x < count; x++) plane->sums[x] += (uint32_t)((const int16_t *)row)[x];
    else
        for (int x = 0; x < count; x++) plane->sums[x] += row[x];
}

// The means of groups of samples, of as many rows as were added.
static void average(ck_plane *plane, int rows) {
    int16_t *out = (int16_t *)waiting(plane, plane->came);
    uint64_t unit = plane->is_wide ? 1 : CK_SCALE_UNIT;
    for (int group = 0, x = 0; group < plane->width; group++) {
        int end = x + plane->shrink_x < plane->shape.width ? x + plane->shrink_x : plane->shape.width;
        uint64_t samples = (uint64_t)(end - x) * (uint64_t)rows, sum = 0;
        for (; x < end; x++) sum += plane->sums[x];
        out[group] = (int16_t)((sum * unit + samples / 2) / samples);
    }
    memset(plane->sums, 0, (size_t)plane->shape.width * sizeof *plane->sums);
    plane->came++;
}

void ck_plane_commit(ck_plane *plane, int rows) {
    for (int i = 0; i < rows && plane->written < plane->shape.height; i++) {
        plane->written++;
        if (!averages(plane)) {
            plane->came = plane->written;
            continue;
        }
        add(plane, plane->incoming + (size_t)i * plane->incoming_bytes);
        int rest = plane->written % plane->shrink_y;
        if (rest == 0)
            average(plane, plane->shrink_y);
        else if (plane->written == plane->shape.height)
            average(plane, rest);
    }
}

// MARK: - Rows that are made

int ck_plane_end(const ck_plane *plane, int y) {
    int end = (plane->rows.first[y] + plane->rows.used[y]) * plane->shrink_y;
    return end < plane->shape.height ? end : plane->shape.height;
}

void ck_plane_filter(ck_plane *plane, int y, const ck_scale_set *set, int16_t *out) {
    const int16_t *weights = plane->rows.weights + (size_t)y * (size_t)plane->rows.taps;
    int used = plane->rows.used[y], pairs = (used + 1) / 2;
    for (int i = 0; i < used; i++) plane->order[i] = waiting(plane, plane->rows.first[y] + i);
    if (used & 1) plane->order[used] = plane->order[used - 1];
    size_t width = (size_t)plane->width;
    if (plane->is_wide || averages(plane))
        set->down_words((const int16_t *const *)plane->order, weights, pairs, width, plane->filtered);
    else
        set->down_bytes((const uint8_t *const *)plane->order, weights, pairs, width, plane->filtered);
    set->across(plane->filtered, &plane->columns, out);
}
