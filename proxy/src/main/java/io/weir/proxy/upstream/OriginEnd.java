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

/** The state of an {@link OriginConnection} that its pool uses. Confined to the pool's muxer. */
abstract sealed class OriginEnd extends ChannelInboundHandlerAdapter permits OriginConnection {
    /** The address of a connection that closed before its address could be read: no rule permits it. */
    private static final InetAddress NOWHERE = new InetSocketAddress(0).getAddress();

    private static final long UNBOUNDED = Long.MAX_VALUE;

    /** Margin for clock differences between the origin and us and for a request's travel time. */
    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Links of the pool's list of idle connections. */
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

    /** The source of its answers, for as long as they are stored; null: a configured origin. */
    @Nullable
    public FetchedFrom from() {
        if (from == null && key.guarded()) {
            from = key.parent() ? FetchedFrom.PARENT : FetchedFrom.of(address);
        }
        return from;
    }

    /** Number of requests sent on it. */
    int uses() {
        return uses;
    }

    long idleSince() {
        return idleSince;
    }

    /** Marks it as a stream of an HTTP/2 connection, for one request; {@code first}: the first of that connection. */
    void onStream(boolean first) {
        stream = true;
        fresh = first;
    }

    boolean onStream() {
        return stream;
    }

    /** Whether the underlying connection has never carried a request. */
    boolean fresh() {
        return fresh;
    }

    /** Leaves the pool's count; returns true the first time only. */
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

    /** Bytes not yet accepted by the system, or by the origin's windows. */
    long unsent() {
        WriteBufferWaterMark marks = channel.config().getWriteBufferWaterMark();
        // a channel changes at one byte beyond a mark, so that Netty's distances are one more than the difference
        return channel.isWritable()
                ? marks.high() + 1 - channel.bytesBeforeUnwritable()
                : marks.low() - 1 + channel.bytesBeforeWritable();
    }

    /**
     * Completes when everything written has been accepted by the system, or by the origin's windows; fails with the
     * channel.
     */
    ChannelFuture taken() {
        ChannelPromise all = channel.newPromise();
        // TLS would send a record even for an empty buffer
        return stream
                ? channel.writeAndFlush(Unpooled.EMPTY_BUFFER, all)
                : channel.pipeline().firstContext().writeAndFlush(Unpooled.EMPTY_BUFFER, all);
    }

    /** Whether its origin announced a keep-alive time-out. */
    boolean bounded() {
        return keptNanos != UNBOUNDED;
    }

    /**
     * How long it may be idle and still be reused: the origin's Keep-Alive time-out, less a margin for requests in
     * flight.
     */
    long keptNanos() {
        return keptNanos;
    }

    /** Reads the origin's Keep-Alive time-out; returns false if the origin closes the connection. */
    boolean keeps(ResponseHead head) {
        if (!head.fields().has(FieldName.KEEP_ALIVE)) {
            return true;
        }
        KeepAliveOffer offer = KeepAliveOffer.parse(head.fields().combined(FieldName.KEEP_ALIVE));
        if (offer.seconds() != KeepAliveOffer.UNSAID) {
            long announced = TimeUnit.SECONDS.toNanos(offer.seconds());
            keptNanos = announced - Math.min(announced / 2, MARGIN_NANOS);
        }
        return offer.seconds() != 0 && offer.requests() != 0;
    }

    /** The source object of the answers on it, for the store. */
    public SourceConnection provenance() {
        SourceConnection p = provenance;
        if (p == null) {
            p = new SourceConnection();
            provenance = p;
        }
        return p;
    }

    /** The origin sent more than the requested answer: earlier answers may have been for other requests. */
    void surplus() {
        pool.countSurplus();
        SourceConnection p = provenance;
        if (p != null) {
            p.doubt();
        }
    }
}
