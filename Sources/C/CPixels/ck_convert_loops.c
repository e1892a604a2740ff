#include "ck_convert_loops.h"

#include <math.h>

// A row's gains add up to what their sum rounds to, so that grey stays grey.
static ck_fixed_row fixed_row(const double gain[3], double offset) {
    const double whole = 1 << CK_FRACTION;
    ck_fixed_row row = {.offset = (int32_t)lround((offset + 0.5) * whole)};
    int32_t sum = (int32_t)lround((gain[0] + gain[1] + gain[2]) * whole);
    row.gain[0] = (int32_t)lround(gain[0] * whole);
    row.gain[2] = (int32_t)lround(gain[2] * whole);
    row.gain[1] = sum - row.gain[0] - row.gain[2];
    return row;
}

ck_fixed ck_fixed_of(const ck_colour_matrix *matrix) {
    ck_fixed fixed;
    for (int i = 0; i < 3; i++) fixed.out[i] = fixed_row(matrix->gain[i], matrix->offset[i]);
    return fixed;
}

#define CK_INLINE static inline __attribute__((always_inline))

CK_INLINE uint8_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

CK_INLINE int32_t mixed(const ck_fixed_row *row, int32_t a, int32_t b, int32_t c, int doublings) {
    int32_t sum = row->gain[0] * a + row->gain[1] * b + row->gain[2] * c;
    return (sum + row->offset * (1 << doublings)) >> (CK_FRACTION + doublings);
}

CK_INLINE void mix_any(const ck_fixed_row *row, ck_samples a, ck_samples b, ck_samples c, size_t count,
                       uint8_t *restrict out) {
    const ck_fixed_row r = *row;
    for (size_t i = 0; i < count; i++) out[i] = clamped(mixed(&r, a[i], b[i], c[i], 0));
}

CK_INLINE int32_t pair(ck_samples row, size_t i) { return row[2 * i] + row[2 * i + 1]; }

CK_INLINE void mix_pairs_any(const ck_fixed_row *row, ck_samples a, ck_samples b, ck_samples c, size_t count,
                             uint8_t *restrict out) {
    const ck_fixed_row r = *row;
    for (size_t i = 0; i < count; i++) out[i] = clamped(mixed(&r, pair(a, i), pair(b, i), pair(c, i), 1));
}

CK_INLINE int32_t square(ck_samples upper, ck_samples lower, size_t i) { return pair(upper, i) + pair(lower, i); }

CK_INLINE void mix_squares_any(const ck_fixed_row *row, const ck_samples a[2], const ck_samples b[2],
                               const ck_samples c[2], size_t count, uint8_t *restrict out) {
    const ck_fixed_row r = *row;
    ck_samples a0 = a[0], a1 = a[1], b0 = b[0], b1 = b[1], c0 = c[0], c1 = c[1];
    for (size_t i = 0; i < count; i++)
        out[i] = clamped(mixed(&r, square(a0, a1, i), square(b0, b1, i), square(c0, c1, i), 2));
}

CK_INLINE void change_luma_any(const ck_fixed_row *row, ck_samples u, ck_samples v, size_t count,
                               uint8_t *restrict y) {
    const ck_fixed_row r = *row;
    for (size_t i = 0; i < count; i++) y[i] = clamped(mixed(&r, y[i], u[i / 2], v[i / 2], 0));
}

CK_INLINE void change_chroma_any(const ck_fixed *fixed, size_t count, uint8_t *restrict u, uint8_t *restrict v) {
    // Luma has no part in chroma.
    const ck_fixed_row to_u = fixed->out[1], to_v = fixed->out[2];
    for (size_t i = 0; i < count; i++) {
        int32_t cb = u[i], cr = v[i];
        u[i] = clamped(mixed(&to_u, 0, cb, cr, 0));
        v[i] = clamped(mixed(&to_v, 0, cb, cr, 0));
    }
}

#define CK_LOOPS(SUFFIX, TARGET)                                                                                  \
    TARGET static void mix_##SUFFIX(const ck_fixed_row *row, ck_samples a, ck_samples b, ck_samples c,            \
                                    size_t count, uint8_t *out) {                                                \
        mix_any(row, a, b, c, count, out);                                                                       \
    }                                                                                                            \
    TARGET static void mix_pairs_##SUFFIX(const ck_fixed_row *row, ck_samples a, ck_samples b, ck_samples c,      \
                                          size_t count, uint8_t *out) {                                          \
        mix_pairs_any(row, a, b, c, count, out);                                                                 \
    }                                                                                                            \
    TARGET static void mix_squares_##SUFFIX(const ck_fixed_row *row, const ck_samples a[2],                       \
                                            const ck_samples b[2], const ck_samples c[2], size_t count,          \
                                            uint8_t *out) {                                                      \
        mix_squares_any(row, a, b, c, count, out);                                                               \
    }                                                                                                            \
    TARGET static void change_luma_##SUFFIX(const ck_fixed_row *row, ck_samples u, ck_samples v, size_t count,    \
                                            uint8_t *y) {                                                        \
        change_luma_any(row, u, v, count, y);                                                                    \
    }                                                                                                            \
    TARGET static void change_chroma_##SUFFIX(const ck_fixed *fixed, size_t count, uint8_t *u, uint8_t *v) {      \
        change_chroma_any(fixed, count, u, v);                                                                   \
    }                                                                                                            \
    static const ck_convert_loops SUFFIX##_loops = {                                                             \
        mix_##SUFFIX, mix_pairs_##SUFFIX, mix_squares_##SUFFIX, change_luma_##SUFFIX, change_chroma_##SUFFIX,     \
    };

CK_LOOPS(portable, )

#if defined(__x86_64__)

// The compiler makes wide loops of the same code.
CK_LOOPS(avx2, __attribute__((target("avx2"))))

const ck_convert_loops *ck_convert_loops_for(ck_widest_loops loops) {
    return loops <= CK_AVX2_LOOPS && __builtin_cpu_supports("avx2") ? &avx2_loops : &portable_loops;
}

#else

const ck_convert_loops *ck_convert_loops_for(ck_widest_loops loops) {
    (void)loops;
    return &portable_loops;
}

#endif
