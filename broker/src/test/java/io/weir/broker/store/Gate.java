package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A message that holds the journal's thread up while it is written. */
record Gate(CountDownLatch gate, CompletableFuture<Boolean> blocked) {
    ByteBuf block() {
        ByteBuf slow = new UnpooledHeapByteBuf(Unpooled.EMPTY_BUFFER.alloc(), 4, 4) {
            @Override
            public ByteBuf getBytes(int index, ByteBuffer into) {
                blocked.complete(true);
                try {
                    gate.await(3, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return super.getBytes(index, into);
            }
        };
        slow.writeBytes("gate".getBytes(StandardCharsets.US_ASCII));
        return slow;
    }
}
