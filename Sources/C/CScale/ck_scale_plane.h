#pragma once

#include "ck_scale_loops.h"

// One plane on its way: rows come in, wait until a target row can be made of them, and are filtered.
typedef struct ck_plane {
    ck_scale_plane_shape shape;
    int is_wide;               // whether rows come as words instead of bytes
    int shrink_x, shrink_y;    // samples averaged into one beforehand
    int width, height;         // of what waits, after that
    ck_weights columns, rows;

    uint8_t *ring;             // waiting rows, each in its place modulo `capacity`
    size_t row_bytes;
    int capacity;
    int came;                  // rows that wait or have waited
    int written;               // rows that were committed, before averaging

    uint8_t *incoming;         // a batch of rows to be averaged, or rows below the picture
    size_t incoming_bytes;
    uint32_t *sums;
    const void **order;        // the rows of one target row
    int16_t *filtered;         // by rows, not yet across
} ck_plane;

// Tables only; returns 0 where there is no memory.
int ck_plane_make(ck_plane *plane, const ck_scale_plan *plan, int index, int is_wide);
// Room for rows, once it is known how many wait at most.
int ck_plane_make_room(ck_plane *plane, int capacity);
void ck_plane_free(ck_plane *plane);

uint8_t *ck_plane_slot(ck_plane *plane, int ahead);
void ck_plane_commit(ck_plane *plane, int rows);

// The rows that target row `y` needs end here, counted before averaging.
int ck_plane_end(const ck_plane *plane, int y);
static inline int ck_plane_has(const ck_plane *plane, int y) {
    return plane->rows.first[y] + plane->rows.used[y] <= plane->came;
}
void ck_plane_filter(ck_plane *plane, int y, const ck_scale_set *set, int16_t *out);
