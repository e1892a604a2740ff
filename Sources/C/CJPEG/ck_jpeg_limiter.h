#pragma once

// Ends a decode that costs more than it may, or whose result nobody wants any more.

#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

#include "ck_jpeg.h"

typedef struct ck_jpeg_limiter {
    struct jpeg_progress_mgr manager;  // first, so that libjpeg's pointer is this struct's
    int scans;       // the most
    int scan;        // the one that was counted last
    int64_t visits;  // of coefficients, by all scans so far
    const ck_jpeg_report *report;  // null where damage does not end the decode
} ck_jpeg_limiter;

// To be called after the codec was created. `report` is null where damage shall not end the decode.
void ck_jpeg_limiter_start(ck_jpeg_limiter *limiter, struct jpeg_decompress_struct *codec,
                           const ck_jpeg_limits *limits, const ck_jpeg_report *report);
