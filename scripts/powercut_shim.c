/* A disk that fails at the n-th call, for the power-cut runs. Loaded with LD_PRELOAD.
 *
 * Counts what a process writes, syncs, shortens and removes below one folder. At the n-th call it does what it was armed
 * for: fail that call, wait half a second, or behave like a power cut: everything written since the last sync of each
 * file is taken back, and the process is killed. SQLite's shared memory (-shm) is left out: nothing relies on it.
 *
 * What it can't do: forget that a file was made or removed, and reorder writes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OFF, COUNT, FAIL, DELAY, DROP };

struct undo {
    struct undo *before;
    dev_t dev;
    ino_t ino;
    int fd; /* a descriptor of our own */
    off_t at, size;
    size_t length;
    char old[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct undo *log_;
static char folder[PATH_MAX];
static int mode;
static long count, target;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

void shim_arm(const char *where, int what, long n) {
    snprintf(folder, sizeof folder, "%s/", where);
    mode = what;
    target = n;
    count = 0;
}

long shim_count(void) { return count; }

static int below(const char *path) {
    size_t n = strlen(path);
    return strncmp(path, folder, strlen(folder)) == 0 && !(n > 4 && strcmp(path + n - 4, "-shm") == 0);
}

static int watched(int fd) {
    char link[64], path[PATH_MAX];
    if (mode == OFF) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    return below(path);
}

static ssize_t real_pwrite(int fd, const void *data, size_t n, off_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
    return real(fd, data, n, at);
}

static int real_ftruncate(int fd, off_t size) {
    REAL(int, "ftruncate64", int, off_t);
    return real(fd, size);
}

static void power_cut(void) {
    for (struct undo *u = log_; u; u = u->before) {
        if (u->length) real_pwrite(u->fd, u->old, u->length, u->at);
        real_ftruncate(u->fd, u->size);
    }
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Returns 1 if this call is to fail. */
static int strike(int error) {
    pthread_mutex_lock(&lock);
    int now = ++count == target;
    if (now && mode == DROP) power_cut();
    pthread_mutex_unlock(&lock);
    if (now && mode == DELAY) usleep(500000);
    if (now && mode == FAIL) {
        errno = error;
        return 1;
    }
    return 0;
}

/* Never closed: closing any descriptor of a file would let go of SQLite's locks on it. */
static int own_fd(dev_t dev, ino_t ino, const char *link) {
    static struct { dev_t dev; ino_t ino; int fd; } own[256];
    static int n;
    for (int i = 0; i < n; i++)
        if (own[i].dev == dev && own[i].ino == ino) return own[i].fd;
    int fd = open(link, O_RDWR | O_CLOEXEC);
    if (n < 256) {
        own[n].dev = dev;
        own[n].ino = ino;
        own[n++].fd = fd;
    }
    return fd;
}

static void remember(int fd, off_t at, size_t n) {
    struct stat s;
    char link[64];
    if (mode != DROP || fstat(fd, &s)) return;
    struct undo *u = malloc(sizeof *u + n);
    if (!u) return;
    u->dev = s.st_dev;
    u->ino = s.st_ino;
    u->at = at;
    u->size = s.st_size;
    ssize_t got = n ? pread(fd, u->old, n, at) : 0;
    u->length = got > 0 ? (size_t)got : 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    pthread_mutex_lock(&lock);
    u->fd = own_fd(s.st_dev, s.st_ino, link);
    u->before = log_;
    log_ = u;
    pthread_mutex_unlock(&lock);
}

static void forget(int fd) {
    struct stat s;
    if (mode != DROP || fstat(fd, &s)) return;
    pthread_mutex_lock(&lock);
    for (struct undo **p = &log_; *p;) {
        struct undo *u = *p;
        if (u->dev == s.st_dev && u->ino == s.st_ino) {
            *p = u->before;
            free(u);
        } else {
            p = &u->before;
        }
    }
    pthread_mutex_unlock(&lock);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off_t at) {
    if (watched(fd)) {
        if (strike(ENOSPC)) return -1;
        remember(fd, at, n);
    }
    return real_pwrite(fd, data, n, at);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) { return pwrite64(fd, data, n, at); }

ssize_t write(int fd, const void *data, size_t n) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (watched(fd)) {
        if (strike(ENOSPC)) return -1;
        remember(fd, lseek(fd, 0, SEEK_CUR), n);
    }
    return real(fd, data, n);
}

int ftruncate64(int fd, off_t size) {
    if (watched(fd)) {
        struct stat s;
        if (strike(EIO)) return -1;
        if (!fstat(fd, &s)) remember(fd, size, s.st_size > size ? (size_t)(s.st_size - size) : 0);
    }
    return real_ftruncate(fd, size);
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd, int (*real)(int)) {
    int seen = watched(fd);
    if (seen && strike(EIO)) return -1;
    int done = real(fd);
    if (seen && done == 0) forget(fd);
    return done;
}

int fsync(int fd) {
    REAL(int, "fsync", int);
    return synced(fd, real);
}

int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return synced(fd, real);
}

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    if (mode != OFF && below(path) && strike(EIO)) return -1;
    return real(path);
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    if (mode != OFF && below(to) && strike(EIO)) return -1;
    return real(from, to);
}
