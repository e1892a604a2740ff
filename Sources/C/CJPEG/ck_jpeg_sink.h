#pragma once

// Where compressed bytes go: one block of memory that grows.

#include <stdio.h>

#include <jpeglib.h>

#include "ck_jpeg_error.h"

typedef struct ck_jpeg_sink {
    struct jpeg_destination_mgr manager;  // first, so that libjpeg's pointer is this struct's
    uint8_t *bytes;
    size_t capacity;
} ck_jpeg_sink;

// `expected` bytes are taken at once. After a failure `bytes` is to be freed, and may be null.
void ck_jpeg_sink_start(ck_jpeg_sink *sink, struct jpeg_compress_struct *codec, size_t expected);

// The bytes, to be given back with `free`; nothing is left in the sink.
uint8_t *ck_jpeg_sink_take(ck_jpeg_sink *sink, size_t *byte_count);
