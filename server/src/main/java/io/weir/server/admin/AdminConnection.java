package io.weir.server.admin;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.http.BodyDecoder;
import io.weir.http.DecoderLimits;
import io.weir.http.Encoder;
import io.weir.http.Framing;
import io.weir.http.HeadScratch;
import io.weir.http.Progress;
import io.weir.http.ProtocolFault;
import io.weir.http.RequestDecoder;
import io.weir.http.RequestHead;
import io.weir.http.Side;
import io.weir.http.Version;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.mux.Deadline;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the admin listener: HTTP/1.1, one request at a time, with bounds on everything. Confined to the
 * admin loop; lives as long as the connection. Nothing is read while a request is being answered, so input is bounded
 * by one read.
 */
final class AdminConnection extends ChannelInboundHandlerAdapter {
    /** What all connections share. */
    record Shared(
            AdminConfig config,
            AdminAccess access,
            AdminDispatcher dispatcher,
            AnswerWriter writer,
            Reserve reserve,
            Stats stats,
            Counter timedOut) {}

    private enum State {
        HEAD,
        BODY,
        ANSWERING,
        LINGERING,
        CLOSED
    }

    /** A URL of what is stored is encoded once more in the query: the longest that proxy.limits.request-line permits. */
    private static final int MAX_REQUEST_LINE = 3 * (64 << 10) + 1024;

    private static final DecoderLimits LIMITS = DecoderLimits.DEFAULT.withRequestLine(MAX_REQUEST_LINE);
    private static final Duration LINGER = Duration.ofSeconds(1);

    private final Shared shared;
    private final Connection connection;
    private final RequestDecoder heads = new RequestDecoder(() -> LIMITS, new HeadScratch(1));
    private final BodyDecoder bodies = new BodyDecoder(Side.REQUEST, () -> LIMITS);
    private State state = State.HEAD;
    private boolean pumping;
    private boolean reserved;
    /** Whether the next request arrived before the client had read the previous answer. */
    private boolean staying;
    /** Whether the current request's client has shown who it is: its connection is never evicted. */
    private boolean known;

    private boolean answered;
    private @Nullable ByteBuf input;
    private @Nullable ByteBuf body;
    private @Nullable Waiting waiting;
    private @Nullable ChannelHandlerContext context;
    private final Deadline timer = new Deadline() {
        @Override
        protected void expired() {
            timedOut();
        }
    };

    /** A request whose body is still being read. */
    private record Waiting(AdminRequest request, AccessVerdict verdict, boolean head, boolean keep) {}

    AdminConnection(Shared shared, Connection connection) {
        this.shared = shared;
        this.connection = connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf more = (ByteBuf) message;
        if (state == State.LINGERING || state == State.CLOSED) {
            more.release();
            return;
        }
        ByteBuf held = input;
        if (held == null) {
            input = more;
        } else {
            held.writeBytes(more);
            more.release();
        }
        pump(ctx);
    }

