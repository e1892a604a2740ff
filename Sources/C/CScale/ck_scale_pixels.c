#include "ck_scale.h"

static int is_opaque(const uint8_t *bgra, size_t stride, int width, int height) {
    for (int y = 0; y < height; y++) {
        const uint8_t *alpha = bgra + (size_t)y * stride + 3;
        uint8_t all = 255;
        for (int x = 0; x < width; x++) all &= alpha[4 * (size_t)x];
        if (all != 255) return 0;
    }
    return 1;
}

int ck_scale_pixels(const uint8_t *bgra, size_t stride, int width, int height, const ck_scale_wish *wish,
                    uint8_t *target, size_t target_stride) {
    int has_alpha = !is_opaque(bgra, stride, width, height);
    ck_scale_plan plan = ck_scale_plan_of(wish, width, height);
    plan.colours = has_alpha ? CK_SCALE_BGRA : CK_SCALE_BGR;
    plan.plane_count = has_alpha ? 4 : 3;
    for (int i = 0; i < plan.plane_count; i++) plan.planes[i] = (ck_scale_plane_shape){width, height, 1, 1, 1};
    ck_scaler *scaler = ck_scaler_make(&plan);
    if (!scaler) return 0;
    int is_done = 0;
    for (int y = 0; y < height && !is_done; y++) {
        ck_scaler_feed_pixels(scaler, bgra + (size_t)y * stride);
        is_done = ck_scaler_draw(scaler, target, target_stride);
    }
    ck_scaler_free(scaler);
    return is_done;
}
