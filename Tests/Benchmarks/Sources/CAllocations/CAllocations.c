#include "CAllocations.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool is_counting;
static atomic_long count;
static atomic_long bytes;

void allocations_start(void) {
    atomic_store(&count, 0);
    atomic_store(&bytes, 0);
    atomic_store(&is_counting, true);
}

struct allocations allocations_stop(void) {
    atomic_store(&is_counting, false);
    return (struct allocations){atomic_load(&count), atomic_load(&bytes)};
}

#if defined(__linux__) && defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static void *gave(void *memory) {
    if (memory && atomic_load(&is_counting)) {
        atomic_fetch_add(&count, 1);
        atomic_fetch_add(&bytes, (long)malloc_usable_size(memory) + 8);
    }
    return memory;
}

static void takes(void *memory) {
    if (memory && atomic_load(&is_counting)) {
        atomic_fetch_sub(&bytes, (long)malloc_usable_size(memory) + 8);
    }
}

void *malloc(size_t size) { return gave(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return gave(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return gave(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    *result = memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

void *realloc(void *memory, size_t size) {
    takes(memory);
    return gave(__libc_realloc(memory, size));
}

void free(void *memory) {
    takes(memory);
    __libc_free(memory);
}
#endif
