#include "ck_scale_weights.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { LOBES = 3, STEPS = 512 };

// Lanczos' filter, STEPS places for each sample; between them a straight line errs by less than weights are rounded.
static double lanczos[LOBES * STEPS + 2];
static pthread_once_t lanczos_once = PTHREAD_ONCE_INIT;

static void make_lanczos(void) {
    const double pi = 3.14159265358979323846;
    lanczos[0] = 1;
    for (int i = 1; i < LOBES * STEPS; i++) {
        double x = pi * i / STEPS;
        lanczos[i] = LOBES * sin(x) * sin(x / LOBES) / (x * x);
    }
}

// The C library's functions for these are calls, of which a small picture would need a hundred thousand.
static double smaller(double a, double b) { return a < b ? a : b; }
static int32_t rounded(double value) { return (int32_t)(value < 0 ? value - 0.5 : value + 0.5); }

static double lanczos_at(double x) {
    x = fabs(x) * STEPS;
    if (x >= LOBES * STEPS) return 0;
    int place = (int)x;
    return lanczos[place] + (lanczos[place + 1] - lanczos[place]) * (x - place);
}

// The weights of samples first..<first + used, not yet in parts of a whole. A sample that the picture's end cuts counts
// for the part that it has left: the rest is whatever the encoder filled its block up with.
static double weigh(double *raw, ck_side side, double centre, double scale, int first, int used) {
    const double part = 1 / scale;
    double sum = 0;
    for (int i = 0; i < used; i++) {
        double low = first + i, high = smaller(low + 1, side.end);
        raw[i] = lanczos_at(((low + high) / 2 - centre) * part) * (high - low);
        sum += raw[i];
    }
    return sum;
}

// Rounds so that the parts add up to the whole: flat stays flat.
static void round_to_whole(const double *raw, double sum, int used, int16_t *weights) {
    const double whole = CK_SCALE_WHOLE / sum;
    int left = CK_SCALE_WHOLE, largest = 0;
    for (int i = 0; i < used; i++) {
        weights[i] = (int16_t)rounded(raw[i] * whole);
        left -= weights[i];
        if (raw[i] > raw[largest]) largest = i;
    }
    weights[largest] = (int16_t)(weights[largest] + left);
}

static int allocate(ck_weights *weights) {
    size_t count = (size_t)weights->count;
    weights->first = malloc(count * sizeof *weights->first);
    weights->used = malloc(count * sizeof *weights->used);
    weights->weights = calloc(count * (size_t)weights->taps, sizeof *weights->weights);
    return weights->first && weights->used && weights->weights;
}

int ck_weights_make(ck_weights *weights, ck_side side, int count, int multiple) {
    pthread_once(&lanczos_once, make_lanczos);
    double step = side.length / count, scale = fmax(step, 1), reach = LOBES * scale;
    int most = (int)fmin(ceil(2 * reach) + 1, side.samples);
    *weights = (ck_weights){.count = count, .taps = (most + multiple - 1) / multiple * multiple};
    double *raw = malloc((size_t)most * sizeof *raw);
    if (!raw || !allocate(weights)) {
        free(raw);
        return 0;
    }
    for (int i = 0; i < count; i++) {
        double centre = side.start + (i + 0.5) * step;
        // A sample counts whose middle is within reach.
        int first = (int)fmax(ceil(centre - reach - 0.5), 0);
        int end = (int)fmin(floor(centre + reach - 0.5) + 1, side.samples);
        if (first > side.samples - 1) first = side.samples - 1;
        if (end <= first) end = first + 1;
        if (end - first > most) end = first + most;
        double sum = weigh(raw, side, centre, scale, first, end - first);
        weights->first[i] = first;
        weights->used[i] = end - first;
        round_to_whole(raw, sum, end - first, weights->weights + (size_t)i * (size_t)weights->taps);
    }
    free(raw);
    return 1;
}

void ck_weights_free(ck_weights *weights) {
    free(weights->first);
    free(weights->used);
    free(weights->weights);
    *weights = (ck_weights){0};
}
