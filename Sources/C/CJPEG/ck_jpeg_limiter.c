#include "ck_jpeg_limiter.h"

#include <stdint.h>

#include "ck_jpeg_error.h"

// Scans of a few bytes can have a decoder go over all of a picture's coefficients, again and again. Programs' scripts go
// over each of them three times or four. A block costs as much as some of its coefficients, however few are looked at.
enum { LEAST_PASSES = 8, MOST_VISITS = 1 << 29, VISITS_A_BLOCK = 8 };

static int64_t blocks_of(const jpeg_component_info *component) {
    return (int64_t)component->width_in_blocks * component->height_in_blocks;
}

// Counts a scan before it is read.
static void count_scan(ck_jpeg_limiter *limiter, j_decompress_ptr codec) {
    if (codec->input_scan_number > limiter->scans) {
        char text[CK_JPEG_MESSAGE_SIZE];
        snprintf(text, sizeof text, "it has more than the %d scans that are allowed", limiter->scans);
        ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_TOO_MANY_SCANS, text);
    }
    int coefficients = codec->progressive_mode ? codec->Se - codec->Ss + 1 : DCTSIZE2;
    for (int i = 0; i < codec->comps_in_scan; i++)
        limiter->visits += blocks_of(codec->cur_comp_info[i]) * (coefficients + VISITS_A_BLOCK);
    int64_t most = 0;
    for (int i = 0; i < codec->num_components; i++)
        most += blocks_of(&codec->comp_info[i]) * DCTSIZE2 * LEAST_PASSES;
    if (most < MOST_VISITS) most = MOST_VISITS;
    if (limiter->visits > most)
        ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_TOO_MANY_SCANS,
                     "its scans go over so large a picture more often than any program's do");
}

// libjpeg calls this before each row of blocks, of each scan.
static void look(j_common_ptr common) {
    ck_jpeg_limiter *limiter = (ck_jpeg_limiter *)common->progress;
    // The monitor is called while compressing too, which no limiter is made for.
    j_decompress_ptr codec = (j_decompress_ptr)common;
    if (codec->input_scan_number != limiter->scan) {
        limiter->scan = codec->input_scan_number;
        count_scan(limiter, codec);
    }
    if (limiter->report && limiter->report->damaged) ck_jpeg_fail(common, CK_JPEG_CORRUPT, NULL);
}

void ck_jpeg_limiter_start(ck_jpeg_limiter *limiter, struct jpeg_decompress_struct *codec,
                           const ck_jpeg_limits *limits, const ck_jpeg_report *report) {
    *limiter = (ck_jpeg_limiter){.manager = {.progress_monitor = look}, .scans = limits->scans, .report = report};
    codec->progress = &limiter->manager;
    // Zero would mean no bound.
    codec->mem->max_memory_to_use = limits->memory > 0 ? limits->memory : 1;
}
