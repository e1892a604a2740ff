#include "cb_encode.h"

#include <pthread.h>
#include <stdlib.h>
#include <turbojpeg.h>

struct turbo {
  tjhandle handle;
  unsigned char *bytes;
  unsigned long capacity;
};

static int subsampling(enum cb_samples samples) {
  return samples == CB_BGRX ? TJSAMP_422 : samples == CB_420 ? TJSAMP_420 : TJSAMP_GRAY;
}

void *cb_turbo_create(enum cb_samples samples, int width, int height) {
  struct turbo *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  encoder->handle = tjInitCompress();
  encoder->capacity = tjBufSize(width, height, subsampling(samples));
  encoder->bytes = malloc(encoder->capacity);
  if (encoder->handle && encoder->bytes) return encoder;
  cb_turbo_destroy(encoder);
  return NULL;
}

void cb_turbo_destroy(void *opaque) {
  struct turbo *encoder = opaque;
  if (!encoder) return;
  if (encoder->handle) tjDestroy(encoder->handle);
  free(encoder->bytes);
  free(encoder);
}

size_t cb_turbo_encode(
  void *opaque, struct cb_picture picture, int quality, const uint8_t **bytes) {
  struct turbo *encoder = opaque;
  unsigned long size = encoder->capacity;
  const unsigned char *planes[3] = {picture.planes[0], picture.planes[1], picture.planes[2]};
  int kind = subsampling(picture.samples), failed;
  if (picture.samples == CB_420)
    failed = tjCompressFromYUVPlanes(
      encoder->handle, planes, picture.width, NULL, picture.height, kind, &encoder->bytes, &size,
      quality, TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT);
  else
    failed = tjCompress2(
      encoder->handle, planes[0], picture.width, 0, picture.height,
      picture.samples == CB_GREY ? TJPF_GRAY : TJPF_BGRX, &encoder->bytes, &size, kind, quality,
      TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT);
  *bytes = encoder->bytes;
  return failed ? 0 : size;
}

// MARK: - Two at once

struct work {
  void *encoder;
  struct cb_picture picture;
  int quality;
  size_t size;
};

static void *run(void *opaque) {
  struct work *work = opaque;
  const uint8_t *bytes;
  work->size = cb_turbo_encode(work->encoder, work->picture, work->quality, &bytes);
  return NULL;
}

int cb_turbo_encode_twice(void *one, void *other, struct cb_picture picture, int quality) {
  struct work first = {one, picture, quality, 0}, second = {other, picture, quality, 0};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, &second)) return 0;
  run(&first);
  pthread_join(thread, NULL);
  return first.size > 0 && second.size > 0;
}
