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
    table->third = calloc((size_t)entries, 1);
    table->base = calloc(eighths, sizeof *table->base);
    table->pick = calloc(eighths, 16);
    table->weights = calloc(eighths, 16);
    table->third_pick = calloc(eighths, 16);
    table->third_weights = calloc(eighths, 16);
    return table->index && table->weight && table->third && table->base && table->pick && table->weights
        && table->third_pick && table->third_weights;
}

// Between two groups; a place on the edge or beyond it gets the outermost group alone.
static void place_between(ck_table *table, int entry, double at) {
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

// Over as many groups as a target pixel is wide, `middle` being its place from the picture's edge.
static void place_over(ck_table *table, int entry, double middle, double width) {
    double low = fmax(middle - width / 2, 0), high = fmin(middle + width / 2, table->groups);
    // Little of it lies on the picture.
    if (high - low < 0.5) {
        place_between(table, entry, middle - 0.5);
        return;
    }
    int index = (int)low;
    double whole = CK_WHOLE / (high - low);
    int first = (int)lround((fmin(index + 1, high) - low) * whole);
    int third = (int)lround(fmax(high - (index + 2), 0) * whole);
    if (first + third > CK_WHOLE) third = CK_WHOLE - first;
    table->index[entry] = index;
    table->weight[entry] = (uint8_t)(CK_WHOLE - first - third);
    table->third[entry] = (uint8_t)third;
}

static void gather_eights(ck_table *table, int entries) {
    table->is_narrow = 1;
    for (int first = 0; first < entries; first += 8) {
        int base = ck_table_first(table, first, first + 8);
        table->base[first / 8] = base;
        for (int i = first; i < first + 8; i++) {
            int from = table->index[i] - base;
            if (from + table->taps > 16) {
                table->is_narrow = 0;
                return;
            }
            table->pick[2 * i] = (uint8_t)from;
            table->pick[2 * i + 1] = (uint8_t)(from + 1);
            table->weights[2 * i] = (uint8_t)(CK_WHOLE - table->weight[i] - table->third[i]);
            table->weights[2 * i + 1] = table->weight[i];
            table->third_pick[2 * i] = table->third_pick[2 * i + 1] = (uint8_t)(from + table->taps - 1);
            table->third_weights[2 * i] = table->third[i];
        }
    }
}

int ck_table_make(ck_table *table, ck_pixels_axis axis, int count, int pixels, int subsampling, int most_taps) {
    double step = fabs(axis.step) / subsampling;
    *table = (ck_table){.count = count, .taps = 2, .shrink = 1};
    // Eight times three groups lie within 16 bytes up to here.
    if (step > 1.85) table->shrink = step < 2 ? 2 : step < MOST_SHRINK ? (int)step : MOST_SHRINK;
    table->samples = (pixels + subsampling - 1) / subsampling;
    table->groups = (table->samples + table->shrink - 1) / table->shrink;
    double width = step / table->shrink;
    if (width > 1 && width <= 2) table->taps = most_taps;
    int entries = rounded_up(count);
    if (!allocate(table, entries)) return 0;
    for (int i = 0; i < entries; i++) {
        double pixel = axis.start + axis.step * (i < count ? i : count - 1);
        double middle = pixel / subsampling / table->shrink;
        if (table->taps == 3)
            place_over(table, i, middle, width);
        else
            place_between(table, i, middle - 0.5);
    }
    gather_eights(table, entries);
    return 1;
}

void ck_table_free(ck_table *table) {
    free(table->index);
    free(table->weight);
    free(table->third);
    free(table->base);
    free(table->pick);
    free(table->weights);
    free(table->third_pick);
    free(table->third_weights);
}
