package io.weir.kernel.connection;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.weir.base.Counter;

/** Sizes of reads that adapt to what arrives. Those that fill a buffer of the largest size are counted. Shared. */
final class CountedReads extends AdaptiveRecvByteBufAllocator {
    /** The adaptive sizes are powers of two: the largest one that the maximum allows. */
    private final int largest;

    private final Counter full;

    CountedReads(int least, int first, int most, Counter full) {
        super(least, Math.min(first, most), most);
        this.largest = Integer.highestOneBit(most);
        this.full = full;
    }

    @Override
    @SuppressWarnings("deprecation") // the type that the overridden method returns
    public Handle newHandle() {
        return new Counting((ExtendedHandle) super.newHandle());
    }

    /** A connection's. Confined to its muxer. */
    private final class Counting extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle sizes;

        Counting(ExtendedHandle sizes) {
            super(sizes);
            this.sizes = sizes;
        }

        @Override
        public void lastBytesRead(int bytes) {
            if (bytes >= largest) {
                full.inc();
            }
            sizes.lastBytesRead(bytes);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return sizes.continueReading(maybeMoreData);
        }
    }
}
