#include "ck_jpeg_limiter.h"

#include "ck_jpeg_error.h"

// libjpeg calls this after each row of blocks, of each scan.
static void look(j_common_ptr codec) {
    const ck_jpeg_limiter *limiter = (const ck_jpeg_limiter *)codec->progress;
    // The monitor is called while compressing too, which no limiter is made for.
    if (((j_decompress_ptr)codec)->input_scan_number > limiter->scans)
        ck_jpeg_fail(codec, CK_JPEG_TOO_MANY_SCANS, "more scans than any camera or program writes");
    if (limiter->report && limiter->report->damaged) ck_jpeg_fail(codec, CK_JPEG_CORRUPT, NULL);
}

void ck_jpeg_limiter_start(ck_jpeg_limiter *limiter, struct jpeg_decompress_struct *codec,
                           const ck_jpeg_limits *limits, const ck_jpeg_report *report) {
    *limiter = (ck_jpeg_limiter){.manager = {.progress_monitor = look}, .scans = limits->scans, .report = report};
    codec->progress = &limiter->manager;
    // Zero would mean no bound.
    codec->mem->max_memory_to_use = limits->memory > 0 ? limits->memory : 1;
}
