#include <stdlib.h>
#include <string.h>

#include "ck_pixels_loops.h"

// A tile is short enough to stay in the nearest cache; where columns become rows it is as high as a cache line is
// wide, so that whole lines are written.
enum { TILE_COLUMNS = 2048, TURNED_TILE_COLUMNS = 512, TURNED_TILE_ROWS = 16, SPARE = 64 };

// MARK: - What one drawing needs

typedef struct drawing {
    const ck_pixels_picture *picture;
    const ck_loops *loops;
    void (*draw)(const ck_piece *piece);
    ck_colour colour;
    ck_table luma_columns, chroma_columns, luma_rows, chroma_rows;
    int is_packed, is_grey;  // how many rows of a plane there are
    uint8_t *memory;
    uint8_t *y, *u, *v;      // rows of one tile
    uint16_t *sums;
    // Averaged rows of each plane, the even and the odd one, and which they are.
    uint8_t *averages[3][2];
    int averaged[3][2];
    uint32_t *tile;
} drawing;

static int subsampling_down(ck_pixels_samples samples) {
    return samples == CK_PIXELS_SEMI_PLANAR || samples == CK_PIXELS_PLANAR ? 2 : 1;
}

static int subsampling_across(ck_pixels_samples samples) {
    return samples <= CK_PIXELS_PLANAR ? 2 : 1;
}

static int make_tables(drawing *d, ck_pixels_axis columns, ck_pixels_axis rows, int column_count, int row_count) {
    const ck_pixels_picture *picture = d->picture;
    return ck_table_make(&d->luma_columns, columns, column_count, picture->width, 1, 3)
        && ck_table_make(&d->chroma_columns, columns, column_count, picture->width,
                         subsampling_across(picture->samples), 3)
        && ck_table_make(&d->luma_rows, rows, row_count, picture->height, 1, 2)
        && ck_table_make(&d->chroma_rows, rows, row_count, picture->height, subsampling_down(picture->samples),
                         2);
}

static int make_scratch(drawing *d, size_t tile_pixels) {
    // Four bytes a pixel and a whole last pair are the longest rows.
    size_t row = ((size_t)d->picture->width + 1) + SPARE, bytes = 4 * row;
    int averages = d->luma_rows.shrink > 1 || d->chroma_rows.shrink > 1;
    size_t sums = averages ? bytes * sizeof(uint16_t) : 0;
    size_t size = 3 * row + (averages ? 6 * bytes : 0);
    d->memory = calloc(1, size);
    d->sums = averages ? malloc(sums) : NULL;
    d->tile = tile_pixels ? malloc(tile_pixels * sizeof *d->tile) : NULL;
    if (!d->memory || (averages && !d->sums) || (tile_pixels && !d->tile)) return 0;
    d->y = d->memory;
    d->u = d->y + row;
    d->v = d->u + row;
    uint8_t *next = d->v + row;
    for (int plane = 0; averages && plane < 3; plane++)
        for (int slot = 0; slot < 2; slot++, next += bytes) d->averages[plane][slot] = next;
    return 1;
}

static void discard(drawing *d) {
    ck_table_free(&d->luma_columns);
    ck_table_free(&d->chroma_columns);
    ck_table_free(&d->luma_rows);
    ck_table_free(&d->chroma_rows);
    free(d->memory);
    free(d->sums);
    free(d->tile);
}

// MARK: - Rows

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// A row of a plane, or the average of a group of them, from a byte on.
static const uint8_t *row_of(drawing *d, int plane, const ck_table *rows, int group, size_t from, size_t bytes) {
    size_t stride = d->picture->strides[plane];
    int first = group * rows->shrink;
    const uint8_t *source = d->picture->planes[plane] + (size_t)first * stride + from;
    if (rows->shrink == 1) return source;
    int slot = group & 1;
    if (d->averaged[plane][slot] != group) {
        int count = (int)smaller((size_t)rows->shrink, (size_t)(rows->samples - first));
        ck_average_rows(source, stride, count, bytes, d->sums, d->averages[plane][slot]);
        d->averaged[plane][slot] = group;
    }
    return d->averages[plane][slot];
}

typedef struct pair_of_rows {
    const uint8_t *a, *b;
    int weight;
} pair_of_rows;

