#pragma once

// PNG through libpng, and its compression through zlib, made safe to call: no callback, and no error path
// that leaves the process or jumps over a Swift frame.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Why a call failed.
typedef enum ck_png_status {
    CK_PNG_OK = 0,
    CK_PNG_CORRUPT,
    CK_PNG_TOO_LARGE,
    CK_PNG_NO_MEMORY,
} ck_png_status;

enum { CK_PNG_MESSAGE_SIZE = 200 };

// libpng's sentence about a failure, or an empty string.
typedef struct ck_png_message {
    char text[CK_PNG_MESSAGE_SIZE];
} ck_png_message;

typedef struct ck_png_decode_options {
    int width, height;    // what the header says and what the pixels have room for
    double gamma;         // by which samples become light, undone for sRGB; 0 for samples that stay as they are
    size_t memory_limit;  // of libpng and zlib, beside the pixels
    int allows_damage;    // rows that are missing become mid grey
} ck_png_decode_options;

// Decodes to blue, green, red, alpha, which the colours are not multiplied with; without transparency it is 255.
// `whole_rows` are the rows from the top that are known to be right.
ck_png_status ck_png_decode(const uint8_t *_Nonnull bytes, size_t byte_count,
                            const ck_png_decode_options *_Nonnull options, uint8_t *_Nonnull pixels, size_t stride,
                            int *_Nonnull whole_rows, ck_png_message *_Nonnull message);

// How the samples of a picture lie.
typedef enum ck_png_samples {
    CK_PNG_GREY,
    CK_PNG_RGB,
    CK_PNG_BGR,
    CK_PNG_BGRA,
    CK_PNG_BGRX,            // four bytes a pixel, of which the last is left out
    CK_PNG_GREY_OF_BGRX,    // as these, with three equal colours of which one is written
    CK_PNG_GREY_ALPHA_OF_BGRA,
} ck_png_samples;

typedef struct ck_png_picture {
    ck_png_samples samples;
    int width, height;
    const uint8_t *_Nonnull pixels;
    size_t stride;
} ck_png_picture;

// Compresses a picture to the chunks that it must have. The bytes are to be given back with `free`.
ck_png_status ck_png_encode(const ck_png_picture *_Nonnull picture, uint8_t *_Nullable *_Nonnull bytes,
                            size_t *_Nonnull byte_count, ck_png_message *_Nonnull message);

// Whether a pixel's last byte is other than 255. That of pixels which all have a zero there means nothing: a picture
// of which nothing is seen is none.
int ck_png_has_alpha(const uint8_t *_Nonnull bgra, int width, int height, size_t stride);

// Whether the three colours of each pixel are equal.
int ck_png_is_grey(const uint8_t *_Nonnull bgra, int width, int height, size_t stride);

// Blue, green, red, 255 as they are seen on white.
void ck_png_flatten(const uint8_t *_Nonnull bgra, int width, int height, size_t stride, uint8_t *_Nonnull target,
                    size_t target_stride);

// The checksum that ends a chunk, over its type and its content.
uint32_t ck_png_checksum(const uint8_t *_Nonnull bytes, size_t byte_count);

// zlib's format. The bytes are to be given back with `free`. More than `limit` bytes are CK_PNG_TOO_LARGE.
ck_png_status ck_png_inflate(const uint8_t *_Nonnull bytes, size_t byte_count, size_t limit,
                             uint8_t *_Nullable *_Nonnull result, size_t *_Nonnull result_count);
// How many bytes zlib's format stands for, or those before the first damage; more than `limit` where there are more than
// that, without going on.
size_t ck_png_inflated_count(const uint8_t *_Nonnull bytes, size_t byte_count, size_t limit);

ck_png_status ck_png_deflate(const uint8_t *_Nonnull bytes, size_t byte_count,
                             uint8_t *_Nullable *_Nonnull result, size_t *_Nonnull result_count);

#ifdef __cplusplus
}
#endif
