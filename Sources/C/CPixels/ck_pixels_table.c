#include "ck_pixels_table.h"

#include <math.h>
#include <stdlib.h>

// Sums of this many samples fit 16 bits, and their average can be had by one multiplication.
enum { MOST_SHRINK = 128 };

static int rounded_up(int count) { return (count + CK_CHUNK - 1) / CK_CHUNK * CK_CHUNK; }

static int allocate(ck_table *table, int entries) {
    size_t eighths = (size_t)entries / 8;
    table->index = calloc((size_t)entries, sizeof *table->index);
    table->weight = calloc((size_t)entries, 1);
    table->base = calloc(eighths, sizeof *table->base);
    table->pick = calloc(eighths, 16);
    table->weights = calloc(eighths, 16);
    return table->index && table->weight && table->base && table->pick && table->weights;
}

// A place on the edge or beyond it gets the outermost sample alone.
static void place(ck_table *table, int entry, double at) {
    double whole = floor(at);
    int index = 0, weight = 0;
    if (at >= table->groups - 1) {
        index = table->groups - 1;
    } else if (at > 0) {
        index = (int)whole;
        weight = (int)lround((at - whole) * CK_WHOLE);
        if (weight == CK_WHOLE) {
            index++;
            weight = 0;
        }
    }
    table->index[entry] = index;
    table->weight[entry] = (uint8_t)weight;
}

static void gather_eights(ck_table *table, int entries) {
    table->is_narrow = 1;
    for (int first = 0; first < entries; first += 8) {
        int base = ck_table_first(table, first, first + 8);
        table->base[first / 8] = base;
        for (int i = first; i < first + 8; i++) {
            int from = table->index[i] - base;
            if (from > 14) {
                table->is_narrow = 0;
                return;
            }
            table->pick[2 * i] = (uint8_t)from;
            table->pick[2 * i + 1] = (uint8_t)(from + 1);
            table->weights[2 * i] = (uint8_t)(CK_WHOLE - table->weight[i]);
            table->weights[2 * i + 1] = table->weight[i];
        }
    }
}

int ck_table_make(ck_table *table, ck_pixels_axis axis, int count, int pixels, int subsampling) {
    double step = axis.step / subsampling;
    double samples_a_pixel = fabs(step);
    *table = (ck_table){.count = count, .shrink = 1};
    if (samples_a_pixel >= 2)
        table->shrink = samples_a_pixel < MOST_SHRINK ? (int)samples_a_pixel : MOST_SHRINK;
    table->samples = (pixels + subsampling - 1) / subsampling;
    table->groups = (table->samples + table->shrink - 1) / table->shrink;
    int entries = rounded_up(count);
    if (!allocate(table, entries)) return 0;
    for (int i = 0; i < entries; i++) {
        double pixel = axis.start + axis.step * (i < count ? i : count - 1);
        place(table, i, pixel / subsampling / table->shrink - 0.5);
    }
    gather_eights(table, entries);
    return 1;
}

void ck_table_free(ck_table *table) {
    free(table->index);
    free(table->weight);
    free(table->base);
    free(table->pick);
    free(table->weights);
}