static pair_of_rows rows_at(drawing *d, int plane, const ck_table *rows, int at, size_t from, size_t bytes) {
    int group = rows->index[at], weight = rows->weight[at];
    const uint8_t *a = row_of(d, plane, rows, group, from, bytes);
    return (pair_of_rows){a, weight ? row_of(d, plane, rows, group + 1, from, bytes) : a, weight};
}

static void forget_averages(drawing *d) { memset(d->averaged, -1, sizeof d->averaged); }

// MARK: - Pieces: a part of one row of target pixels, in the picture's own direction

// Samples of a plane that target pixels need: a few more where the row has them, so that wide loops have no rest.
typedef struct range {
    size_t first, count;
} range;

static range samples_for(const ck_table *table, int from, int to) {
    size_t shrink = (size_t)table->shrink, all = (size_t)table->samples;
    size_t first = (size_t)ck_table_first(table, from, to) * shrink;
    size_t count = (size_t)ck_table_span(table, from, to) * shrink;
    return (range){first, smaller((count + 31) / 32 * 32, all - first)};
}

// Averages neighbours where the target is small; the row starts with the first group then.
static const uint8_t *shrunk(uint8_t *row, range range, const ck_table *table, int from, int to) {
    size_t first = (size_t)ck_table_first(table, from, to) * (size_t)table->shrink;
    uint8_t *start = row + (first - range.first);
    if (table->shrink > 1) {
        size_t groups = (size_t)ck_table_span(table, from, to);
        size_t samples = smaller(groups * (size_t)table->shrink, (size_t)table->samples - first);
        ck_average_neighbours(start, samples, table->shrink, groups);
    }
    return start;
}

static void fill_planes(drawing *d, int at, range luma, range chroma) {
    const ck_loops *loops = d->loops;
    pair_of_rows rows = rows_at(d, 0, &d->luma_rows, at, luma.first, luma.count);
    loops->blend(rows.a, rows.b, rows.weight, luma.count, d->y);
    if (d->picture->samples == CK_PIXELS_SEMI_PLANAR) {
        rows = rows_at(d, 1, &d->chroma_rows, at, 2 * chroma.first, 2 * chroma.count);
        loops->blend_pairs(rows.a, rows.b, rows.weight, chroma.count, d->u, d->v);
        return;
    }
    for (int plane = 1; plane < 3; plane++) {
        rows = rows_at(d, plane, &d->chroma_rows, at, chroma.first, chroma.count);
        loops->blend(rows.a, rows.b, rows.weight, chroma.count, plane == 1 ? d->u : d->v);
    }
}

static void fill_pixels(drawing *d, int at, range range) {
    size_t size = d->picture->samples == CK_PIXELS_BGRX ? 4 : 3;
    pair_of_rows rows = rows_at(d, 0, &d->luma_rows, at, size * range.first, size * range.count);
    // The rows called y, u, v are green, blue, red.
    if (size == 4)
        d->loops->blend_bgrx(rows.a, rows.b, rows.weight, range.count, d->u, d->y, d->v);
    else if (d->picture->samples == CK_PIXELS_BGR)
        ck_blend_bgr(rows.a, rows.b, rows.weight, range.count, d->u, d->y, d->v);
    else
        ck_blend_bgr(rows.a, rows.b, rows.weight, range.count, d->v, d->y, d->u);
}

// The pairs that luma and chroma need together, in packed samples.
static range pairs_for(range luma, range chroma) {
    size_t first = smaller(luma.first / 2, chroma.first);
    size_t luma_end = (luma.first + luma.count + 1) / 2, chroma_end = chroma.first + chroma.count;
    return (range){first, (luma_end > chroma_end ? luma_end : chroma_end) - first};
}