    /** Processes as much input as the state allows. Never re-entered, because an immediate answer ends inside it. */
    private void pump(ChannelHandlerContext ctx) {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            boolean more = true;
            while (more) {
                more = step(ctx);
            }
        } finally {
            pumping = false;
        }
        ByteBuf held = input;
        if (held != null && !held.isReadable()) {
            held.release();
            input = null;
        }
        ctx.channel().config().setAutoRead(state != State.ANSWERING);
    }

    private boolean step(ChannelHandlerContext ctx) {
        ByteBuf in = input;
        if (in == null) {
            return false;
        }
        return switch (state) {
            case HEAD -> head(ctx, in);
            case BODY -> body(ctx, in);
            case ANSWERING -> false;
            case LINGERING, CLOSED -> {
                in.skipBytes(in.readableBytes());
                yield false;
            }
        };
    }

    private boolean head(ChannelHandlerContext ctx, ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        if (!heads.inHead()) {
            connection.busy();
            known = false;
            if (!staying) {
                connection.renewPlace();
            }
            arm(shared.config().requestTimeOut());
        }
        Progress progress = heads.decode(in);
        if (progress == Progress.MORE) {
            connection.awaitClient();
        } else {
            connection.clientResponded();
        }
        if (progress == Progress.FAULT) {
            fault(ctx, heads.fault());
        } else if (progress == Progress.HEAD) {
            complete(ctx, heads.head());
        }
        return progress != Progress.MORE;
    }

    private void complete(ChannelHandlerContext ctx, RequestHead head) {
        InetSocketAddress local = (InetSocketAddress) ctx.channel().localAddress();
        boolean isHead = head.method().equals("HEAD");
        boolean bodiless = head.framing() == Framing.NONE;
        AccessVerdict verdict = shared.access().check(head, local);
        known = !stranger(verdict);
        state = State.ANSWERING;
        if (verdict instanceof AccessVerdict.Refused refused) {
            write(ctx, shared.dispatcher().refused(refused), isHead, bodiless && keeps(head));
        } else if (head.contentLength() > shared.config().maxBody().bytes()) {
            write(ctx, tooLarge(), isHead, false);
        } else {
            accept(ctx, head, verdict, isHead);
        }
    }

    private void accept(ChannelHandlerContext ctx, RequestHead head, AccessVerdict verdict, boolean isHead) {
        AdminRequest request;
        try {
            request = new AdminRequest(
                    isHead ? "GET" : head.method(),
                    RequestDecoding.path(head.path()),
                    RequestDecoding.query(
                            head.query(), !isHead && !head.method().equals("GET")),
                    RequestDecoding.fields(head.fields()),
                    "",
                    (InetSocketAddress) ctx.channel().remoteAddress(),
                    AdminRequest.ANONYMOUS);
        } catch (RequestDecoding.Malformed e) {
            write(ctx, malformed("The target is malformed: " + e.getMessage() + "."), isHead, false);
            return;
        }
        Waiting next = new Waiting(request, verdict, isHead, keeps(head));
        if (head.framing() == Framing.NONE) {
            dispatch(ctx, next, request);
            return;
        }
        if (head.expectsContinue()) {
            ByteBuf go = ctx.alloc().buffer(32);
            Encoder.statusLine(go, Version.HTTP_1_1, 100);
            Encoder.endOfHead(go);
            var _ = ctx.writeAndFlush(go);
        }
        waiting = next;
        bodies.begin(head.framing(), head.contentLength());
        if (!known) {
            connection.awaitClient();
        }
        state = State.BODY;
    }

    // persistent HTTP/1.0 connections need Connection: keep-alive in the answer: not worth it here
    private static boolean keeps(RequestHead head) {
        return head.keepAlive() && head.version() == Version.HTTP_1_1;
    }

    private boolean body(ChannelHandlerContext ctx, ByteBuf in) {
        Waiting request = waiting;
        if (request == null) {
            throw new IllegalStateException("a body without a head");
        }
        ByteBuf piece = bodies.next(in);
        if (piece != null) {
            return take(ctx, piece, request);
        }
        if (bodies.fault() != null) {
            fault(ctx, bodies.fault());
            return true;
        }
        if (bodies.done()) {
            bodyComplete(ctx, request);
            return true;
        }
        return false;
    }

    private boolean take(ChannelHandlerContext ctx, ByteBuf piece, Waiting request) {
        ByteBuf all = body;
        if (all == null) {
            body = all = ctx.alloc().buffer(piece.readableBytes());
        }
        boolean fits = all.readableBytes() + piece.readableBytes()
                <= shared.config().maxBody().bytes();
        if (fits) {
            all.writeBytes(piece);
        }
        piece.release();
        if (!fits) {
            state = State.ANSWERING;
            write(ctx, tooLarge(), request.head(), false);
        }
        return true;
    }

    private void bodyComplete(ChannelHandlerContext ctx, Waiting request) {
        ByteBuf all = body;
        connection.clientResponded();
        state = State.ANSWERING;
        waiting = null;
        try {
            String text = all == null ? "" : RequestDecoding.utf8(all.nioBuffer());
            AdminRequest r = request.request();
            dispatch(
                    ctx,
                    request,
                    new AdminRequest(r.method(), r.path(), r.query(), r.fields(), text, r.remote(), r.author()));
        } catch (RequestDecoding.Malformed e) {
            write(ctx, malformed("The body is malformed: " + e.getMessage() + "."), request.head(), request.keep());
        } finally {
            dropBody();
        }
    }

    private void dispatch(ChannelHandlerContext ctx, Waiting waiting, AdminRequest request) {
        disarm();
        AdminAnswer recent = crowded(waiting.verdict()) ? shared.dispatcher().recent(request) : null;
        if (recent != null) {
            write(ctx, recent, waiting.head(), waiting.keep());
            return;
        }
        answered = false;
        shared.dispatcher()
                .answer(
                        request,
                        waiting.verdict(),
                        new AdminDispatcher.Requester(
                                ctx.executor(),
                                staying,
                                () -> state == State.ANSWERING,
                                answer -> write(ctx, answer, waiting.head(), waiting.keep())));
        if (!answered && state == State.ANSWERING && !known) {
            reserved = !staying
                    && shared.dispatcher().vital(request.path())
                    && shared.reserve().take();
            if (!reserved) {
                // an unauthenticated request may take its time, but must not keep new connections out
                connection.awaitClient();
            }
        }
    }

    /** Whether the request is not authenticated yet. */
    private static boolean stranger(AccessVerdict verdict) {
        return !(verdict instanceof AccessVerdict.Allowed allowed)
                || allowed.author().equals(AdminRequest.ANONYMOUS);
    }

    /** Whether a request would have to wait without a reserved place. */
    private boolean crowded(AccessVerdict verdict) {
        return !staying
                && verdict instanceof AccessVerdict.Allowed allowed
                && allowed.author().equals(AdminRequest.ANONYMOUS)
                && shared.reserve().full();
    }

    private void giveBack() {
        if (reserved) {
            reserved = false;
            shared.reserve().give();
        }
    }

    private void fault(ChannelHandlerContext ctx, @Nullable ProtocolFault fault) {
        if (fault == null) {
            throw new IllegalStateException("a fault without a reason");
        }
        state = State.ANSWERING;
        AccessVerdict.Refused refused = new AccessVerdict.Refused(
                "protocol", AdminAnswer.problem(fault.status(), "Malformed request", fault.detail()));
        write(ctx, shared.dispatcher().refused(refused), false, false);
    }

    private void write(ChannelHandlerContext ctx, AdminAnswer answer, boolean head, boolean keep) {
        if (state != State.ANSWERING) {
            return;
        }
        answered = true;
        giveBack();
        connection.clientResponded();
        shared.stats()
                .counter(AdminStats.REQUESTS, Integer.toString(answer.status()))
                .inc();
        arm(shared.config().requestTimeOut());
        boolean stays = keep && !connection.draining();
        ByteBuf out = shared.writer().encode(ctx.alloc(), answer, head, stays);
        ChannelFuture written = ctx.writeAndFlush(out);
        if (!written.isDone() && !known) {
            connection.awaitClient();
        }
        written.addListener((ChannelFutureListener) sent -> {
            connection.clientResponded();
            if (!sent.isSuccess()) {
                connection.close();
            } else if (stays) {
                next(ctx);
            } else {
                linger(ctx);
            }
        });
    }

    private void next(ChannelHandlerContext ctx) {
        if (state != State.ANSWERING) {
            return;
        }
        state = State.HEAD;
        heads.reset();
        disarm();
        ByteBuf held = input;
        boolean nothingMore = held == null || !held.isReadable();
        // a client that sent more than one request already has its first answer: others are served before it
        staying = !nothingMore;
        if (nothingMore && !connection.idle()) {
            connection.close();
            return;
        }
        pump(ctx);
    }

    // a reset that overtakes the answer would lose it: shut down the output, then discard the client's input for a
    // while
    private void linger(ChannelHandlerContext ctx) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.LINGERING;
        arm(LINGER);
        // only the client's close is still to come: a new connection may replace this one
        connection.awaitClient();
        if (ctx.channel() instanceof DuplexChannel duplex) {
            var _ = duplex.shutdownOutput();
            ctx.channel().config().setAutoRead(true);
        } else {
            connection.close();
        }
    }

    private void timedOut() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            return;
        }
        if (state != State.LINGERING) {
            shared.timedOut().inc();
        }
        if (state == State.HEAD || state == State.BODY) {
            state = State.ANSWERING;
            write(
                    ctx,
                    AdminAnswer.problem(408, "Request timeout", "The request did not arrive in time."),
                    false,
                    false);
        } else {
            connection.close();
        }
    }

    private void arm(Duration after) {
        connection.muxer().deadlines().arm(timer, after.toNanos());
    }

    private void disarm() {
        connection.muxer().deadlines().disarm(timer);
    }

    private void dropBody() {
        ByteBuf all = body;
        if (all != null) {
            all.release();
            body = null;
        }
    }

    private AdminAnswer tooLarge() {
        return shared.dispatcher()
                .refused(new AccessVerdict.Refused(
                        "body",
                        AdminAnswer.problem(
                                413,
                                "Content too large",
                                "A body may have " + shared.config().maxBody() + " (admin.max-body).")));
    }

    private static AdminAnswer malformed(String detail) {
        return AdminAnswer.problem(400, "Malformed request", detail);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        release();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
    }

    private void release() {
        state = State.CLOSED;
        giveBack();
        disarm();
        dropBody();
        heads.reset();
        ByteBuf held = input;
        if (held != null && !pumping) {
            held.release();
            input = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.close();
    }
}
