#include <libyuv.h>

// The constants are variables of C, which Swift cannot tell from shared mutable state. Grey has no matrix.
static inline const struct YuvConstants *_Nonnull ck_yuv_grey_constants(int full_range) {
    return full_range ? &kYuvJPEGConstants : &kYuvI601Constants;
}
