#include "cb_transform.h"

#include <turbojpeg.h>

size_t cb_jpeg_rotated(const uint8_t *jpeg, size_t jpeg_size, uint8_t **bytes) {
  tjhandle handle = tjInitTransform();
  tjtransform transform = {.op = TJXOP_ROT90, .options = TJXOPT_PERFECT};
  unsigned long size = 0;
  *bytes = NULL;
  int failed =
    !handle || tjTransform(handle, jpeg, jpeg_size, 1, bytes, &size, &transform, 0);
  if (handle) tjDestroy(handle);
  return failed ? 0 : size;
}
