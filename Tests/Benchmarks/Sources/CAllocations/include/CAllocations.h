#pragma once

// Counts what the process allocates between `allocations_start` and `allocations_stop`. It stands in
// for the functions of the C library, so link it only where counting is the purpose.

struct allocations {
    long count;  // calls that gave memory
    long bytes;  // allocated less freed, with the allocator's own eight bytes for each
};

void allocations_start(void);
struct allocations allocations_stop(void);
