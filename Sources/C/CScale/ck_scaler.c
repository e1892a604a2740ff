#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ck_scale_plane.h"

struct ck_scaler {
    ck_scale_plan plan;
    const ck_scale_set *set;
    ck_scale_paint *paint;
    ck_plane planes[CK_SCALE_MOST_PLANES];
    int next;                                  // the next target row
    int16_t *filtered[CK_SCALE_MOST_PLANES];  // one target row of each plane
};

// MARK: - Making

ck_scale_plan ck_scale_plan_of(const ck_scale_wish *wish, int picture_width, int picture_height) {
    return (ck_scale_plan){
        .picture_width = picture_width,
        .picture_height = picture_height,
        .x = wish->x,
        .y = wish->y,
        .width = wish->width,
        .height = wish->height,
        .target_width = wish->target_width,
        .target_height = wish->target_height,
        .is_linear = wish->is_linear,
        .least_ratio = wish->least_ratio,
        .loops = wish->loops,
    };
}

static int is_between(double value, double least, double most) { return value >= least && value <= most; }

static int makes_sense(const ck_scale_plan *plan) {
    const double most = CK_SCALE_MOST_SIDE, slack = 1e-6;
    if (!is_between(plan->target_width, 1, most) || !is_between(plan->target_height, 1, most)) return 0;
    if (!is_between(plan->picture_width, 1, most) || !is_between(plan->picture_height, 1, most)) return 0;
    if (!is_between(plan->plane_count, 1, CK_SCALE_MOST_PLANES) || !is_between(plan->least_ratio, 1, CK_SCALE_MOST_RATIO))
        return 0;
    if (!is_between(plan->x, 0, plan->picture_width) || !is_between(plan->y, 0, plan->picture_height)) return 0;
    if (!is_between(plan->width, slack, plan->picture_width - plan->x + slack)) return 0;
    if (!is_between(plan->height, slack, plan->picture_height - plan->y + slack)) return 0;
    for (int i = 0; i < plan->plane_count; i++) {
        const ck_scale_plane_shape *plane = &plan->planes[i];
        if (!is_between(plane->width, 1, most) || !is_between(plane->height, 1, most)) return 0;
        if (!(plane->pixels_across > 0) || !(plane->pixels_down > 0) || plane->batch < 1) return 0;
    }
    return 1;
}

static int smaller(int a, int b) { return a < b ? a : b; }

// The most rows of each plane that wait at one time: target rows are made as soon as all planes have what they need, and
// planes get their batches together.
static void count_waiting(const ck_scaler *scaler, int capacity[CK_SCALE_MOST_PLANES]) {
    int plane_count = scaler->plan.plane_count;
    memset(capacity, 0, CK_SCALE_MOST_PLANES * sizeof *capacity);
    for (int y = 0; y < scaler->plan.target_height; y++) {
        int batches = 0;
        for (int i = 0; i < plane_count; i++) {
            const ck_plane *plane = &scaler->planes[i];
            int needed = (ck_plane_end(plane, y) + plane->shape.batch - 1) / plane->shape.batch;
            if (needed > batches) batches = needed;
        }
        for (int i = 0; i < plane_count; i++) {
            const ck_plane *plane = &scaler->planes[i];
            int64_t came = (int64_t)batches * plane->shape.batch;
            int rows = (int)((came < plane->shape.height ? came : plane->shape.height) / plane->shrink_y) + 1;
            int waiting = smaller(rows, plane->height) - plane->rows.first[y];
            if (waiting > capacity[i]) capacity[i] = waiting;
        }
    }
}

