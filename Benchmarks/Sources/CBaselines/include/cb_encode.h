#pragma once

#include <stddef.h>
#include <stdint.h>

/// What samples a picture has: BGRX encoded as 4:2:2, planes of 4:2:0, or luma alone.
enum cb_samples { CB_BGRX, CB_420, CB_GREY };

struct cb_picture {
  enum cb_samples samples;
  const uint8_t *planes[3];
  int width, height;
};

/// TurboJPEG as a C program uses it: one compressor, one buffer, nothing allocated by picture; the transform that
/// libjpeg takes by itself, so that the bytes can be compared.
void *cb_turbo_create(enum cb_samples samples, int width, int height);
void cb_turbo_destroy(void *encoder);
/// Returns the bytes written, or 0. `*bytes` belongs to the encoder.
size_t cb_turbo_encode(
  void *encoder, struct cb_picture picture, int quality, const uint8_t **bytes);
/// The same picture by two encoders at once, in this thread and in another. Returns 0 where one fails.
int cb_turbo_encode_twice(void *one, void *other, struct cb_picture picture, int quality);
