package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;

/**
 * A run of granules of a region as a reference-counted buffer: slices in use hold references, and the granules are
 * freed with the last one, on any thread. Its indexes are not used; readers take slices.
 */
public sealed interface Block {
    /** Heap bytes of a block: the buffer, its count and the view of the memory. Measured by a test. */
    int HEAP_BYTES = 176;

    /** Size of the largest block that a body is stored in, in bytes. */
    int LARGEST = 64 << 10;

    /** The memory. */
    ByteBuf buffer();

    Span span();

    /** Bytes that belong to this block now. */
    default int bytes() {
        return span().granules * Region.GRANULE;
    }

    /** The position in memory; the count shrinks when a fill frees what it did not need. */
    final class Span {
        final Region region;
        final int first;
        int granules;

        Span(Region region, int first, int granules) {
            this.region = region;
            this.first = first;
            this.granules = granules;
        }

        void free() {
            region.slab.free(this);
        }
    }

    static Block of(Span span, ByteBuffer memory) {
        return PlatformDependent.hasUnsafe() ? new Addressed(span, memory) : new Plain(span, memory);
    }

    /** The usual kind: native transports write it by address. */
    final class Addressed extends UnpooledUnsafeDirectByteBuf implements Block {
        private final Span span;

        Addressed(Span span, ByteBuffer memory) {
            super(UnpooledByteBufAllocator.DEFAULT, memory, memory.remaining());
            this.span = span;
        }

        @Override
        public ByteBuf buffer() {
            return this;
        }

        @Override
        public Span span() {
            return span;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            span.free();
        }
    }

    /** For a JVM that forbids memory addresses. */
    final class Plain extends UnpooledDirectByteBuf implements Block {
        private final Span span;

        Plain(Span span, ByteBuffer memory) {
            super(UnpooledByteBufAllocator.DEFAULT, memory, memory.remaining());
            this.span = span;
        }

        @Override
        public ByteBuf buffer() {
            return this;
        }

        @Override
        public Span span() {
            return span;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            span.free();
        }
    }
}
