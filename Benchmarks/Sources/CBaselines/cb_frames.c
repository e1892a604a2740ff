#include "cb_frames.h"

#include <libyuv.h>
#include <turbojpeg.h>

int cb_yuyv_to_bgra(const uint8_t *yuyv, uint8_t *bgra, int width, int height) {
  return YUY2ToARGB(yuyv, width * 2, bgra, width * 4, width, height);
}

int cb_nv12_to_bgra(const uint8_t *nv12, uint8_t *bgra, int width, int height) {
  return NV12ToARGB(nv12, width, nv12 + width * height, width, bgra, width * 4, width, height);
}

void *cb_decoder_create(void) { return tjInitDecompress(); }

void cb_decoder_destroy(void *decoder) {
  if (decoder) tjDestroy(decoder);
}

int cb_jpeg_to_bgra(
  void *decoder, const uint8_t *jpeg, size_t jpeg_size, uint8_t *bgra, int width, int height) {
  return tjDecompress2(decoder, jpeg, jpeg_size, bgra, width, 0, height, TJPF_BGRA, 0);
}