static int make_planes(ck_scaler *scaler) {
    const ck_scale_plan *plan = &scaler->plan;
    int is_wide = plan->is_linear || plan->colours == CK_SCALE_BGRA;
    int capacity[CK_SCALE_MOST_PLANES];
    for (int i = 0; i < plan->plane_count; i++)
        if (!ck_plane_make(&scaler->planes[i], plan, i, is_wide)) return 0;
    count_waiting(scaler, capacity);
    for (int i = 0; i < plan->plane_count; i++) {
        // The batch on its way needs room beside what waits.
        if (!ck_plane_make_room(&scaler->planes[i], capacity[i] + plan->planes[i].batch)) return 0;
        size_t row = ((size_t)plan->target_width + CK_SCALE_SPARE) * sizeof(int16_t);
        if (!(scaler->filtered[i] = calloc(1, row))) return 0;
    }
    return 1;
}

ck_scaler *ck_scaler_make(const ck_scale_plan *plan) {
    if (!makes_sense(plan)) return NULL;
    ck_scaler *scaler = calloc(1, sizeof *scaler);
    if (!scaler) return NULL;
    scaler->plan = *plan;
    scaler->set = ck_scale_set_for(plan->loops);
    scaler->paint = ck_scale_paint_for(plan);
    if (make_planes(scaler)) return scaler;
    ck_scaler_free(scaler);
    return NULL;
}

void ck_scaler_free(ck_scaler *scaler) {
    if (!scaler) return;
    for (int i = 0; i < CK_SCALE_MOST_PLANES; i++) {
        ck_plane_free(&scaler->planes[i]);
        free(scaler->filtered[i]);
    }
    free(scaler);
}

// MARK: - Rows

uint8_t *ck_scaler_slot(ck_scaler *scaler, int plane, int ahead) {
    return ck_plane_slot(&scaler->planes[plane], ahead);
}

void ck_scaler_commit(ck_scaler *scaler, int plane, int rows) { ck_plane_commit(&scaler->planes[plane], rows); }

void ck_scaler_feed_pixels(ck_scaler *scaler, const uint8_t *bgra) {
    const ck_scale_plan *plan = &scaler->plan;
    uint8_t *slots[CK_SCALE_MOST_PLANES] = {0};
    for (int i = 0; i < plan->plane_count; i++) slots[i] = ck_plane_slot(&scaler->planes[i], 0);
    int count = plan->planes[0].width, is_weighted = plan->colours == CK_SCALE_BGRA;
    int16_t *words[CK_SCALE_MOST_PLANES];
    for (int i = 0; i < CK_SCALE_MOST_PLANES; i++) words[i] = (int16_t *)slots[i];
    if (plan->is_linear)
        (is_weighted ? ck_scale_split_weighted_light : ck_scale_split_light)(bgra, count, words);
    else if (is_weighted)
        ck_scale_split_weighted(bgra, count, words);
    else
        ck_scale_split_bytes(bgra, count, slots);
    for (int i = 0; i < plan->plane_count; i++) ck_plane_commit(&scaler->planes[i], 1);
}

void ck_scaler_feed_ycc(ck_scaler *scaler, const uint8_t *const *samples) {
    int16_t *words[3];
    for (int i = 0; i < 3; i++) words[i] = (int16_t *)ck_plane_slot(&scaler->planes[i], 0);
    scaler->set->light_of_ycc(samples, (size_t)scaler->plan.planes[0].width, words);
    for (int i = 0; i < 3; i++) ck_plane_commit(&scaler->planes[i], 1);
}

int ck_scaler_draw(ck_scaler *scaler, uint8_t *target, size_t stride) {
    const ck_scale_plan *plan = &scaler->plan;
    for (; scaler->next < plan->target_height; scaler->next++) {
        for (int i = 0; i < plan->plane_count; i++)
            if (!ck_plane_has(&scaler->planes[i], scaler->next)) return 0;
        for (int i = 0; i < plan->plane_count; i++)
            ck_plane_filter(&scaler->planes[i], scaler->next, scaler->set, scaler->filtered[i]);
        scaler->paint((const int16_t *const *)scaler->filtered, plan->target_width,
                      target + (size_t)scaler->next * stride);
    }
    return 1;
}
