// The least that a program can do to receive frames: poll, dequeue, queue again.
//
//     capture-loop-c DEVICE FRAMES [FOURCC WIDTH HEIGHT]

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { buffer_count = 4 };

static void give_up(const char *step) {
  fprintf(stderr, "capture-loop-c: %s: %s\n", step, strerror(errno));
  exit(1);
}

static void control(int device, unsigned long request, void *argument, const char *step) {
  int result;
  do {
    result = ioctl(device, request, argument);
  } while (result < 0 && errno == EINTR);
  if (result < 0) give_up(step);
}

static void set_format(int device, char **words) {
  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  control(device, VIDIOC_G_FMT, &format, "G_FMT");
  if (words) {
    const char *code = words[0];
    if (strlen(code) != 4) exit(64);
    format.fmt.pix.pixelformat = v4l2_fourcc(code[0], code[1], code[2], code[3]);
    format.fmt.pix.width = (unsigned)atoi(words[1]);
    format.fmt.pix.height = (unsigned)atoi(words[2]);
  }
  control(device, VIDIOC_S_FMT, &format, "S_FMT");
}

static void map_and_queue(int device, void **mapped) {
  struct v4l2_requestbuffers request = {
    .count = buffer_count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  control(device, VIDIOC_REQBUFS, &request, "REQBUFS");
  for (unsigned index = 0; index < request.count && index < buffer_count; index++) {
    struct v4l2_buffer buffer = {
      .index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    control(device, VIDIOC_QUERYBUF, &buffer, "QUERYBUF");
    mapped[index] = mmap(
      NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, device, buffer.m.offset);
    if (mapped[index] == MAP_FAILED) give_up("mmap");
    control(device, VIDIOC_QBUF, &buffer, "QBUF");
  }
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 6) return 64;
  long wanted = atol(argv[2]);
  int device = open(argv[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) give_up(argv[1]);
  set_format(device, argc == 6 ? argv + 3 : NULL);
  void *mapped[buffer_count] = {0};
  map_and_queue(device, mapped);
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  control(device, VIDIOC_STREAMON, &type, "STREAMON");

  unsigned long sum = 0;
  for (long frames = 0; frames < wanted;) {
    struct pollfd waiting = {.fd = device, .events = POLLIN};
    if (poll(&waiting, 1, 5000) <= 0) {
      if (errno == EINTR) continue;
      give_up("poll");
    }
    struct v4l2_buffer buffer = {
      .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ioctl(device, VIDIOC_DQBUF, &buffer) < 0) {
      if (errno == EAGAIN || errno == EINTR) continue;
      give_up("DQBUF");
    }
    sum += buffer.bytesused;
    frames++;
    control(device, VIDIOC_QBUF, &buffer, "QBUF");
  }
  control(device, VIDIOC_STREAMOFF, &type, "STREAMOFF");
  close(device);
  printf("%ld frames, %lu bytes\n", wanted, sum);
  return 0;
}
