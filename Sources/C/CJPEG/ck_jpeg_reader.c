#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h>
#include <jerror.h>

#include "ck_jpeg_reader.h"

// MARK: - Pieces of a file

static ck_jpeg_status refuse(ck_jpeg_reader *reader, int error_number) {
    reader->error_number = error_number;
    snprintf(reader->message.text, sizeof reader->message.text, "%s", strerror(error_number));
    return CK_JPEG_UNREADABLE;
}

// Reads behind what is in the piece already; 0 at the end, less for an error.
static ssize_t read_behind(ck_jpeg_reader *reader, size_t kept) {
    ssize_t count;
    do count = read(reader->descriptor, reader->piece + kept, CK_JPEG_PIECE - kept);
    while (count < 0 && errno == EINTR);
    return count;
}

static size_t read_piece(ck_jpeg_reader *reader, size_t kept) {
    ssize_t count = read_behind(reader, kept);
    if (count < 0) ck_jpeg_fail((j_common_ptr)&reader->codec, refuse(reader, errno), NULL);
    return (size_t)count;
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
    for (size_t size = reader->first_count, dropped = 0;;) {
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

// Reads a segment's content to the end; null where it has another name or there is no need of it. It is the reader's
// while it is being read, which an error may end.
static uint8_t *read_content(j_decompress_ptr codec, const void *name, size_t name_size, int is_wanted, size_t *size) {
    ck_jpeg_reader *reader = codec->client_data;
    int high = next_byte(codec);
    long left = (high << 8 | next_byte(codec)) - 2;
    *size = left > 0 ? (size_t)left : 0;
    if (*size < name_size || !is_wanted) {
        if (left > 0) (*codec->src->skip_input_data)(codec, left);
        return NULL;
    }
    uint8_t *content = reader->content = malloc(*size);
    if (!content) ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_NO_MEMORY, "no memory");
    for (size_t i = 0; i < *size; i++) content[i] = (uint8_t)next_byte(codec);
    reader->content = NULL;
    if (memcmp(content, name, name_size) == 0) return content;
    free(content);
    return NULL;
}

// Keeps the first Exif segment. libjpeg would keep all of a kind, however many there are.
static boolean read_app1(j_decompress_ptr codec) {
    ck_jpeg_reader *reader = codec->client_data;
    size_t size;
    uint8_t *content = read_content(codec, "Exif", 5, !reader->exif, &size);
    if (content && size < 6) {
        free(content);
    } else if (content) {
        reader->exif = content;
        reader->exif_size = size - 6;
    }
    return TRUE;
}

// Keeps a colour profile whose parts come in order: the letters, a zero, the part's number from 1, their number.
static boolean read_app2(j_decompress_ptr codec) {
    enum { HEADER = 14 };
    ck_jpeg_reader *reader = codec->client_data;
    size_t size;
    uint8_t *content = read_content(codec, "ICC_PROFILE", 12, reader->profile_size < CK_JPEG_MOST_PROFILE, &size);
    if (!content) return TRUE;
    if (size > HEADER && content[12] == reader->profile_parts + 1) {
        uint8_t *profile = realloc(reader->profile, reader->profile_size + size - HEADER);
        if (profile) {
            memcpy(profile + reader->profile_size, content + HEADER, size - HEADER);
            reader->profile = profile;
            reader->profile_size += size - HEADER;
            reader->profile_parts++;
            reader->is_profile_whole = content[13] == reader->profile_parts;
        }
    }
    free(content);
    return TRUE;
}

static ck_jpeg_status read_headers(ck_jpeg_reader *reader, const uint8_t *bytes, size_t byte_count) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    jpeg_create_decompress(codec);
    codec->client_data = reader;
    jpeg_set_marker_processor(codec, JPEG_APP0 + 1, read_app1);
    jpeg_set_marker_processor(codec, JPEG_APP0 + 2, read_app2);
    if (bytes) {
        jpeg_mem_src(codec, bytes, (unsigned long)byte_count);
    } else {
        reader->source = (struct jpeg_source_mgr){NULL, 0, begin, fill, skip, jpeg_resync_to_restart, begin};
        codec->src = &reader->source;
        find_start(reader);
    }
    jpeg_read_header(codec, TRUE);
    return CK_JPEG_OK;
}

static ck_jpeg_reader *make_reader(ck_jpeg_message *message) {
    ck_jpeg_reader *reader = calloc(1, sizeof *reader);
    message->text[0] = 0;
    if (!reader) return NULL;
    reader->descriptor = -1;
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

static ck_jpeg_status open_file(ck_jpeg_reader *reader, const char *path) {
    struct stat file;
    // Opening a pipe would wait for whoever writes to it.
    reader->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (reader->descriptor < 0 || fstat(reader->descriptor, &file) < 0) return refuse(reader, errno);
    if (S_ISDIR(file.st_mode)) return refuse(reader, EISDIR);
    if (!S_ISREG(file.st_mode)) {
        snprintf(reader->message.text, sizeof reader->message.text, "it is no regular file");
        return CK_JPEG_UNREADABLE;
    }
    reader->byte_count = (size_t)file.st_size;
    reader->piece = malloc(CK_JPEG_PIECE);
    if (!reader->piece) return CK_JPEG_NO_MEMORY;
    ssize_t count;
    do {
        count = read_behind(reader, reader->first_count);
        if (count < 0) return refuse(reader, errno);
        reader->first_count += (size_t)count;
    } while (count > 0 && reader->first_count < CK_JPEG_FIRST_BYTES);
    return CK_JPEG_OK;
}

ck_jpeg_status ck_jpeg_open_file(const char *path, ck_jpeg_reader **result, ck_jpeg_message *message) {
    ck_jpeg_reader *reader = *result = make_reader(message);
    if (!reader) return CK_JPEG_NO_MEMORY;
    ck_jpeg_status status = open_file(reader, path);
    *message = reader->message;
    return status;
}

ck_jpeg_status ck_jpeg_read_headers(ck_jpeg_reader *reader, ck_jpeg_message *message) {
    ck_jpeg_status status = read_headers(reader, NULL, 0);
    *message = reader->message;
    return status;
}

void ck_jpeg_close(ck_jpeg_reader *reader) {
    if (!reader) return;
    jpeg_destroy_decompress(&reader->codec);
    if (reader->descriptor >= 0) close(reader->descriptor);
    free(reader->piece);
    free(reader->content);
    free(reader->exif);
    free(reader->profile);
    free(reader);
}

ck_jpeg_facts ck_jpeg_facts_of(const ck_jpeg_reader *reader) {
    return (ck_jpeg_facts){
        .width = (int)reader->codec.image_width,
        .height = (int)reader->codec.image_height,
        .byte_count = reader->byte_count,
        .is_arithmetic = reader->codec.arith_code,
        .exif = reader->exif ? reader->exif + 6 : NULL,
        .exif_size = reader->exif_size,
        .profile = reader->profile,
        .profile_size = reader->is_profile_whole ? reader->profile_size : 0,
    };
}

int ck_jpeg_error_number(const ck_jpeg_reader *reader) { return reader ? reader->error_number : ENOMEM; }

size_t ck_jpeg_first_bytes(const ck_jpeg_reader *reader, uint8_t *bytes) {
    size_t count = reader->first_count < CK_JPEG_FIRST_BYTES ? reader->first_count : CK_JPEG_FIRST_BYTES;
    if (count) memcpy(bytes, reader->piece, count);
    return count;
}
