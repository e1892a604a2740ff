#include "ck_jpeg_sink.h"

#include <stdlib.h>

static void aim(ck_jpeg_sink *sink, size_t used) {
    sink->manager.next_output_byte = sink->bytes + used;
    sink->manager.free_in_buffer = sink->capacity - used;
}

// libjpeg calls this when the block is full, whatever its pointers say by then.
static boolean grow(j_compress_ptr codec) {
    ck_jpeg_sink *sink = (ck_jpeg_sink *)codec->dest;
    size_t used = sink->capacity;
    uint8_t *bytes = realloc(sink->bytes, used * 2);
    if (!bytes) ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_NO_MEMORY, "no memory");
    sink->bytes = bytes;
    sink->capacity = used * 2;
    aim(sink, used);
    return TRUE;
}

static void do_nothing(j_compress_ptr codec) { (void)codec; }

void ck_jpeg_sink_start(ck_jpeg_sink *sink, struct jpeg_compress_struct *codec, size_t expected) {
    sink->manager = (struct jpeg_destination_mgr){
        .init_destination = do_nothing, .empty_output_buffer = grow, .term_destination = do_nothing};
    sink->bytes = malloc(expected);
    if (!sink->bytes) ck_jpeg_fail((j_common_ptr)codec, CK_JPEG_NO_MEMORY, "no memory");
    sink->capacity = expected;
    aim(sink, 0);
    codec->dest = &sink->manager;
}

uint8_t *ck_jpeg_sink_take(ck_jpeg_sink *sink, size_t *byte_count) {
    *byte_count = sink->capacity - sink->manager.free_in_buffer;
    uint8_t *trimmed = realloc(sink->bytes, *byte_count);
    uint8_t *bytes = trimmed ? trimmed : sink->bytes;
    sink->bytes = NULL;
    return bytes;
}
