#include "ck_jpeg_blocks.h"

#include <string.h>

// Mirroring a block negates the coefficients of its odd frequencies along that side. Signs are those of the
// target's rows: the first of even ones, the second of odd ones; -1 negates and 0 does not.
typedef struct signs {
    JCOEF rows[2][DCTSIZE];
} signs;

static signs signs_of(ck_jpeg_turn turn) {
    signs result;
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < DCTSIZE; column++) {
            int x = turn.transposes ? row : column, y = turn.transposes ? column : row;
            result.rows[row][column] = (JCOEF)-((turn.reverses_x & x & 1) ^ (turn.reverses_y & y & 1));
        }
    return result;
}

#if defined(__SSE2__)

#include <emmintrin.h>

typedef struct rows { __m128i row[DCTSIZE]; } rows;

static inline rows transposed(rows in) {
    __m128i a[DCTSIZE], b[DCTSIZE];
    for (int i = 0; i < 4; i++) {
        a[2 * i] = _mm_unpacklo_epi16(in.row[2 * i], in.row[2 * i + 1]);
        a[2 * i + 1] = _mm_unpackhi_epi16(in.row[2 * i], in.row[2 * i + 1]);
    }
    for (int half = 0; half < 2; half++) {
        const __m128i *from = a + 4 * half;
        __m128i *to = b + 4 * half;
        to[0] = _mm_unpacklo_epi32(from[0], from[2]);
        to[1] = _mm_unpackhi_epi32(from[0], from[2]);
        to[2] = _mm_unpacklo_epi32(from[1], from[3]);
        to[3] = _mm_unpackhi_epi32(from[1], from[3]);
    }
    rows out;
    for (int i = 0; i < 4; i++) {
        out.row[2 * i] = _mm_unpacklo_epi64(b[i], b[i + 4]);
        out.row[2 * i + 1] = _mm_unpackhi_epi64(b[i], b[i + 4]);
    }
    return out;
}

static inline void turn_block(JCOEFPTR target, const JCOEF *source, int transposes, const signs *signs) {
    rows block;
    for (int i = 0; i < DCTSIZE; i++)
        block.row[i] = _mm_loadu_si128((const __m128i *)(source + DCTSIZE * i));
    if (transposes) block = transposed(block);
    for (int i = 0; i < DCTSIZE; i++) {
        __m128i sign = _mm_loadu_si128((const __m128i *)signs->rows[i & 1]);
        __m128i turned = _mm_sub_epi16(_mm_xor_si128(block.row[i], sign), sign);
        _mm_storeu_si128((__m128i *)(target + DCTSIZE * i), turned);
    }
}

#else

static inline void turn_block(JCOEFPTR target, const JCOEF *source, int transposes, const signs *signs) {
    for (int row = 0; row < DCTSIZE; row++)
        for (int column = 0; column < DCTSIZE; column++) {
            JCOEF sign = signs->rows[row & 1][column];
            JCOEF value = transposes ? source[DCTSIZE * column + row] : source[DCTSIZE * row + column];
            target[DCTSIZE * row + column] = (JCOEF)((value ^ sign) - sign);
        }
}

#endif

static int smaller(int a, int b) { return a < b ? a : b; }

void ck_jpeg_blocks_turn(ck_jpeg_grid target, ck_jpeg_grid source, int left, int top, ck_jpeg_turn turn) {
    // Rows of the one are columns of the other: small squares keep both in the cache.
    enum { SIDE = 8 };
    const signs signs = signs_of(turn);
    int step_x = turn.reverses_x ? -1 : 1, step_y = turn.reverses_y ? -1 : 1;
    for (int upper = 0; upper < target.down; upper += SIDE)
        for (int first = 0; first < target.across; first += SIDE)
            for (int row = upper; row < smaller(upper + SIDE, target.down); row++)
                for (int column = first; column < smaller(first + SIDE, target.across); column++) {
                    int x = left + step_x * (turn.transposes ? row : column);
                    int y = top + step_y * (turn.transposes ? column : row);
                    JCOEFPTR block = target.rows[row][column];
                    // Outside cannot be with a picture's own numbers, and looking costs nothing.
                    if (x >= 0 && y >= 0 && x < source.across && y < source.down)
                        turn_block(block, source.rows[y][x], turn.transposes, &signs);
                    else
                        memset(block, 0, sizeof(JBLOCK));
                }
}
