#include <libyuv.h>

// The constants are variables of C, which Swift cannot tell from shared mutable state.
static inline const struct YuvConstants *_Nonnull ck_yuv_constants(int matrix, int full_range) {
    switch (matrix) {
    case 709: return full_range ? &kYuvF709Constants : &kYuvH709Constants;
    case 2020: return full_range ? &kYuvV2020Constants : &kYuv2020Constants;
    default: return full_range ? &kYuvJPEGConstants : &kYuvI601Constants;
    }
}
