// A capture device that exists in one process alone: preload this library, open /dev/fakevideo.
//
//     cc -O2 -shared -fPIC -o fake-device.so fake-device.c
//     FV_FMT=MJPG FV_FILE=frame.jpg FV_W=1920 FV_H=1080 LD_PRELOAD=./fake-device.so program
//
// The frames lie in the buffers from the start, and a buffer's memory is made by nobody but the
// kernel, so that what a program spends on a frame is the program's own. FV_FPS is the rate, 0 (default) means that a frame is always ready. FV_COUNT names a
// file that gets a line "frames N" when the device is closed or, with FV_LIMIT, has given so many.
//
// The descriptor is a timer: it can be polled as a device can, and is never writable, which
// programs take for a disconnected camera.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { most_buffers = 8, most_descriptors = 1024 };
static const char path[] = "/dev/fakevideo";

static struct {
  unsigned width, height, fps, limit;
  uint32_t format;
  int memory;  // one buffer's worth of it, which all buffers show; 0: not set up
  size_t frame_size, buffer_size;
  unsigned char is_device[most_descriptors];

  unsigned granted, sequence;
  unsigned queue[most_buffers], first, queued;
  bool streaming;
} device;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*real_ioctl)(int, unsigned long, ...);

static bool is_ours(int descriptor) {
  return descriptor >= 0 && descriptor < most_descriptors && device.is_device[descriptor];
}

static bool names_us(const char *name) { return name && !strcmp(name, path); }

// MARK: - Set-up

static unsigned number(const char *name, unsigned fallback) {
  const char *text = getenv(name);
  return text ? (unsigned)strtoul(text, NULL, 10) : fallback;
}

/// Copies the frame's file to memory that can be mapped as often as there are buffers.
static bool load_frame(void) {
  const char *name = getenv("FV_FILE");
  int file = name ? REAL(open)(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return false;
  struct stat about;
  bool is_there = REAL(fstat)(file, &about) == 0 && about.st_size > 0;
  device.frame_size = is_there ? (size_t)about.st_size : 0;
  size_t raw = (size_t)device.width * device.height * 2;
  size_t size = raw > device.frame_size ? raw : device.frame_size;
  device.buffer_size = (size + 4095) & ~(size_t)4095;

  int memory = memfd_create("fake-device", MFD_CLOEXEC);
  for (size_t rest = device.frame_size; is_there && rest > 0;) {
    ssize_t sent = sendfile(memory, file, NULL, rest);
    if (sent <= 0) is_there = false;
    else rest -= (size_t)sent;
  }
  is_there = is_there && ftruncate(memory, (off_t)device.buffer_size) == 0;
  REAL(close)(file);
  device.memory = is_there ? memory : 0;
  return is_there;
}

static bool set_up(void) {
  if (device.memory) return true;
  device.width = number("FV_W", 1280);
  device.height = number("FV_H", 720);
  device.fps = number("FV_FPS", 0);
  device.limit = number("FV_LIMIT", 0);
  const char *code = getenv("FV_FMT");
  if (!code || strlen(code) != 4) code = "YUYV";
  device.format = v4l2_fourcc(code[0], code[1], code[2], code[3]);
  return load_frame();
}

static int open_device(int flags) {
  if (!set_up()) {
    errno = ENODEV;
    return -1;
  }
  int result = timerfd_create(
    CLOCK_MONOTONIC,
    (flags & O_NONBLOCK ? TFD_NONBLOCK : 0) | (flags & O_CLOEXEC ? TFD_CLOEXEC : 0));
  if (result < 0 || result >= most_descriptors) return result;
  long period = device.fps ? 1000000000L / device.fps : 0;
  struct itimerspec when = {
    .it_interval = {period / 1000000000L, period % 1000000000L},
    .it_value = {period / 1000000000L, period ? period % 1000000000L : 1}};
  timerfd_settime(result, 0, &when, NULL);
  device.is_device[result] = 1;
  return result;
}

static void report(void) {
  const char *name = getenv("FV_COUNT");
  FILE *file = name ? fopen(name, "a") : NULL;
  if (!file) return;
  fprintf(file, "frames %u\n", device.sequence);
  fclose(file);
}

// MARK: - The calls of the C library

#define OPEN(name)                                        \
  int name(const char *file, int flags, ...) {            \
    if (names_us(file)) return open_device(flags);        \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode_t mode = va_arg(rest, mode_t);                   \
    va_end(rest);                                         \
    return REAL(name)(file, flags, mode);                 \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                          \
  int name(int folder, const char *file, int flags, ...) {    \
    if (names_us(file)) return open_device(flags);            \
    va_list rest;                                             \
    va_start(rest, flags);                                    \
    mode_t mode = va_arg(rest, mode_t);                       \
    va_end(rest);                                             \
    return REAL(name)(folder, file, flags, mode);             \
  }
OPENAT(openat)
OPENAT(openat64)

// What programs compiled with fortified headers call.
int __open_2(const char *file, int flags) { return open(file, flags, 0); }
int __open64_2(const char *file, int flags) { return open64(file, flags, 0); }

#define STAT(name, type, subject, is_us)                     \
  int name(subject, struct type *result) {                   \
    if (!(is_us)) return REAL(name)(what, result);           \
    memset(result, 0, sizeof *result);                       \
    result->st_mode = S_IFCHR | 0666;                        \
    result->st_rdev = makedev(81, 255);                      \
    return 0;                                                \
  }
STAT(stat, stat, const char *what, names_us(what))
STAT(stat64, stat64, const char *what, names_us(what))
STAT(lstat, stat, const char *what, names_us(what))
STAT(lstat64, stat64, const char *what, names_us(what))
STAT(fstat, stat, int what, is_ours(what))
STAT(fstat64, stat64, int what, is_ours(what))

int access(const char *name, int mode) { return names_us(name) ? 0 : REAL(access)(name, mode); }

int dup(int descriptor) {
  int result = REAL(dup)(descriptor);
  if (is_ours(descriptor) && result >= 0 && result < most_descriptors) {
    device.is_device[result] = 1;
  }
  return result;
}

int close(int descriptor) {
  if (is_ours(descriptor)) {
    device.is_device[descriptor] = 0;
    if (!device.limit) report();
  }
  return REAL(close)(descriptor);
}

static void *map_buffer(size_t size, off64_t offset) {
  size_t index = (size_t)offset / device.buffer_size;
  if (index >= device.granted || size > device.buffer_size) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  return REAL(mmap64)(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, device.memory, 0);
}

void *mmap64(void *at, size_t size, int protection, int flags, int descriptor, off64_t offset) {
  if (is_ours(descriptor)) return map_buffer(size, offset);
  return REAL(mmap64)(at, size, protection, flags, descriptor, offset);
}

void *mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  if (is_ours(descriptor)) return map_buffer(size, offset);
  return REAL(mmap)(at, size, protection, flags, descriptor, offset);
}

// MARK: - Buffers

static int fail(int code) {
  errno = code;
  return -1;
}

static void describe(struct v4l2_buffer *buffer, unsigned index) {
  buffer->index = index;
  buffer->memory = V4L2_MEMORY_MMAP;
  buffer->length = (uint32_t)device.buffer_size;
  buffer->m.offset = (uint32_t)(index * device.buffer_size);
  buffer->field = V4L2_FIELD_NONE;
  buffer->flags = V4L2_BUF_FLAG_MAPPED | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC
    | V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
}

static int request_buffers(struct v4l2_requestbuffers *request) {
  if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || request->memory != V4L2_MEMORY_MMAP) {
    return fail(EINVAL);
  }
  if (request->count > most_buffers) request->count = most_buffers;
  device.granted = request->count;
  device.queued = 0;
  request->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP | V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
  return 0;
}

