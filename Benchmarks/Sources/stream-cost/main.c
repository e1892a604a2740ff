// Reads a motion JPEG stream as several clients do, and prints what that costs its server: "CPU-µs frames fewest".
//
//     stream-cost PID PORT PATH CLIENTS SECONDS
//
// The processor time is that of the process PID, all its threads, from a second after the start; the frames are those
// that all clients together have got meanwhile, and that the one with the fewest has got.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_clients = 256, buffer_size = 1 << 20 };

// What each part of a stream has once. Looked for piece by piece: what is cut in two is missed seldom, and not counted.
static const char mark[] = "Content-Length";

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int connect_to(int port, const char *path) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  char request[512];
  int length = snprintf(
    request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
  if (client < 0 || connect(client, (struct sockaddr *)&address, sizeof address) < 0
      || send(client, request, (size_t)length, 0) != length) {
    perror("stream-cost: connect");
    exit(1);
  }
  return client;
}

static long count_marks(const char *bytes, size_t length) {
  long count = 0;
  const char *end = bytes + length;
  for (const char *place = bytes; (place = memmem(place, (size_t)(end - place), mark, sizeof mark - 1)); count++) {
    place += sizeof mark - 1;
  }
  return count;
}

int main(int argc, char **argv) {
  if (argc != 6) return 64;
  int port = atoi(argv[2]), clients = atoi(argv[4]);
  double seconds = atof(argv[5]);
  clockid_t server;
  if (clients < 1 || clients > most_clients || clock_getcpuclockid(atoi(argv[1]), &server)) return 64;

  static char buffer[buffer_size];
  static long frames[most_clients];
  int poll = epoll_create1(0);
  for (int index = 0; index < clients; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)index << 32};
    int client = connect_to(port, argv[3]);
    event.data.u64 |= (uint32_t)client;
    epoll_ctl(poll, EPOLL_CTL_ADD, client, &event);
  }

  double begin = now(CLOCK_MONOTONIC) + 1e6, end = begin + seconds * 1e6, cost = 0;
  int is_begun = 0;
  for (double time; (time = now(CLOCK_MONOTONIC)) < end;) {
    if (!is_begun && time >= begin) {
      is_begun = 1;
      cost = now(server);
      memset(frames, 0, sizeof frames);
    }
    struct epoll_event events[16];
    int count = epoll_wait(poll, events, 16, 100);
    for (int index = 0; index < count; index++) {
      ssize_t length = recv((int)(uint32_t)events[index].data.u64, buffer, sizeof buffer, MSG_DONTWAIT);
      if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) {
        fprintf(stderr, "stream-cost: the stream has ended\n");
        return 1;
      }
      if (length > 0) frames[events[index].data.u64 >> 32] += count_marks(buffer, (size_t)length);
    }
  }
  cost = now(server) - cost;
  long sum = 0, fewest = frames[0];
  for (int index = 0; index < clients; index++) {
    sum += frames[index];
    if (frames[index] < fewest) fewest = frames[index];
  }
  printf("%.0f %ld %ld\n", cost, sum, fewest);
  return 0;
}
