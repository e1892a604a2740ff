#pragma once

// Strips: the rows of one row of blocks, as libjpeg takes them. Not for Swift.

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include "ck_convert_loops.h"
#include "ck_jpeg.h"
#include "ck_jpeg_rows.h"

enum { CK_STRIP_MOST_ROWS = 2 * DCTSIZE };

typedef struct ck_strip {
    uint8_t *memory;
    JSAMPROW rows[3][CK_STRIP_MOST_ROWS];
    int rows_count[3];
    size_t samples[3];   // in a row
    size_t capacity[3];  // in a row, whole blocks
    const ck_rows *loops;
    const ck_convert_loops *convert_loops;
    ck_fixed fixed;      // matrix and range in one step
    int converts;        // whether that is needed
} ck_strip;

// Returns 0 where there is no memory. The memory is to be given back with `free`.
int ck_strip_allocate(ck_strip *strip, const ck_jpeg_picture *picture, ck_widest_loops loops);

// Fills the strip whose first luma row is `top`.
void ck_strip_fill(ck_strip *strip, const ck_jpeg_picture *picture, int top);