static int query_buffer(struct v4l2_buffer *buffer) {
  if (buffer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || buffer->index >= device.granted) {
    return fail(EINVAL);
  }
  describe(buffer, buffer->index);
  buffer->bytesused = 0;
  return 0;
}

static int queue_buffer(struct v4l2_buffer *buffer) {
  if (buffer->index >= device.granted) return fail(EINVAL);
  pthread_mutex_lock(&lock);
  bool room = device.queued < most_buffers;
  if (room) {
    device.queue[(device.first + device.queued) % most_buffers] = buffer->index;
    device.queued++;
  }
  pthread_mutex_unlock(&lock);
  if (!room) return fail(EINVAL);
  buffer->flags = (buffer->flags & ~(uint32_t)V4L2_BUF_FLAG_DONE) | V4L2_BUF_FLAG_QUEUED;
  return 0;
}

static int dequeue_buffer(int descriptor, struct v4l2_buffer *buffer) {
  if (!device.streaming) return fail(EINVAL);
  uint64_t expirations;
  if (device.fps && read(descriptor, &expirations, sizeof expirations) < 0) return -1;
  pthread_mutex_lock(&lock);
  bool some = device.queued > 0;
  unsigned index = device.queue[device.first];
  if (some) {
    device.first = (device.first + 1) % most_buffers;
    device.queued--;
  }
  pthread_mutex_unlock(&lock);
  if (!some) return fail(EAGAIN);

  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  describe(buffer, index);
  buffer->flags |= V4L2_BUF_FLAG_DONE;
  buffer->bytesused = (uint32_t)device.frame_size;
  buffer->sequence = device.sequence++;
  buffer->timestamp.tv_sec = now.tv_sec;
  buffer->timestamp.tv_usec = now.tv_nsec / 1000;
  if (device.limit && device.sequence == device.limit) report();
  return 0;
}

