#pragma once

// JPEG pictures made smaller, or larger, row by row: no whole picture is in memory, and no whole file.

#include "ck_jpeg.h"
#include "ck_scale.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_jpeg_reader ck_jpeg_reader;

// What the headers say.
typedef struct ck_jpeg_facts {
    int width, height;
    size_t byte_count;                  // of the file
    int is_arithmetic;                  // coded arithmetically
    const uint8_t *_Nullable exif;      // content of the first Exif segment; lives as long as the reader
    size_t exif_size;
    const uint8_t *_Nullable profile;   // the colour profile, put together; at most about a megabyte is kept
    size_t profile_size;
} ck_jpeg_facts;

// Readers are for one thread at a time, and to be closed also after a failure.

// Opens a regular file, and never waits for anything else, and reads how it begins.
ck_jpeg_status ck_jpeg_open_file(const char *_Nonnull path, ck_jpeg_reader *_Nullable *_Nonnull reader,
                                 ck_jpeg_message *_Nonnull message);
enum { CK_JPEG_FIRST_BYTES = 256 };
// How an opened file begins, at most CK_JPEG_FIRST_BYTES, to tell what it is before `ck_jpeg_read_headers`; returns how
// many.
size_t ck_jpeg_first_bytes(const ck_jpeg_reader *_Nonnull reader, uint8_t *_Nonnull bytes);
// Reads an opened file's headers, once. Up to a mebibyte before the start marker is skipped.
ck_jpeg_status ck_jpeg_read_headers(ck_jpeg_reader *_Nonnull reader, ck_jpeg_message *_Nonnull message);

// Takes a picture in memory, which begins with its start marker, and reads its headers. `bytes` stay the caller's and
// must outlive the reader.
ck_jpeg_status ck_jpeg_open_bytes(const uint8_t *_Nonnull bytes, size_t byte_count,
                                  ck_jpeg_reader *_Nullable *_Nonnull reader, ck_jpeg_message *_Nonnull message);
void ck_jpeg_close(ck_jpeg_reader *_Nullable reader);

ck_jpeg_facts ck_jpeg_facts_of(const ck_jpeg_reader *_Nonnull reader);
// The kernel's error number, where a file could not be opened or read; 0 where the kernel is not the one that refused.
int ck_jpeg_error_number(const ck_jpeg_reader *_Nullable reader);

typedef struct ck_jpeg_shrinking {
    double x, y, width, height;      // the part of the stored picture that fills the target, in pixels
    int target_width, target_height;
    int is_linear;                   // mixes light instead of sRGB's numbers for it
    // libjpeg averages parts of blocks, which costs least, as long as so many samples are left for a target pixel along
    // each side; it mixes sRGB's numbers, and so leaves so many samples of the eight of a block's side in any case.
    double least_block_ratio;
    int least_eighths;
    double least_ratio;              // as in a plan for what libjpeg leaves
    ck_jpeg_limits limits;
    ck_scale_loops loops;
} ck_jpeg_shrinking;

// Makes the picture, once for each reader, into rows of blue, green, red, 255.
ck_jpeg_status ck_jpeg_shrink(ck_jpeg_reader *_Nonnull reader, const ck_jpeg_shrinking *_Nonnull shrinking,
                              uint8_t *_Nonnull target, size_t stride, ck_jpeg_report *_Nonnull report,
                              ck_jpeg_message *_Nonnull message);

#ifdef __cplusplus
}
#endif
