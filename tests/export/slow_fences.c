// SPDX-License-Identifier: MIT
// Delays the threads of Mesa's llvmpipe while they signal fences. Loaded with LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int pthread_cond_broadcast(pthread_cond_t* condition) {
  typedef int (*Broadcast)(pthread_cond_t*);
  // Without a version, this is an old implementation.
  const Broadcast broadcast = (Broadcast)dlvsym(RTLD_NEXT, "pthread_cond_broadcast", "GLIBC_2.3.2");
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  if (strncmp(name, "llvmpipe-", strlen("llvmpipe-")) == 0) usleep(5000);
  return broadcast(condition);
}
