package io.weir.broker;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Direct memory that ends after so many reservations, as the virtual machine's does; a buffer of another capacity is a new one. */
final class EndingMemory extends AbstractByteBufAllocator {
    static final String ENDED = "Cannot reserve";

    int left = Integer.MAX_VALUE;
    /** Buffers that are not given back. */
    int held;

    private void reserve() {
        if (left-- <= 0) {
            throw new OutOfMemoryError(ENDED);
        }
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        reserve();
        held++;
        return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity) {
            @Override
            public ByteBuf capacity(int newCapacity) {
                if (newCapacity != capacity()) {
                    reserve();
                }
                return super.capacity(newCapacity);
            }

            @Override
            protected void deallocate() {
                held--;
                super.deallocate();
            }
        };
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
