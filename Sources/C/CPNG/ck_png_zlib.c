#include <stdlib.h>

#include <zlib.h>

#include "ck_png.h"

uint32_t ck_png_checksum(const uint8_t *bytes, size_t byte_count) {
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, byte_count);
}

// Doubles the room; 0 where there is no memory for it.
static int grow(uint8_t **bytes, size_t *room, size_t most) {
    size_t larger = *room > most / 2 ? most : *room * 2;
    uint8_t *grown = realloc(*bytes, larger);
    if (!grown) return 0;
    *bytes = grown;
    *room = larger;
    return 1;
}

static ck_png_status inflate_all(z_stream *stream, size_t limit, uint8_t **bytes, size_t *byte_count) {
    size_t room = limit < 4096 ? limit : 4096;
    *bytes = malloc(room ? room : 1);
    if (!*bytes) return CK_PNG_NO_MEMORY;
    for (;;) {
        stream->next_out = *bytes + *byte_count;
        stream->avail_out = (uInt)(room - *byte_count);
        int result = inflate(stream, Z_NO_FLUSH);
        *byte_count = room - stream->avail_out;
        if (result == Z_STREAM_END) return CK_PNG_OK;
        if (result == Z_MEM_ERROR) return CK_PNG_NO_MEMORY;
        if (result != Z_OK && result != Z_BUF_ERROR) return CK_PNG_CORRUPT;
        if (stream->avail_out > 0) return CK_PNG_CORRUPT;
        if (room == limit) return CK_PNG_TOO_LARGE;
        if (!grow(bytes, &room, limit)) return CK_PNG_NO_MEMORY;
    }
}

ck_png_status ck_png_inflate(const uint8_t *bytes, size_t byte_count, size_t limit, uint8_t **result,
                             size_t *result_count) {
    if (byte_count > 0x7FFFFFFF || limit > 0x7FFFFFFF) return CK_PNG_TOO_LARGE;
    z_stream stream = {.next_in = (z_const Bytef *)bytes, .avail_in = (uInt)byte_count};
    if (inflateInit(&stream) != Z_OK) return CK_PNG_NO_MEMORY;
    *result = NULL;
    *result_count = 0;
    ck_png_status status = inflate_all(&stream, limit, result, result_count);
    inflateEnd(&stream);
    if (status != CK_PNG_OK) {
        free(*result);
        *result = NULL;
    }
    return status;
}

size_t ck_png_inflated_count(const uint8_t *bytes, size_t byte_count, size_t limit) {
    uint8_t unwanted[1 << 15];
    size_t count = 0;
    if (byte_count > 0x7FFFFFFF) return SIZE_MAX;
    z_stream stream = {.next_in = (z_const Bytef *)bytes, .avail_in = (uInt)byte_count};
    if (inflateInit(&stream) != Z_OK) return SIZE_MAX;
    int result;
    do {
        stream.next_out = unwanted;
        stream.avail_out = sizeof unwanted;
        result = inflate(&stream, Z_NO_FLUSH);
        count += sizeof unwanted - stream.avail_out;
    } while (result == Z_OK && stream.avail_out == 0 && count <= limit);
    inflateEnd(&stream);
    return count;
}

ck_png_status ck_png_deflate(const uint8_t *bytes, size_t byte_count, uint8_t **result, size_t *result_count) {
    uLongf room = compressBound((uLong)byte_count);
    *result = malloc(room);
    if (!*result) return CK_PNG_NO_MEMORY;
    if (compress(*result, &room, bytes, (uLong)byte_count) != Z_OK) {
        free(*result);
        *result = NULL;
        return CK_PNG_NO_MEMORY;
    }
    *result_count = room;
    return CK_PNG_OK;
}
