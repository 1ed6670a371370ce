package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.weir.http.FieldName;
import io.weir.http.ResponseHead;
import io.weir.http.semantics.KeepAliveOffer;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.pool.OriginKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What an {@link OriginConnection} is made of, and what its pool knows of it. Confined to the pool's muxer. */
abstract sealed class OriginEnd extends ChannelInboundHandlerAdapter permits OriginConnection {
    /** Of a connection that closed before it could be asked: no rule lets anybody go there. */
    private static final InetAddress NOWHERE = new InetSocketAddress(0).getAddress();

    private static final long UNBOUNDED = Long.MAX_VALUE;

    /** What an origin's clock may be ahead of ours, with a request's way to it. */
    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Its place among those of its pool that are idle. */
    @Nullable
    OriginConnection previousIdle;

    @Nullable
    OriginConnection nextIdle;

    boolean parked;

    final OriginKey key;
    final OriginPool pool;
    final Channel channel;
    boolean stream;
    int uses;
    long idleSince;
    private boolean fresh = true;
    private boolean counted = true;
    private long keptNanos = UNBOUNDED;
    private @Nullable SourceConnection provenance;
    private final InetAddress address;
    private @Nullable FetchedFrom from;

    OriginEnd(OriginKey key, OriginPool pool, Channel channel) {
        this.key = key;
        this.pool = pool;
        this.channel = channel;
        this.address = channel.remoteAddress() instanceof InetSocketAddress to ? to.getAddress() : NOWHERE;
    }

    OriginKey key() {
        return key;
    }

    public Channel channel() {
        return channel;
    }

    /** The address that it is connected to. */
    InetAddress address() {
        return address;
    }

    /** Where answers on it come from, as long as they are kept; null: from the operator's own origins. */
    @Nullable
    public FetchedFrom from() {
        if (from == null && key.guarded()) {
            from = FetchedFrom.of(address);
        }
        return from;
    }

    /** How many requests were sent on it. */
    int uses() {
        return uses;
    }

    long idleSince() {
        return idleSince;
    }

    /** It is a stream of an HTTP/2 connection, for one request; {@code first} of that connection or not. */
    void onStream(boolean first) {
        stream = true;
        fresh = first;
    }

    boolean onStream() {
        return stream;
    }

    /** Whether what it is sent on has never carried a request. */
    boolean fresh() {
        return fresh;
    }

    /** Leaves the pool's count: true the first time only. */
    boolean leave() {
        boolean first = counted;
        counted = false;
        return first;
    }

    void write(ByteBuf bytes) {
        var _ = channel.write(bytes, channel.voidPromise());
    }

    void flush() {
        channel.flush();
    }

    boolean writable() {
        return channel.isWritable();
    }

    /** Bytes that wait to be taken by the system, or by the origin's windows. */
    long unsent() {
        WriteBufferWaterMark marks = channel.config().getWriteBufferWaterMark();
        return channel.isWritable()
                ? marks.high() - channel.bytesBeforeUnwritable()
                : marks.low() + channel.bytesBeforeWritable();
    }

    /**
     * Is done when all that was written has been taken by the system, or by the origin's windows, and fails with the
     * channel.
     */
    ChannelFuture taken() {
        ChannelPromise all = channel.newPromise();
        // TLS would make a record even of nothing
        return stream
                ? channel.writeAndFlush(Unpooled.EMPTY_BUFFER, all)
                : channel.pipeline().firstContext().writeAndFlush(Unpooled.EMPTY_BUFFER, all);
    }

    /** Whether its origin said how long it keeps it. */
    boolean bounded() {
        return keptNanos != UNBOUNDED;
    }

    /**
     * How long it may be idle and be used again: the origin's Keep-Alive time-out, less a margin for requests in
     * flight.
     */
    long keptNanos() {
        return keptNanos;
    }

    /** Reads what the origin says of how long it keeps the connection; false when it closes it. */
    boolean keeps(ResponseHead head) {
        if (!head.fields().has(FieldName.KEEP_ALIVE)) {
            return true;
        }
        KeepAliveOffer offer = KeepAliveOffer.parse(head.fields().combined(FieldName.KEEP_ALIVE));
        if (offer.seconds() != KeepAliveOffer.UNSAID) {
            long said = TimeUnit.SECONDS.toNanos(offer.seconds());
            keptNanos = said - Math.min(said / 2, MARGIN_NANOS);
        }
        return offer.seconds() != 0 && offer.requests() != 0;
    }

    /** Where the store has the answers from that come on it. */
    public SourceConnection provenance() {
        SourceConnection p = provenance;
        if (p == null) {
            p = new SourceConnection();
            provenance = p;
        }
        return p;
    }

    /** More came than was asked for: the answers before may have been for others. */
    void surplus() {
        pool.countSurplus();
        SourceConnection p = provenance;
        if (p != null) {
            p.doubt();
        }
    }
}
