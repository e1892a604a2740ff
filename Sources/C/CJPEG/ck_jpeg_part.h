#pragma once

// A picture's part that one thread compresses as if it were a picture. Not for Swift.

#include "ck_jpeg.h"

typedef struct ck_jpeg_part {
    ck_jpeg_picture picture;
    ck_jpeg_encode_options options;
    unsigned restart_interval;  // in units; 0 for none
    int fails;                  // only in tests
    // What comes out; the bytes are to be given back with `free`.
    ck_jpeg_status status;
    ck_jpeg_message message;
    uint8_t *bytes;
    size_t byte_count, capacity;
} ck_jpeg_part;

void ck_jpeg_encode_part(ck_jpeg_part *part);

// The pixels that are compressed together: a block of each component, or several that share chroma.
typedef struct ck_jpeg_unit {
    int width, height;
} ck_jpeg_unit;

ck_jpeg_unit ck_jpeg_unit_of(const ck_jpeg_picture *picture, const ck_jpeg_encode_options *options);
