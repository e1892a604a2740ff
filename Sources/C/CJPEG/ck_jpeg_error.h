#pragma once

// libjpeg's error handler as a return value: its default one ends the process.

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "ck_jpeg.h"

typedef struct ck_jpeg_errors {
    struct jpeg_error_mgr manager;  // first, so that libjpeg's pointer is this struct's
    jmp_buf escape;
    ck_jpeg_status status;
    ck_jpeg_message *message;
    ck_jpeg_report *report;  // null while compressing
} ck_jpeg_errors;

struct jpeg_error_mgr *ck_jpeg_errors_start(ck_jpeg_errors *errors, ck_jpeg_message *message,
                                            ck_jpeg_report *report);

// Leaves libjpeg with a status of our own; `sentence` is null where the message stands already.
_Noreturn void ck_jpeg_fail(j_common_ptr codec, ck_jpeg_status status, const char *sentence);
