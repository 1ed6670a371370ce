package io.weir.proxy.cache.store;

/**
 * A body that stays below the memory: its object has only the head in memory. Reference-counted with its objects.
 * Shared.
 */
public interface LowerBody {
    /** For one more object with this body: one that has a newer head. The caller has an object with it. */
    void retain();

    /** An object with it is freed. */
    void release();

    /** Heap bytes that it uses. */
    long heapBytes();
}