static void draw_piece(drawing *d, int row, int from, int to, uint8_t *out) {
    range luma = samples_for(&d->luma_columns, from, to), chroma = samples_for(&d->chroma_columns, from, to);
    ck_pixels_samples samples = d->picture->samples;
    if (samples <= CK_PIXELS_UYVY) {
        range pairs = pairs_for(luma, chroma);
        pair_of_rows rows = rows_at(d, 0, &d->luma_rows, row, 4 * pairs.first, 4 * pairs.count);
        (samples == CK_PIXELS_YUYV ? d->loops->blend_yuyv : d->loops->blend_uyvy)(
            rows.a, rows.b, rows.weight, pairs.count, d->y, d->u, d->v);
        luma.first = 2 * pairs.first;
        chroma.first = pairs.first;
    } else if (samples == CK_PIXELS_GREY) {
        pair_of_rows rows = rows_at(d, 0, &d->luma_rows, row, luma.first, luma.count);
        d->loops->blend(rows.a, rows.b, rows.weight, luma.count, d->y);
        memset(d->u, 128, chroma.count);
        memset(d->v, 128, chroma.count);
    } else if (samples >= CK_PIXELS_RGB) {
        fill_pixels(d, row, luma);
    } else {
        fill_planes(d, row, luma, chroma);
    }
    ck_piece piece = {
        .luma = &d->luma_columns,
        .chroma = &d->chroma_columns,
        .colour = &d->colour,
        .y = shrunk(d->y, luma, &d->luma_columns, from, to),
        .u = shrunk(d->u, chroma, &d->chroma_columns, from, to),
        .v = shrunk(d->v, chroma, &d->chroma_columns, from, to),
        .first_luma = ck_table_first(&d->luma_columns, from, to),
        .first_chroma = ck_table_first(&d->chroma_columns, from, to),
        .from = from,
        .count = to - from,
        .out = out,
    };
    d->draw(&piece);
}

// MARK: - The whole target

static void draw_rows(drawing *d, const ck_pixels_target *target) {
    for (int row = 0; row < target->height; row++)
        for (int from = 0; from < target->width; from += TILE_COLUMNS) {
            int to = (int)smaller((size_t)from + TILE_COLUMNS, (size_t)target->width);
            // One tile a row is the rule; the averages of its rows serve the next row too.
            if (target->width > TILE_COLUMNS) forget_averages(d);
            draw_piece(d, row, from, to, target->bytes + (size_t)row * target->stride + 4 * (size_t)from);
        }
}

static void draw_turned(drawing *d, const ck_pixels_target *target) {
    for (int top = 0; top < target->width; top += TURNED_TILE_ROWS) {
        int rows = (int)smaller(TURNED_TILE_ROWS, (size_t)(target->width - top));
        for (int from = 0; from < target->height; from += TURNED_TILE_COLUMNS) {
            int to = (int)smaller((size_t)from + TURNED_TILE_COLUMNS, (size_t)target->height);
            forget_averages(d);
            for (int row = 0; row < rows; row++)
                draw_piece(d, top + row, from, to, (uint8_t *)(d->tile + row * TURNED_TILE_COLUMNS));
            d->loops->transpose(d->tile, TURNED_TILE_COLUMNS, rows, to - from,
                                target->bytes + (size_t)from * target->stride + 4 * (size_t)top,
                                target->stride);
        }
    }
}

int ck_pixels_draw(const ck_pixels_picture *picture, ck_pixels_axis columns, ck_pixels_axis rows, int transposed,
                   const ck_pixels_target *target, ck_widest_loops loops) {
    drawing d = {.picture = picture, .loops = ck_loops_for(loops), .colour = ck_colour_for(picture)};
    int column_count = transposed ? target->height : target->width;
    int row_count = transposed ? target->width : target->height;
    int is_ready = make_tables(&d, columns, rows, column_count, row_count)
        && make_scratch(&d, transposed ? TURNED_TILE_ROWS * TURNED_TILE_COLUMNS : 0);
    if (is_ready) {
        int is_narrow = d.luma_columns.is_narrow && d.chroma_columns.is_narrow;
        d.draw = is_narrow ? d.loops->draw : ck_portable_loops.draw;
        forget_averages(&d);
        (transposed ? draw_turned : draw_rows)(&d, target);
    }
    discard(&d);
    return is_ready;
}

void ck_pixels_fill(const ck_pixels_target *target, uint32_t bgra) {
    for (int row = 0; row < target->height; row++) {
        uint8_t *pixel = target->bytes + (size_t)row * target->stride;
        for (int column = 0; column < target->width; column++, pixel += 4) memcpy(pixel, &bgra, sizeof bgra);
    }
}
