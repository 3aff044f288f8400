/*
 * slowSync: a library that goes before the C library of every program, and lets what a program
 * wrote come to the disk late, as a disk under load does. SLOW_SYNC_COUNT gets a byte for each.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int late(const char *name, int file) {
  struct timespec delay = {0, 60 * 1000 * 1000};
  const char *count = getenv("SLOW_SYNC_COUNT");
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (count != NULL) {
    int told = open(count, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (told >= 0) {
      if (write(told, ".", 1) != 1) abort();
      close(told);
    }
  }
  nanosleep(&delay, NULL);
  return real(file);
}

int fsync(int file) { return late("fsync", file); }
int fdatasync(int file) { return late("fdatasync", file); }
