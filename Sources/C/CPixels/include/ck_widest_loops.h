#pragma once

// The widest registers that loops may use: those of them work that the processor has. All give the same bytes; only
// tests ask for other than the best.
typedef enum ck_widest_loops {
    CK_BEST_LOOPS,
    CK_AVX512_LOOPS = CK_BEST_LOOPS,
    CK_AVX2_LOOPS,
    CK_SSE_LOOPS,
    CK_PORTABLE_LOOPS,  // plain C
} ck_widest_loops;
