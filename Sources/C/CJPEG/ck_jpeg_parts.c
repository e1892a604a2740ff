#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // pthread_setname_np
#endif

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck_jpeg_part.h"

// MARK: - Where a picture is cut

// A part with fewer pixels is compressed sooner than a thread has begun.
enum { FEWEST_PIXELS = 1 << 16, LONGEST_INTERVAL = 65535, MARKERS = 8 };

// Every part but the last has `intervals` whole restart intervals: one or, in large pictures, eight, so that each
// part's markers begin with the first one, as libjpeg writes them.
typedef struct cut {
    int parts;
    int rows;  // pixels of every part but the last
    int intervals;
    unsigned restart_interval;
} cut;

static int divided_up(int a, int b) { return a / b + (a % b != 0); }

static cut cut_of(const ck_jpeg_picture *picture, const ck_jpeg_encode_options *options) {
    const cut whole = {.parts = 1, .rows = picture->height};
    if (options->threads < 2 || picture->width < 1 || picture->height < 1) return whole;
    long worth = (long)picture->width * picture->height / FEWEST_PIXELS;
    int parts = options->threads < CK_JPEG_MOST_THREADS ? options->threads : CK_JPEG_MOST_THREADS;
    if (worth < parts) parts = (int)worth;
    if (parts < 2) return whole;
    ck_jpeg_unit unit = ck_jpeg_unit_of(picture, options);
    int across = divided_up(picture->width, unit.width), down = divided_up(picture->height, unit.height);
    int rows = divided_up(down, parts), intervals = 1;
    if ((long)rows * across > LONGEST_INTERVAL) {
        intervals = MARKERS;
        rows = divided_up(rows, MARKERS) * MARKERS;
    }
    long interval = (long)rows / intervals * across;
    parts = divided_up(down, rows);
    if (interval > LONGEST_INTERVAL || parts < 2) return whole;
    return (cut){parts, rows * unit.height, intervals, (unsigned)interval};
}

static ck_jpeg_part part_of(const ck_jpeg_picture *picture, const ck_jpeg_encode_options *options, const cut *cut,
                            int index) {
    ck_jpeg_part part = {
        .picture = *picture,
        .options = *options,
        .restart_interval = cut->restart_interval,
        .fails = options->failing_part == index + 1,
    };
    int top = index * cut->rows, rest = picture->height - top;
    part.picture.height = rest < cut->rows ? rest : cut->rows;
    int is_quartered = picture->samples == CK_JPEG_SEMI_PLANAR || picture->samples == CK_JPEG_PLANAR;
    for (int plane = 0; plane < 3; plane++)
        if (part.picture.planes[plane])
            part.picture.planes[plane] += (size_t)(plane && is_quartered ? top / 2 : top) * picture->strides[plane];
    // Only the first part's headers are kept.
    if (index > 0) part.options.exif_size = 0;
    return part;
}

// MARK: - Threads

static void *run(void *part) {
    ck_jpeg_encode_part(part);
    return NULL;
}

// Returns 0 where there is no thread to be had.
static int start(pthread_t *thread, ck_jpeg_part *part, int index) {
    // Signals are for the threads of whoever handles them.
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before)) return 0;
    int failed = pthread_create(thread, NULL, run, part);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) return 0;
    char name[16];
    snprintf(name, sizeof name, "jpeg-part-%d", index + 1);
    pthread_setname_np(*thread, name);
    return 1;
}

static void encode(ck_jpeg_part *parts, int count) {
    pthread_t threads[CK_JPEG_MOST_THREADS];
    int runs[CK_JPEG_MOST_THREADS] = {0};
    for (int i = 1; i < count; i++) runs[i] = start(&threads[i], &parts[i], i);
    for (int i = 0; i < count; i++)
        if (!runs[i]) ck_jpeg_encode_part(&parts[i]);
    for (int i = 1; i < count; i++)
        if (runs[i]) pthread_join(threads[i], NULL);
}

// MARK: - One picture of many

// Where a segment of libjpeg's own begins that has this marker; 0 where there is none.
static size_t segment(const ck_jpeg_part *part, uint8_t marker) {
    for (size_t at = 2; at + 4 <= part->byte_count && part->bytes[at] == 0xFF;) {
        if (part->bytes[at + 1] == marker) return at;
        at += 2 + ((size_t)part->bytes[at + 2] << 8 | part->bytes[at + 3]);
    }
    return 0;
}

static int join(ck_jpeg_part *parts, const cut *cut, int height) {
    size_t start[CK_JPEG_MOST_THREADS] = {0}, total = parts[0].byte_count;
    for (int i = 1; i < cut->parts; i++) {
        size_t scan = segment(&parts[i], 0xDA);
        if (!scan) return 0;
        start[i] = scan + 2 + ((size_t)parts[i].bytes[scan + 2] << 8 | parts[i].bytes[scan + 3]);
        // A restart marker takes the place of the end marker before it.
        total += parts[i].byte_count - start[i];
    }
    size_t frame = segment(&parts[0], 0xC0), used = parts[0].byte_count;
    uint8_t *bytes = frame ? realloc(parts[0].bytes, total) : NULL;
    if (!bytes) return 0;
    parts[0].bytes = bytes;
    bytes[frame + 5] = (uint8_t)(height >> 8);
    bytes[frame + 6] = (uint8_t)height;
    for (int i = 1; i < cut->parts; i++) {
        bytes[used - 1] = (uint8_t)(0xD0 | (i * cut->intervals - 1) % MARKERS);
        memcpy(bytes + used, parts[i].bytes + start[i], parts[i].byte_count - start[i]);
        used += parts[i].byte_count - start[i];
    }
    parts[0].byte_count = parts[0].capacity = used;
    return 1;
}

// Gives back what the picture did not take, where that is most of the block. A block made smaller is mapped afresh for
// the next picture, which costs more than copying its bytes: malloc keeps blocks of a size that it has seen freed.
static uint8_t *trimmed(ck_jpeg_part *part) {
    if (part->byte_count > part->capacity / 2) return part->bytes;
    uint8_t *smaller = realloc(part->bytes, part->byte_count);
    return smaller ? smaller : part->bytes;
}

ck_jpeg_status ck_jpeg_encode(const ck_jpeg_picture *picture, const ck_jpeg_encode_options *options,
                              uint8_t **bytes, size_t *byte_count, ck_jpeg_message *message) {
    ck_jpeg_part parts[CK_JPEG_MOST_THREADS];
    cut cut = cut_of(picture, options);
    for (int i = 0; i < cut.parts; i++) parts[i] = part_of(picture, options, &cut, i);
    encode(parts, cut.parts);
    ck_jpeg_status status = CK_JPEG_OK;
    for (int i = 0; i < cut.parts && status == CK_JPEG_OK; i++) {
        status = parts[i].status;
        *message = parts[i].message;
    }
    if (status == CK_JPEG_OK && cut.parts > 1 && !join(parts, &cut, picture->height)) status = CK_JPEG_NO_MEMORY;
    for (int i = status == CK_JPEG_OK; i < cut.parts; i++) free(parts[i].bytes);
    *bytes = status == CK_JPEG_OK ? trimmed(&parts[0]) : NULL;
    *byte_count = status == CK_JPEG_OK ? parts[0].byte_count : 0;
    return status;
}
