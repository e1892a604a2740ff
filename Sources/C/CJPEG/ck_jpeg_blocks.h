#pragma once

// Blocks of 8 × 8 coefficients, moved and turned.

#include <stdio.h>

#include <jpeglib.h>

// How a rectangle of blocks comes out of another one: mirrored first, then transposed.
typedef struct ck_jpeg_turn {
    int transposes;
    int reverses_x;
    int reverses_y;
} ck_jpeg_turn;

// Blocks that lie in rows: where each row begins.
typedef struct ck_jpeg_grid {
    JBLOCKROW *rows;
    int across;  // blocks in a row
    int down;
} ck_jpeg_grid;

// Fills all of `target` with blocks of `source`. `left` and `top` are the source's block that becomes the target's
// first one.
void ck_jpeg_blocks_turn(ck_jpeg_grid target, ck_jpeg_grid source, int left, int top, ck_jpeg_turn turn);
