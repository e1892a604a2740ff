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
    int is_grey;                        // has one component
    const uint8_t *_Nullable exif;      // content of the first Exif segment; lives as long as the reader
    size_t exif_size;
    const uint8_t *_Nullable profile;   // the colour profile, put together; at most about a megabyte is kept
    size_t profile_size;
} ck_jpeg_facts;

// Readers are for one thread at a time, and to be closed also after a failure.

// Reads a file's headers, the descriptor at its beginning. It stays the caller's and must outlive the reader. Up to a
// mebibyte before the start marker is skipped; more bytes of application segments and comments before the first scan than
// the limit are CK_JPEG_TOO_MUCH_METADATA.
ck_jpeg_status ck_jpeg_open_file(int descriptor, size_t byte_count, size_t metadata_limit,
                                 ck_jpeg_reader *_Nullable *_Nonnull reader, ck_jpeg_message *_Nonnull message);

// Takes a picture in memory, which begins with its start marker, and reads its headers. `bytes` stay the caller's and
// must outlive the reader.
ck_jpeg_status ck_jpeg_open_bytes(const uint8_t *_Nonnull bytes, size_t byte_count,
                                  ck_jpeg_reader *_Nullable *_Nonnull reader, ck_jpeg_message *_Nonnull message);
void ck_jpeg_close(ck_jpeg_reader *_Nullable reader);

ck_jpeg_facts ck_jpeg_facts_of(const ck_jpeg_reader *_Nonnull reader);
// The kernel's error number, where a file could not be read.
int ck_jpeg_error_number(const ck_jpeg_reader *_Nullable reader);

typedef struct ck_jpeg_shrinking {
    ck_scale_wish wish;              // its ratio is one of what libjpeg leaves
    // libjpeg averages parts of blocks, which costs least, as long as so many samples are left for a target pixel along
    // each side; it mixes sRGB's numbers, and so leaves so many samples of the eight of a block's side in any case.
    double least_block_ratio;
    int least_eighths;
    ck_jpeg_limits limits;
} ck_jpeg_shrinking;

// Makes the picture, once for each reader, into rows of blue, green, red, 255.
ck_jpeg_status ck_jpeg_shrink(ck_jpeg_reader *_Nonnull reader, const ck_jpeg_shrinking *_Nonnull shrinking,
                              uint8_t *_Nonnull target, size_t stride, ck_jpeg_report *_Nonnull report,
                              ck_jpeg_message *_Nonnull message);

#ifdef __cplusplus
}
#endif
