#pragma once

// A picture that is being read, from memory or piece by piece from a file.

#include "ck_jpeg_error.h"
#include "ck_jpeg_shrink.h"

// Large enough for libjpeg's fast way through Huffman codes, which wants some kilobytes ahead, nearly all of the time.
enum { CK_JPEG_PIECE = 128 * 1024, CK_JPEG_MOST_PROFILE = 1 << 20, CK_JPEG_MOST_JUNK = 1 << 20 };
// A part's number is one byte.
enum { CK_JPEG_MOST_PARTS = 255 };

struct ck_jpeg_reader {
    struct jpeg_decompress_struct codec;
    ck_jpeg_errors errors;
    ck_jpeg_message message;
    ck_jpeg_report report;

    struct jpeg_source_mgr source;
    int descriptor;                     // of a file
    int error_number;
    size_t byte_count;
    uint8_t *piece;
    size_t metadata_size, metadata_limit;

    uint8_t *content;                   // of a segment that is being read
    uint8_t *exif;
    size_t exif_size;
    // A colour profile's parts by their numbers, and how many bytes are kept of them in all.
    struct ck_jpeg_profile_part {
        uint8_t *content;
        size_t size;
    } profile_parts[CK_JPEG_MOST_PARTS];
    size_t profile_bytes;
    int profile_part_count;             // as the first part says; 0 without one
    uint8_t *profile;                   // put together, where all parts are there
    size_t profile_size;
};
