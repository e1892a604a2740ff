// What a plain C program would do to show a camera's frame in a window: libyuv, one full pass after the other.
#pragma once
#include <stdint.h>

/// A frame of packed 4:2:2, limited-range BT.601, and how it is shown: centred and as large as it must be to fill the
/// target; with `turned`, by a quarter clockwise and then mirrored.
struct cb_preview {
  int width, height;
  int target_width, target_height;
  int turned;
};

/// Memory for all passes.
void *cb_previewer_create(struct cb_preview preview);
void cb_previewer_destroy(void *previewer);

/// The fastest order that converts before it scales: crop and convert, scale, turn and mirror at once. Returns 0 where
/// it worked.
int cb_preview_converted_first(void *previewer, const uint8_t *yuyv, uint8_t *bgra);
/// The fastest order that scales planes and converts last; its chroma is coarser.
int cb_preview_planes_first(void *previewer, const uint8_t *yuyv, uint8_t *bgra);

/// Peak signal-to-noise ratio in dB between a preview and the RGB scene, scaled in the same way by an antialiased
/// bicubic filter.
double cb_preview_psnr(struct cb_preview preview, const uint8_t *bgra, const uint8_t *rgb);
