#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CPosix.h"

// Code that was relocated in place while it was loaded would be reloaded from the file without the relocation.
static bool is_corrected(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return true;
    }
    return false;
}

static int release(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    if (is_corrected(object)) return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t begin = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
        if (end > begin) madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void cposix_release_code(void) { dl_iterate_phdr(release, NULL); }

void cposix_release_heap(void) { malloc_trim(0); }

void cposix_keep_heap_small(void) {
    // The C library's own initial values. Setting them keeps them fixed. Otherwise they grow with the largest block that was
    // ever freed, and the end of a thread's heap is never returned.
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
}

void cposix_share_heaps(void) { mallopt(M_ARENA_MAX, 2); }

uint64_t cposix_limit_of(cposix_resource resource) {
    struct rlimit limit;
    int number = resource == cposix_address_space ? RLIMIT_AS : resource == cposix_data ? RLIMIT_DATA : RLIMIT_STACK;
    if (getrlimit(number, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    return limit.rlim_cur;
}

bool cposix_has_room(cposix_resource resource, size_t bytes) {
    int protection = resource == cposix_data ? PROT_READ | PROT_WRITE : PROT_NONE;
    void *place = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return false;
    munmap(place, bytes);
    return true;
}
