#include "ck_scale_light.h"
#include "ck_scale_loops.h"

static void down_bytes(const uint8_t *const *rows, const int16_t *weights, int pairs, size_t count, int16_t *out) {
    enum { SHIFT = 14 - CK_SCALE_UNIT_BITS };
    for (size_t x = 0; x < count; x++) {
        int32_t sum = 1 << (SHIFT - 1);
        for (int i = 0; i < 2 * pairs; i++) sum += weights[i] * rows[i][x];
        out[x] = ck_scale_word(sum >> SHIFT);
    }
}

static void down_words(const int16_t *const *rows, const int16_t *weights, int pairs, size_t count, int16_t *out) {
    for (size_t x = 0; x < count; x++) {
        int32_t sum = CK_SCALE_WHOLE / 2;
        for (int i = 0; i < 2 * pairs; i++) sum += weights[i] * rows[i][x];
        out[x] = ck_scale_word(sum >> 14);
    }
}

static void across(const int16_t *row, const ck_weights *columns, int16_t *out) {
    const int16_t *weights = columns->weights;
    for (int i = 0; i < columns->count; i++, weights += columns->taps) {
        const int16_t *samples = row + columns->first[i];
        int32_t sum = CK_SCALE_WHOLE / 2;
        for (int tap = 0; tap < columns->used[i]; tap++) sum += weights[tap] * samples[tap];
        out[i] = ck_scale_word(sum >> 14);
    }
}

static void light_of_ycc(const uint8_t *const *samples, size_t count, int16_t *const *planes) {
    for (size_t x = 0; x < count; x++) {
        int32_t y = samples[0][x] << CK_LIGHT_UNIT_BITS, u = (samples[1][x] - 128) * 256, v = (samples[2][x] - 128) * 256;
        planes[0][x] = ck_light_of(y + ck_light_part(u, ck_jpeg_u_blue));
        planes[1][x] = ck_light_of(y - ck_light_part(u, ck_jpeg_u_green) - ck_light_part(v, ck_jpeg_v_green));
        planes[2][x] = ck_light_of(y + ck_light_part(v, ck_jpeg_v_red));
    }
}

const ck_scale_set ck_scale_portable_set = {down_bytes, down_words, across, light_of_ycc};

const ck_scale_set *ck_scale_set_for(ck_widest_loops loops) {
#if defined(__x86_64__)
    if (loops <= CK_AVX2_LOOPS && __builtin_cpu_supports("avx2")) return &ck_scale_avx2_set;
    if (loops <= CK_SSE_LOOPS) return &ck_scale_sse2_set;
#endif
    (void)loops;
    return &ck_scale_portable_set;
}
