#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>
#include <jerror.h>

#include "ck_jpeg_reader.h"

// MARK: - Pieces of a file

// Reads behind what is in the piece already; 0 at the end.
static size_t read_piece(ck_jpeg_reader *reader, size_t kept) {
    ssize_t count;
    do count = read(reader->descriptor, reader->piece + kept, CK_JPEG_PIECE - kept);
    while (count < 0 && errno == EINTR);
    if (count >= 0) return (size_t)count;
    reader->error_number = errno;
    ck_jpeg_fail((j_common_ptr)&reader->codec, CK_JPEG_UNREADABLE, NULL);
    return 0;
}

static void begin(j_decompress_ptr codec) { (void)codec; }

// Where the file stops too early, its picture is ended for it, as libjpeg does for bytes in memory.
static boolean fill(j_decompress_ptr codec) {
    static const uint8_t end[] = {0xFF, JPEG_EOI};
    ck_jpeg_reader *reader = codec->client_data;
    size_t count = read_piece(reader, 0);
    reader->source.next_input_byte = count ? reader->piece : end;
    reader->source.bytes_in_buffer = count ? count : sizeof end;
    if (!count) WARNMS(codec, JWRN_JPEG_EOF);
    return TRUE;
}

static void skip(j_decompress_ptr codec, long count) {
    struct jpeg_source_mgr *source = codec->src;
    for (; count > (long)source->bytes_in_buffer; (*source->fill_input_buffer)(codec)) {
        // Only segments are skipped, which are short: this ends at the file's end, too.
        count -= (long)source->bytes_in_buffer;
    }
    if (count <= 0) return;
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

// Drops bytes until a start marker and the 0xFF of another one follow.
static void find_start(ck_jpeg_reader *reader) {
    struct jpeg_source_mgr *source = &reader->source;
    for (size_t size = 0, dropped = 0;;) {
        for (size_t i = 0; i + 2 < size; i++) {
            if (reader->piece[i] != 0xFF || reader->piece[i + 1] != 0xD8 || reader->piece[i + 2] != 0xFF) continue;
            source->next_input_byte = reader->piece + i;
            source->bytes_in_buffer = size - i;
            return;
        }
        size_t kept = size < 2 ? size : 2;
        dropped += size - kept;
        memmove(reader->piece, reader->piece + size - kept, kept);
        size_t count = dropped > CK_JPEG_MOST_JUNK ? 0 : read_piece(reader, kept);
        if (!count) ck_jpeg_fail((j_common_ptr)&reader->codec, CK_JPEG_CORRUPT, "no start marker");
        size = kept + count;
    }
}

// MARK: - Headers

static int next_byte(j_decompress_ptr codec) {
    struct jpeg_source_mgr *source = codec->src;
    if (source->bytes_in_buffer == 0) (*source->fill_input_buffer)(codec);
    source->bytes_in_buffer--;
    return *source->next_input_byte++;
}

static void skip_rest(j_decompress_ptr codec, size_t size) {
    if (size) (*codec->src->skip_input_data)(codec, (long)size);
}

// Reads a segment's content; null where it has another name. It is the reader's while it is being read, which an error
// may end.
static uint8_t *read_content(j_decompress_ptr codec, const void *name, size_t name_size, size_t size) {
    ck_jpeg_reader *reader = codec->client_data;
    if (size < name_size) {
        skip_rest(codec, size);
        return NULL;
    }
    uint8_t *content = reader->content = malloc(size);
    if (!content) ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_NO_MEMORY, NULL);
    for (size_t i = 0; i < size; i++) content[i] = (uint8_t)next_byte(codec);
    reader->content = NULL;
    if (memcmp(content, name, name_size) == 0) return content;
    free(content);
    return NULL;
}

// Keeps the first Exif segment.
static void read_exif(j_decompress_ptr codec, size_t size) {
    ck_jpeg_reader *reader = codec->client_data;
    uint8_t *content = read_content(codec, "Exif", 5, size);
    if (content && size < 6) {
        free(content);
    } else if (content) {
        reader->exif = content;
        reader->exif_size = size - 6;
    }
}

// Of a part of a colour profile: the letters, a zero, its number from 1, their number.
enum { PROFILE_HEADER = 14 };

// Keeps parts of a colour profile, which may come in any order.
static void read_profile(j_decompress_ptr codec, size_t size) {
    ck_jpeg_reader *reader = codec->client_data;
    uint8_t *content = read_content(codec, "ICC_PROFILE", 12, size);
    if (!content) return;
    if (size <= PROFILE_HEADER || content[12] == 0 || reader->profile_parts[content[12] - 1].content) {
        free(content);
        return;
    }
    if (!reader->profile_part_count) reader->profile_part_count = content[13];
    reader->profile_parts[content[12] - 1] = (struct ck_jpeg_profile_part){content, size};
    reader->profile_bytes += size;
}

// Puts the parts together, where none is missing.
static void join_profile(ck_jpeg_reader *reader) {
    size_t size = 0;
    for (int part = 0; part < reader->profile_part_count; part++) {
        if (!reader->profile_parts[part].content) return;
        size += reader->profile_parts[part].size - PROFILE_HEADER;
    }
    if (!size || !(reader->profile = malloc(size))) return;
    for (int part = 0; part < reader->profile_part_count; part++) {
        size_t count = reader->profile_parts[part].size - PROFILE_HEADER;
        memcpy(reader->profile + reader->profile_size, reader->profile_parts[part].content + PROFILE_HEADER, count);
        reader->profile_size += count;
    }
}

