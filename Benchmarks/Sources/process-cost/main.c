// Runs a command and prints what it cost: "CPU-µs RSS-kB status".
//
//     process-cost [NAME=VALUE …] COMMAND [ARGUMENT …]
//
// A small program of its own, because the peak memory of a child that a big process forks is at
// least the parent's. The command's output is thrown away, its errors are not. A command that
// runs longer than a minute is ended.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char **arguments) {
  int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  for (; *arguments && strchr(*arguments, '=') && **arguments != '/'; arguments++) {
    putenv(*arguments);
  }
  alarm(60);
  execvp(*arguments, arguments);
  fprintf(stderr, "process-cost: %s: %s\n", *arguments, strerror(errno));
  _exit(127);
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  pid_t child = fork();
  if (child < 0) return 71;
  if (child == 0) run(argv + 1);
  int status = 0;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return 71;
  }
  long long cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL
    + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  printf(
    "%lld %ld %d\n", cpu, usage.ru_maxrss,
    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
