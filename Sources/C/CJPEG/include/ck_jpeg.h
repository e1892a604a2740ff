#pragma once

// What libjpeg does for the module `Imaging`, in a form that Swift can call: no macro, no callback, and no
// error path that leaves the process or jumps over a Swift frame.

#include <stddef.h>
#include <stdint.h>

#include "ck_colour.h"
#include "ck_widest_loops.h"

#ifdef __cplusplus
extern "C" {
#endif

// Why a call failed.
typedef enum ck_jpeg_status {
    CK_JPEG_OK = 0,
    CK_JPEG_CORRUPT,
    CK_JPEG_INCOMPLETE,      // the bytes stop within the headers
    CK_JPEG_UNSUPPORTED,
    CK_JPEG_TOO_MANY_SCANS,  // more than allowed
    CK_JPEG_TOO_MUCH_METADATA,
    CK_JPEG_TOO_LARGE,
    CK_JPEG_NO_MEMORY,
    CK_JPEG_NOT_ALIGNED,  // sound, but no whole blocks of samples where these are needed
    CK_JPEG_UNREADABLE,
} ck_jpeg_status;

enum { CK_JPEG_MESSAGE_SIZE = 200 };

// libjpeg's sentence about a failure, or an empty string.
typedef struct ck_jpeg_message {
    char text[CK_JPEG_MESSAGE_SIZE];
} ck_jpeg_message;

// How the samples of a picture lie.
typedef enum ck_jpeg_samples {
    CK_JPEG_YUYV,         // one plane, 4:2:2
    CK_JPEG_UYVY,         // one plane, 4:2:2
    CK_JPEG_SEMI_PLANAR,  // luma plane, plane of U V pairs, 4:2:0
    CK_JPEG_PLANAR,       // three planes, 4:2:0
    CK_JPEG_GREY,
    CK_JPEG_RGB,
    CK_JPEG_BGR,
    CK_JPEG_BGRX,
} ck_jpeg_samples;

// A picture to be compressed. Nothing is read past the samples of a plane's last row.
typedef struct ck_jpeg_picture {
    ck_jpeg_samples samples;
    int width;
    int height;
    const uint8_t *_Nullable planes[3];
    size_t strides[3];
    ck_colour_meaning meaning;  // of luma and chroma
} ck_jpeg_picture;

typedef struct ck_jpeg_encode_options {
    ck_widest_loops loops;
    int quality;                          // 1 to 100
    int full_chroma;                      // RGB alone: 4:4:4 instead of 4:2:2
    const uint8_t *_Nullable exif;        // content of an APP1 segment, directly after SOI
    size_t exif_size;                     // at most 65533
    int threads;                          // at most this many work, this one among them
    int failing_part;                     // which thread's work fails, from 1; only tests ask for other than 0
} ck_jpeg_encode_options;

enum { CK_JPEG_MOST_THREADS = 8 };

// Compresses a picture to full-range BT.601 JPEG. The bytes are to be given back with `free`. With several threads the
// picture is cut at restart markers; its samples are the same. A small picture takes fewer threads.
ck_jpeg_status ck_jpeg_encode(const ck_jpeg_picture *_Nonnull picture,
                              const ck_jpeg_encode_options *_Nonnull options,
                              uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull byte_count,
                              ck_jpeg_message *_Nonnull message);

// What a decode saw.
typedef struct ck_jpeg_report {
    int damaged;      // samples are missing or wrong
    int end_missing;  // the bytes stop before the end marker
    int extraneous;   // bytes between segments that belong to nothing
    int whole_rows;   // rows that came before the first damage
} ck_jpeg_report;

// What a decode may cost.
typedef struct ck_jpeg_limits {
    int scans;    // the most that are read
    long memory;  // bytes that libjpeg may take for whole pictures, beside what it is given
} ck_jpeg_limits;

// Decodes to blue, green, red, 255. `width` and `height` are what the header says; `pixels` has room for `eighths`
// eighths of both, 1, 2, 4 or 8, rounded up: each block of eight samples becomes so many. With `pixels` null nothing is
// kept and the picture is only checked. The first damage ends it with CK_JPEG_CORRUPT, unless that is allowed: then
// samples that are missing are those of grey, and the report tells.
ck_jpeg_status ck_jpeg_decode(const uint8_t *_Nonnull bytes, size_t byte_count, int width, int height, int eighths,
                              uint8_t *_Nullable pixels, size_t stride, const ck_jpeg_limits *_Nonnull limits,
                              int allows_damage, ck_jpeg_report *_Nonnull report,
                              ck_jpeg_message *_Nonnull message);

// The means of luma and both colour differences, 0 to 255, of a picture of one scan; grey has differences of 128.
ck_jpeg_status ck_jpeg_average(const uint8_t *_Nonnull bytes, size_t byte_count, double means[_Nonnull 3],
                               ck_jpeg_report *_Nonnull report, ck_jpeg_message *_Nonnull message);

// A part of a picture, turned: of the stored rectangle columns and rows are reversed first, then they change places.
typedef struct ck_jpeg_change {
    int x, y, width, height;  // as stored, in pixels
    int transposes;
    int reverses_x;  // the right column becomes the left one
    int reverses_y;
} ck_jpeg_change;

// Changes a picture without decoding its samples. The rectangle's side that becomes the result's left or upper one
// must lie between two units of blocks, otherwise the status is CK_JPEG_NOT_ALIGNED. Damage is CK_JPEG_CORRUPT.
// The result has no application segment but Adobe's, is progressive where the picture is, and coded by Huffman's
// method. It is to be given back with `free`.
ck_jpeg_status ck_jpeg_transform(const uint8_t *_Nonnull bytes, size_t byte_count,
                                 const ck_jpeg_change *_Nonnull change, const ck_jpeg_limits *_Nonnull limits,
                                 uint8_t *_Nullable *_Nonnull result, size_t *_Nonnull result_count,
                                 ck_jpeg_report *_Nonnull report, ck_jpeg_message *_Nonnull message);

// The offset of the next marker's 0xFF at or after `offset` that is neither a stuffed zero nor a fill byte, nor,
// unless `restarts` is set, a restart marker; `byte_count` where there is none.
size_t ck_jpeg_next_marker(const uint8_t *_Nonnull bytes, size_t offset, size_t byte_count, int restarts,
                           ck_widest_loops loops);

#ifdef __cplusplus
}
#endif
