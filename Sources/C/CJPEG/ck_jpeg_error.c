#include "ck_jpeg_error.h"

#include <string.h>

#include <jerror.h>

static ck_jpeg_status status_of(int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY: return CK_JPEG_NO_MEMORY;
    // What libjpeg says when the memory that it may use does not do.
    case JERR_NO_BACKING_STORE:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW: return CK_JPEG_TOO_LARGE;
    // Numbers that can be decoded, but that no encoder writes.
    case JERR_BAD_DCT_COEF:
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_MISMATCHED_QUANT_TABLE:
    case JERR_FRACT_SAMPLE_NOTIMPL: return CK_JPEG_UNSUPPORTED;
    default: return CK_JPEG_CORRUPT;
    }
}

static void leave(j_common_ptr codec) {
    ck_jpeg_errors *errors = (ck_jpeg_errors *)codec->err;
    char text[JMSG_LENGTH_MAX];
    (*codec->err->format_message)(codec, text);
    // libjpeg speaks of a backing store, which it does not have here.
    int is_refused = codec->err->msg_code == JERR_NO_BACKING_STORE;
    snprintf(errors->message->text, sizeof errors->message->text, "%s",
             is_refused ? "it takes more memory than is allowed" : text);
    errors->status = status_of(codec->err->msg_code);
    longjmp(errors->escape, 1);
}

// A level of -1 is a warning: the stream is not what it should be, and libjpeg goes on with a guess.
static void note(j_common_ptr codec, int level) {
    ck_jpeg_errors *errors = (ck_jpeg_errors *)codec->err;
    if (level >= 0 || !errors->report) return;
    switch (codec->err->msg_code) {
    case JWRN_JPEG_EOF: errors->report->end_missing = 1; break;
    case JWRN_EXTRANEOUS_DATA: errors->report->extraneous++; break;
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC:
    case JWRN_BOGUS_PROGRESSION: break;
    default:
        if (!errors->report->damaged) {
            char text[JMSG_LENGTH_MAX];
            (*codec->err->format_message)(codec, text);
            snprintf(errors->message->text, sizeof errors->message->text, "%s", text);
        }
        errors->report->damaged = 1;
    }
}

static void be_silent(j_common_ptr codec) { (void)codec; }

struct jpeg_error_mgr *ck_jpeg_errors_start(ck_jpeg_errors *errors, ck_jpeg_message *message,
                                            ck_jpeg_report *report) {
    errors->status = CK_JPEG_OK;
    errors->message = message;
    errors->report = report;
    message->text[0] = 0;
    if (report) *report = (ck_jpeg_report){0};
    jpeg_std_error(&errors->manager);
    errors->manager.error_exit = leave;
    errors->manager.emit_message = note;
    errors->manager.output_message = be_silent;
    return &errors->manager;
}

void ck_jpeg_fail(j_common_ptr codec, ck_jpeg_status status, const char *sentence) {
    ck_jpeg_errors *errors = (ck_jpeg_errors *)codec->err;
    if (sentence) snprintf(errors->message->text, sizeof errors->message->text, "%s", sentence);
    errors->status = status;
    longjmp(errors->escape, 1);
}