// MARK: - Questions about the device

static int query_capability(struct v4l2_capability *answer) {
  memset(answer, 0, sizeof *answer);
  strcpy((char *)answer->driver, "fake-device");
  strcpy((char *)answer->card, "Fake camera");
  strcpy((char *)answer->bus_info, "platform:fake-device");
  answer->version = 0x060100;
  answer->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_EXT_PIX_FORMAT;
  answer->capabilities = answer->device_caps | V4L2_CAP_DEVICE_CAPS;
  return 0;
}

static int describe_input(struct v4l2_input *input) {
  if (input->index) return fail(EINVAL);
  memset(input, 0, sizeof *input);
  strcpy((char *)input->name, "Camera 1");
  input->type = V4L2_INPUT_TYPE_CAMERA;
  return 0;
}

static int describe_format(struct v4l2_fmtdesc *answer) {
  if (answer->index || answer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return fail(EINVAL);
  answer->pixelformat = device.format;
  answer->flags = device.format == V4L2_PIX_FMT_MJPEG ? V4L2_FMT_FLAG_COMPRESSED : 0;
  snprintf((char *)answer->description, sizeof answer->description, "%.4s", (char *)&device.format);
  return 0;
}

static int describe_size(struct v4l2_frmsizeenum *answer) {
  if (answer->index || answer->pixel_format != device.format) return fail(EINVAL);
  answer->type = V4L2_FRMSIZE_TYPE_DISCRETE;
  answer->discrete.width = device.width;
  answer->discrete.height = device.height;
  return 0;
}

static struct v4l2_fract interval(void) {
  return (struct v4l2_fract){1, device.fps ? device.fps : 1000};
}

static int describe_interval(struct v4l2_frmivalenum *answer) {
  if (answer->index || answer->pixel_format != device.format) return fail(EINVAL);
  answer->type = V4L2_FRMIVAL_TYPE_DISCRETE;
  answer->discrete = interval();
  return 0;
}

static int answer_format(struct v4l2_format *answer) {
  if (answer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return fail(EINVAL);
  struct v4l2_pix_format *picture = &answer->fmt.pix;
  memset(picture, 0, sizeof *picture);
  picture->width = device.width;
  picture->height = device.height;
  picture->pixelformat = device.format;
  picture->field = V4L2_FIELD_NONE;
  picture->bytesperline = device.format == V4L2_PIX_FMT_YUYV ? device.width * 2 : 0;
  picture->sizeimage = (uint32_t)device.buffer_size;
  picture->colorspace = V4L2_COLORSPACE_SRGB;
  picture->priv = V4L2_PIX_FMT_PRIV_MAGIC;
  picture->ycbcr_enc = V4L2_YCBCR_ENC_601;
  picture->quantization =
    device.format == V4L2_PIX_FMT_MJPEG ? V4L2_QUANTIZATION_FULL_RANGE : V4L2_QUANTIZATION_LIM_RANGE;
  return 0;
}

static int answer_rate(struct v4l2_streamparm *answer) {
  if (answer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return fail(EINVAL);
  memset(&answer->parm, 0, sizeof answer->parm);
  answer->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
  answer->parm.capture.timeperframe = interval();
  answer->parm.capture.readbuffers = 2;
  return 0;
}

static int stream(bool on) {
  device.streaming = on;
  if (!on) device.queued = 0;
  return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (!is_ours(descriptor)) {
    if (!real_ioctl) real_ioctl = REAL(ioctl);
    return real_ioctl(descriptor, request, argument);
  }
  switch ((uint32_t)request) {  // some programs pass the code sign-extended
  case VIDIOC_QBUF: return queue_buffer(argument);
  case VIDIOC_DQBUF: return dequeue_buffer(descriptor, argument);
  case VIDIOC_QUERYCAP: return query_capability(argument);
  case VIDIOC_ENUMINPUT: return describe_input(argument);
  case VIDIOC_G_INPUT: *(int *)argument = 0; return 0;
  case VIDIOC_S_INPUT: return *(int *)argument ? fail(EINVAL) : 0;
  case VIDIOC_ENUM_FMT: return describe_format(argument);
  case VIDIOC_ENUM_FRAMESIZES: return describe_size(argument);
  case VIDIOC_ENUM_FRAMEINTERVALS: return describe_interval(argument);
  case VIDIOC_G_FMT:
  case VIDIOC_S_FMT:
  case VIDIOC_TRY_FMT: return answer_format(argument);
  case VIDIOC_G_PARM:
  case VIDIOC_S_PARM: return answer_rate(argument);
  case VIDIOC_REQBUFS: return request_buffers(argument);
  case VIDIOC_QUERYBUF: return query_buffer(argument);
  case VIDIOC_STREAMON: return stream(true);
  case VIDIOC_STREAMOFF: return stream(false);
  default: return fail(ENOTTY);
  }
}