// What libjpeg takes from JFIF's segment and Adobe's: whether colours are as JFIF means them, or as Adobe says.
static void read_colours(j_decompress_ptr codec, size_t size) {
    enum { FIRST = 14, JFIF_SIZE = 14, ADOBE_SIZE = 12 };
    uint8_t first[FIRST] = {0};
    size_t count = size < FIRST ? size : FIRST;
    int is_jfif = codec->unread_marker == JPEG_APP0;
    for (size_t i = 0; i < count; i++) first[i] = (uint8_t)next_byte(codec);
    skip_rest(codec, size - count);
    if (is_jfif && size >= JFIF_SIZE && memcmp(first, "JFIF", 5) == 0) codec->saw_JFIF_marker = TRUE;
    if (is_jfif || size < ADOBE_SIZE || memcmp(first, "Adobe", 5) != 0) return;
    codec->saw_Adobe_marker = TRUE;
    codec->Adobe_transform = first[11];
}

// Application segments and comments, which are counted. libjpeg would keep all of those that it is asked for, however
// many there are.
static boolean read_metadata(j_decompress_ptr codec) {
    ck_jpeg_reader *reader = codec->client_data;
    size_t length = (size_t)next_byte(codec) << 8;
    length |= (size_t)next_byte(codec);
    size_t size = length > 2 ? length - 2 : 0;
    reader->metadata_size += size + 4;
    if (reader->metadata_size > reader->metadata_limit)
        ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_TOO_MUCH_METADATA, NULL);
    switch (codec->unread_marker) {
    case JPEG_APP0:
    case JPEG_APP0 + 14: read_colours(codec, size); break;
    case JPEG_APP0 + 1:
        if (!reader->exif) read_exif(codec, size);
        else skip_rest(codec, size);
        break;
    case JPEG_APP0 + 2:
        if (reader->profile_bytes < CK_JPEG_MOST_PROFILE) read_profile(codec, size);
        else skip_rest(codec, size);
        break;
    default: skip_rest(codec, size);
    }
    return TRUE;
}

static ck_jpeg_status read_headers(ck_jpeg_reader *reader, const uint8_t *bytes, size_t byte_count) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    jpeg_create_decompress(codec);
    codec->client_data = reader;
    for (int i = 0; i < 16; i++) jpeg_set_marker_processor(codec, JPEG_APP0 + i, read_metadata);
    jpeg_set_marker_processor(codec, JPEG_COM, read_metadata);
    if (bytes) {
        jpeg_mem_src(codec, bytes, (unsigned long)byte_count);
    } else {
        reader->source = (struct jpeg_source_mgr){NULL, 0, begin, fill, skip, jpeg_resync_to_restart, begin};
        codec->src = &reader->source;
        find_start(reader);
    }
    jpeg_read_header(codec, TRUE);
    join_profile(reader);
    // What lies between scans is not counted, as nothing of it is kept.
    reader->metadata_limit = SIZE_MAX;
    return CK_JPEG_OK;
}

static ck_jpeg_reader *make_reader(ck_jpeg_message *message) {
    ck_jpeg_reader *reader = calloc(1, sizeof *reader);
    message->text[0] = 0;
    if (!reader) return NULL;
    reader->metadata_limit = SIZE_MAX;
    reader->codec.err = ck_jpeg_errors_start(&reader->errors, &reader->message, &reader->report);
    return reader;
}

ck_jpeg_status ck_jpeg_open_bytes(const uint8_t *bytes, size_t byte_count, ck_jpeg_reader **result,
                                  ck_jpeg_message *message) {
    ck_jpeg_reader *reader = *result = make_reader(message);
    if (!reader) return CK_JPEG_NO_MEMORY;
    reader->byte_count = byte_count;
    ck_jpeg_status status = read_headers(reader, bytes, byte_count);
    *message = reader->message;
    return status;
}

ck_jpeg_status ck_jpeg_open_file(int descriptor, size_t byte_count, size_t metadata_limit, ck_jpeg_reader **result,
                                 ck_jpeg_message *message) {
    ck_jpeg_reader *reader = *result = make_reader(message);
    if (!reader) return CK_JPEG_NO_MEMORY;
    reader->descriptor = descriptor;
    reader->byte_count = byte_count;
    reader->metadata_limit = metadata_limit;
    reader->piece = malloc(CK_JPEG_PIECE);
    ck_jpeg_status status = reader->piece ? read_headers(reader, NULL, 0) : CK_JPEG_NO_MEMORY;
    if (status == CK_JPEG_CORRUPT && reader->report.end_missing) status = CK_JPEG_INCOMPLETE;
    *message = reader->message;
    return status;
}

void ck_jpeg_close(ck_jpeg_reader *reader) {
    if (!reader) return;
    jpeg_destroy_decompress(&reader->codec);
    free(reader->piece);
    free(reader->content);
    free(reader->exif);
    for (int part = 0; part < CK_JPEG_MOST_PARTS; part++) free(reader->profile_parts[part].content);
    free(reader->profile);
    free(reader);
}

ck_jpeg_facts ck_jpeg_facts_of(const ck_jpeg_reader *reader) {
    return (ck_jpeg_facts){
        .width = (int)reader->codec.image_width,
        .height = (int)reader->codec.image_height,
        .byte_count = reader->byte_count,
        .is_arithmetic = reader->codec.arith_code,
        .is_grey = reader->codec.num_components == 1,
        .exif = reader->exif ? reader->exif + 6 : NULL,
        .exif_size = reader->exif_size,
        .profile = reader->profile,
        .profile_size = reader->profile_size,
    };
}

int ck_jpeg_error_number(const ck_jpeg_reader *reader) { return reader ? reader->error_number : ENOMEM; }
