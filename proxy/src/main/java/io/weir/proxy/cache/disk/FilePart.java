package io.weir.proxy.cache.disk;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.nio.channels.WritableByteChannel;

/**
 * A part of a body that is sent from the page cache to a socket, without being copied. It becomes shorter when the page
 * cache loses the rest, or the file cannot be sent: then the stream goes on in another way. Confined to the loop of its
 * stream; lives until it is sent, or its connection is closed.
 */
final class FilePart extends AbstractReferenceCounted implements FileRegion {
    private final BodyStream stream;
    private final int socket;
    private final long from;
    private long count;
    private long sent;
    /** The socket took less than there was: it takes nothing more now, and Netty asks once again. */
    private boolean full;

    private boolean waited;

    /** @param socket a descriptor, valid as long as the connection is open */
    FilePart(BodyStream stream, int socket, long from, long count) {
        this.stream = stream;
        this.socket = socket;
        this.from = from;
        this.count = count;
    }

    @Override
    public long position() {
        return from;
    }

    @Override
    public long transferred() {
        return sent;
    }

    @Override
    @Deprecated
    public long transfered() {
        return sent;
    }

    @Override
    public long count() {
        return count;
    }

    /** Whether the socket was full meanwhile. */
    boolean waited() {
        return waited;
    }

    /** @param target not used: it would be written to by a copy */
    @Override
    public long transferTo(WritableByteChannel target, long position) {
        if (full) {
            full = false;
            return 0;
        }
        long left = count - sent;
        long n = stream.send(socket, from + sent, left);
        if (n < 0) {
            count = sent;
            return 0;
        }
        sent += n;
        full = n > 0 && n < left;
        waited |= n < left;
        return n;
    }

    @Override
    protected void deallocate() {
        stream.over(this);
    }

    @Override
    public FileRegion retain() {
        super.retain();
        return this;
    }

    @Override
    public FileRegion retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public FileRegion touch() {
        return this;
    }

    @Override
    public FileRegion touch(Object hint) {
        return this;
    }
}
