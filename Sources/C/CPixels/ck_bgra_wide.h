// The part of ck_bgra_convert's loops that is the same for registers of every width. No include guard: a file includes it
// once, after it has defined
//   CK_TARGET    the processor that its functions are for
//   CK_VECTOR    the register
//   CK_V(name)   an operation on it: _mm256_add_epi16 of add_epi16
//   CK_BITS(name)  one on all of its bits: _mm256_xor_si256 of xor
//   CK_PICK(...)   the bytes of a lane that its words are made of, the same in all lanes
//   CK_WORDS     how many pixels' words it holds

#include <immintrin.h>

#include "ck_bgra_rows.h"

typedef struct gains {
    CK_VECTOR luma, black, u_blue, u_green, v_green, v_red;
} gains;

CK_TARGET static inline gains gains_of(const ck_bgra_colour *c) {
    return (gains){
        CK_V(set1_epi16)((short)c->luma), CK_V(set1_epi16)(c->black), CK_V(set1_epi16)(c->u_blue),
        CK_V(set1_epi16)(c->u_green), CK_V(set1_epi16)(c->v_green), CK_V(set1_epi16)(c->v_red),
    };
}

// The colours of CK_WORDS pixels in words.
typedef struct colours {
    CK_VECTOR blue, green, red;
} colours;

// Pixels' samples, each in the high byte of a word, those of chroma less 128. Lane n holds four pixels from 4 n, and four
// from half of all and 4 n, so that what the last step interleaves within lanes lies in order.
CK_TARGET static inline colours colours_of(CK_VECTOR luma, CK_VECTOR u, CK_VECTOR v, const gains *g) {
    CK_VECTOR y = CK_V(sub_epi16)(CK_V(mulhi_epu16)(luma, g->luma), g->black);
    CK_VECTOR green = CK_V(add_epi16)(CK_V(mulhi_epi16)(u, g->u_green), CK_V(mulhi_epi16)(v, g->v_green));
    return (colours){
        .blue = CK_V(srai_epi16)(CK_V(add_epi16)(y, CK_V(mulhi_epi16)(u, g->u_blue)), CK_BGRA_FRACTION),
        .green = CK_V(srai_epi16)(CK_V(add_epi16)(y, green), CK_BGRA_FRACTION),
        .red = CK_V(srai_epi16)(CK_V(add_epi16)(y, CK_V(mulhi_epi16)(v, g->v_red)), CK_BGRA_FRACTION),
    };
}

CK_TARGET static inline void store_half(CK_VECTOR bg, CK_VECTOR ra, uint8_t *bgra) {
    // Clang would make more and slower shuffles of the two steps.
    __asm__("" : "+v"(bg), "+v"(ra));
    CK_BITS(storeu)((void *)bgra, CK_V(unpacklo_epi16)(bg, ra));
    CK_BITS(storeu)((void *)(bgra + sizeof bg), CK_V(unpackhi_epi16)(bg, ra));
}

CK_TARGET static inline void store_two(colours first, colours second, uint8_t *bgra) {
    const CK_VECTOR alpha = CK_V(set1_epi8)((char)255);
    CK_VECTOR blue = CK_V(packus_epi16)(first.blue, second.blue);
    CK_VECTOR green = CK_V(packus_epi16)(first.green, second.green);
    CK_VECTOR red = CK_V(packus_epi16)(first.red, second.red);
    store_half(CK_V(unpacklo_epi8)(blue, green), CK_V(unpacklo_epi8)(red, alpha), bgra);
    store_half(CK_V(unpackhi_epi8)(blue, green), CK_V(unpackhi_epi8)(red, alpha), bgra + 4 * CK_WORDS);
}

CK_TARGET static inline CK_VECTOR less_128(CK_VECTOR chroma) {
    return CK_BITS(xor)(chroma, CK_V(set1_epi8)((char)0x80));
}

// Samples of packed formats: `samples` in the order of the lanes.
CK_TARGET static inline colours yuyv_colours_of(CK_VECTOR packed, const gains *g) {
    CK_VECTOR samples = CK_BITS(xor)(packed, CK_V(set1_epi16)((short)0x8000));
    return colours_of(CK_V(slli_epi16)(samples, 8), CK_V(shuffle_epi8)(samples, CK_PICK(1, 1, 5, 5, 9, 9, 13, 13)),
                      CK_V(shuffle_epi8)(samples, CK_PICK(3, 3, 7, 7, 11, 11, 15, 15)), g);
}

CK_TARGET static inline colours uyvy_colours_of(CK_VECTOR packed, const gains *g) {
    CK_VECTOR samples = CK_BITS(xor)(packed, CK_V(set1_epi16)(0x0080));
    return colours_of(CK_BITS(and)(samples, CK_V(set1_epi16)((short)0xFF00)),
                      CK_V(shuffle_epi8)(samples, CK_PICK(0, 0, 4, 4, 8, 8, 12, 12)),
                      CK_V(shuffle_epi8)(samples, CK_PICK(2, 2, 6, 6, 10, 10, 14, 14)), g);
}

// A row's loop, of the function that makes colours of its samples from a pixel on: two registers at a time, and the rest.
#define CK_ROW(name, rest)                                                                                        \
    CK_TARGET static void name##_row(const ck_bgra_row *row, size_t count, const ck_bgra_colour *c, uint8_t *bgra) { \
        gains g = gains_of(c);                                                                                    \
        size_t x = 0;                                                                                             \
        for (; x + 2 * CK_WORDS <= count; x += 2 * CK_WORDS)                                                      \
            store_two(name##_colours(row, x, &g), name##_colours(row, x + CK_WORDS, &g), bgra + 4 * x);           \
        rest(name)                                                                                                \
    }
