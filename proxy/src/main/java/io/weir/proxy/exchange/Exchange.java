package io.weir.proxy.exchange;

import io.weir.http.ProtocolFault;
import io.weir.http.RequestHead;
import io.weir.http.ResponseHead;
import io.weir.kernel.connection.SessionStatus;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer: runs {@link RequestSteps} step by step, and resumes when an awaited event occurs. The
 * request's data is its {@link ExchangeState}, its position is its {@link Step}. Confined to its connection's muxer;
 * reused for further requests if {@link ExchangeReuse} permits it.
 */
public final class Exchange
        implements ExchangeCallbacks, FillFeed.Leader, SlotRequest.Owner, TunnelStart.Owner, Upload.Owner {
    private final LoopContext loop;
    private final ErrorAnswers errors;
    private final ExchangeState exchange;
    private final FillReading fill;
    private final Direct direct;
    private final Upload upload;
    private final RequestSteps steps;
    private Step step = Step.NONE;
    private boolean running;
    /** The step requested by a callback while a step ran. */
    private Step later = Step.WAIT;

    private boolean flushLater;

    Exchange(LoopContext loop, Upstream upstream, OriginRequests requests, ErrorAnswers errors) {
        this.loop = loop;
        this.errors = errors;
        this.exchange = new ExchangeState(loop, upstream, this::resumed);
        CacheLookUp lookUp = new CacheLookUp(exchange);
        TunnelStart tunnel = new TunnelStart(exchange, this, this);
        this.fill = new FillReading(exchange, lookUp, this, this);
        this.direct = new Direct(exchange, this, tunnel, this::moreBody);
        this.upload = new Upload(exchange, this, this);
        this.steps = new RequestSteps(
                exchange,
                this,
                requests,
                errors,
                new RequestSteps.Parts(lookUp, new SlotRequest(exchange, this), fill, tunnel, direct));
    }

    /** Starts with a request whose head is complete; valid until the exchange ends. */
    public void begin(Client connection, RequestHead request, boolean bodyFollows) {
        exchange.begin(connection, request);
        direct.clear();
        upload.begin(bodyFollows);
        go(Step.TRANSLATE);
    }

    /**
     * Runs a step, and all that follow it, until something has to be awaited. Calls made by a step may call back: the
     * queue starts the request, its origin is found dead, the client's socket has room. Such a callback is recorded and
     * handled after the step, instead of the step's result; but if it only requests the same step again, the result
     * counts.
     */
    private void go(Step to) {
        if (running) {
            later = later == Step.WAIT || to != step ? to : later;
            return;
        }
        running = true;
        later = Step.WAIT;
        flushLater = false;
        Step next = to;
        try {
            while (next.compareTo(Step.WAIT) > 0 && next.compareTo(Step.ANSWERED) < 0) {
                step = next;
                Step then = steps.perform(step);
                next = later == Step.WAIT || (later == step && then != Step.WAIT) ? then : later;
                later = Step.WAIT;
                next = exchange.alive() ? next : Step.WAIT;
            }
            running = false;
            // within these calls the client may begin its next request with this exchange
            switch (next) {
                case ANSWERED -> answer();
                case ABORT -> cut();
                default -> {
                    if (flushLater) {
                        exchange.flushOut();
                    }
                }
            }
        } catch (RuntimeException e) {
            running = false;
            unexpected(e);
        }
    }

    private void answer() {
        Client client = exchange.client();
        over();
        client.answered();
    }

    private void cut() {
        Client client = exchange.client();
        boolean visible = exchange.response().cutIsVisible();
        exchange.record().clientStatus("INTR");
        // the flush may make the socket writable, and nothing more must be written
        step = Step.NONE;
        exchange.flushOut();
        if (!exchange.alive()) {
            return;
        }
        over();
        if (visible) {
            client.cut();
        } else {
            client.reset();
        }
    }

    private void over() {
        steps.endWait();
        exchange.log(fetch());
        fill.leave();
        direct.clear();
        step = Step.NONE;
        exchange.end();
    }

    // ---- awaited events

    /** The awaited function has decided. */
    private void resumed(RunState state) {
        steps.endWait();
        go(steps.decided(step, state));
        flushOut();
    }

    @Override
    public void functionTimedOut() {
        exchange.run().abandon();
        if (step == Step.FAIL) {
            go(steps.decided(step, RunState.FAILED));
        } else {
            fail(ProxyFault.FUNCTION_TIME_OUT, "");
        }
        flushOut();
    }

    @Override
    public void lookAgain() {
        if (step == Step.DECIDE) {
            go(Step.DECIDE);
        }
        flushOut();
    }

    @Override
    public void started() {
        go(Step.SERVE);
        flushOut();
    }

    @Override
    public void busy() {
        fail(ProxyFault.OVERLOAD, "");
        flushOut();
    }

    @Override
    public ExchangeState exchange() {
        return exchange;
    }

    @Override
    public void more() {
        if (step == Step.DELIVER || step == Step.STREAM) {
            go(step);
        }
        flushOut();
    }

    @Override
    public void passThrough(FillFeed.Passed own, String reason, ResponseHead received, boolean conditions) {
        fill.passed();
        direct.take(own);
        step = Step.RELAY;
        exchange.note().passed(reason);
        direct.relayEdited(received, conditions);
    }

    @Override
    public void stores(Fill into, Fetch own, ResponseHead received) {
        exchange.reuse.hold();
        direct.clear();
        step = Step.DELIVER;
        fill.take(into, own, received);
    }

    /** The client's channel is writable again. */
    public void clientWritable() {
        if (step == Step.DELIVER || step == Step.STREAM) {
            more();
        } else if (step == Step.RELAY) {
            direct.clientWritable();
        }
    }

    /** The client disconnected, or timed out because it did not read ({@code late}). */
    public void clientDisconnected(boolean late) {
        if (!exchange.alive()) {
            return;
        }
        exchange.record().clientStatus(late ? "TIMEOUT" : "INTR");
        loop.counters().clientAborts.inc();
        direct.interrupt();
        over();
    }

    @Override
    public void tunnelling() {
        step = Step.TUNNEL;
        exchange.client().state().status(SessionStatus.TUNNEL);
        exchange.keepHead();
        direct.clear();
        exchange.slot.end();
    }

    @Override
    public void tunnelClosed(long fromClient, long fromOrigin) {
        exchange.record().tunnelled(fromClient, fromOrigin);
        over();
    }

    @Override
    public void fail(ProxyFault fault, String detail) {
        Step then = exchange.failed(fault, detail);
        steps.drop();
        go(then);
    }

    @Override
    public void refused(RunState state) {
        go(steps.ended(state));
    }

    @Override
    public void answered() {
        go(Step.ANSWERED);
    }

    @Override
    public void abort() {
        go(Step.ABORT);
    }

    @Override
    public void flushOut() {
        if (running) {
            flushLater = true;
        } else {
            exchange.flushOut();
        }
    }

    @Override
    public void unexpected(RuntimeException e) {
        loop.proxy().unexpected(e);
        if (exchange.alive()) {
            exchange.client().crash();
        }
    }

    // ---- the request's body

    public Upload upload() {
        return upload;
    }

    private void moreBody() {
        // the client flushes the body: what it is just reading belongs to the same write
        exchange.client().process();
    }

    @Override
    public void broken(@Nullable ProtocolFault fault) {
        direct.cancel();
        if (fault == null || exchange.response().started()) {
            abort();
        } else {
            errors.refuse(exchange.client(), fault);
            answered();
        }
    }

    /** The fetch that this exchange started, direct or for the store; null if there is none. */
    @Override
    public @Nullable Fetch fetch() {
        Fetch own = direct.fetch();
        return own != null ? own : fill.fetch();
    }

    /** Whether it may be used for another request. */
    boolean reusable() {
        return !running && exchange.reuse.allowed();
    }
}
