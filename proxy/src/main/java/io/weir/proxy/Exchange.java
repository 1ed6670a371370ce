package io.weir.proxy;

import io.weir.http.RequestHead;
import io.weir.http.ResponseHead;
import io.weir.kernel.SessionStatus;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.Fill;
import io.weir.proxy.cache.FillCursor;
import io.weir.proxy.cache.StoredObject;
import io.weir.proxy.program.Action;
import io.weir.proxy.program.Program;
import io.weir.proxy.program.ProgramRun;
import io.weir.proxy.program.ProxyFault;
import io.weir.proxy.program.RunState;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer: runs the request program, asks the cache, waits for a slot, fetches, and answers. Confined
 * to its connection's muxer; reused for further requests where {@link Reuse} allows it.
 */
final class Exchange extends ExchangeView {
    private final CacheLookUp lookUp = new CacheLookUp(this);
    private final FillReading fill;
    private final Upload upload = new Upload(this);
    private final Direct direct = new Direct(this);
    private Step step = Step.NONE;
    private @Nullable ServerCounters counters;
    private boolean upgrade;
    private @Nullable FunctionWait wait;
    private ProxyFault failure = ProxyFault.FUNCTION;
    private String failureDetail = "";

    Exchange(LoopContext loop) {
        super(loop);
        this.fill = new FillReading(loop, this);
    }

    /** Starts with a request whose head is complete; valid until the exchange ends. */
    void begin(Client connection, RequestHead request, boolean bodyFollows) {
        client = connection;
        head = request;
        direct.clear();
        reuse.begin();
        upgrade = false;
        upload.begin(bodyFollows);
        note.clear();
        lookUp.begin();
        Program program = loop.proxy().program();
        virtualServer = program.virtualServers()
                .select(
                        connection.connection().listener().name(),
                        connection.connection().listener().config().virtualServer(),
                        request.bytes(),
                        request.hostStart(),
                        RequestKinds.hostEnd(request));
        counters = loop.counters().server(virtualServer.name());
        counters.requests.inc();
        record.begin(loop.clock().nanos(), loop.clock().millis(), connection.headBytes());
        connection.response().begin(request, counters.sent);
        step = Step.TRANSLATING;
        translated(run.start(this, program));
    }

    /** A function decides later. */
    private void await(Step what) {
        reuse.hold();
        step = what;
        show(SessionStatus.PROCESSING);
        client().state().function(run.function());
        FunctionWait w = wait;
        if (w == null) {
            w = new FunctionWait(this);
            wait = w;
        }
        w.begin();
    }

    /** The function that this exchange waits for took too long. */
    void functionLate() {
        run.abandon();
        if (step == Step.FAILING) {
            failed(RunState.FAILED);
        } else {
            fail(ProxyFault.FUNCTION_TIME_OUT, "");
        }
        flushOut();
    }

    @Override
    public void resumed(ProgramRun program, RunState state) {
        endWait();
        switch (step) {
            case TRANSLATING -> translated(state);
            case SERVING -> served(state);
            case CONNECTING -> connectible(state);
            case FAILING -> failed(state);
            case NONE, QUEUED, FILLING, RELAYING, TUNNELLING -> {}
        }
        flushOut();
    }

    /** The stages up to ObjectType are done. */
    private void translated(RunState state) {
        switch (state) {
            case WAITING -> await(Step.TRANSLATING);
            case FAILED -> fail(runFault(), "");
            case CLOSE -> abort();
            case READY -> {
                RequestHead request = head();
                upgrade = RequestKinds.wantsUpgrade(request);
                long max = loop.settings().maxBody();
                ProxyFault limited = loop.proxy().qos().active() ? TrafficCheck.of(this) : null;
                if (limited != null) {
                    fail(limited, "");
                } else if (max > 0 && request.contentLength() > max) {
                    fail(ProxyFault.BODY_TOO_LARGE, "");
                } else if (RequestKinds.loops(request, loop.proxy().pseudonym())) {
                    fail(ProxyFault.LOOP, RequestKinds.loopDetail(loop.proxy().pseudonym()));
                } else if (RequestKinds.expectsTheUnknown(request)) {
                    fail(ProxyFault.EXPECTATION, "");
                } else {
                    lookUp.ask(request, run.action() == null ? run.cache() : null, upgrade);
                }
            }
        }
    }

    /** Answers from a stored object. */
    void hit(Decision.Hit hit) {
        passedQueue();
        note.hit(hit);
        Fill validation = hit.revalidation();
        StoredObject object = hit.object();
        stored = object;
        RunState state = Outputs.of(this, object);
        if (state == RunState.READY) {
            StoredAnswer.hit(this, object);
        }
        if (validation != null) {
            Background.validate(this, validation);
        }
        if (state == RunState.READY) {
            finish();
        } else {
            refused(state);
        }
    }

    /** What was waited for is not for this request, which has been fetching itself, perhaps: as if it had just come. */
    void askAgain() {
        slot.end();
        lookUp.released();
    }

    /** Somebody fetches it already: waits for that fill. */
    void joined() {
        passedQueue();
        step = Step.FILLING;
        show(SessionStatus.AWAITING_FETCH);
        fill.pump();
    }

    private void passedQueue() {
        loop.kernel().connectionQueue().passed();
    }

    /** The request's part in a fill. */
    FillReading fill() {
        return fill;
    }

    /** What the exchange asks of the cache. */
    CacheLookUp lookUp() {
        return lookUp;
    }

    /** The fill has a head. */
    void fillHead(FillCursor from) {
        answering();
        note.filled(from, loop.clock().millis());
        stored = from.object().retain();
    }

    /** Waits for a slot, to be answered past the store or for it. */
    void enqueue() {
        reuse.entering();
        step = Step.QUEUED;
        show(SessionStatus.QUEUED);
        if (!admit()) {
            busy();
            return;
        }
        place = loop.proxy().pools().place(run);
        loop.kernel().connectionQueue().enter(client().connection(), this);
        reuse.entered();
    }

    @Override
    public boolean cancelled() {
        return client == null;
    }

    @Override
    public void start() {
        slot.begin();
        reuse.started();
        if (client == null) {
            slot.end();
            return;
        }
        step = Step.SERVING;
        client.state().status(SessionStatus.PROCESSING);
        try {
            served(run.service());
            flushOut();
        } catch (RuntimeException e) {
            unexpected(e);
        }
    }

    /** An error of Weir's own: this exchange and its connection end, nothing else. */
    void unexpected(RuntimeException e) {
        loop.proxy().unexpected(e);
        Client c = client;
        if (c != null) {
            c.crash();
        }
    }

    @Override
    public void busy() {
        if (client == null) {
            return;
        }
        fail(ProxyFault.OVERLOAD, "");
        flushOut();
    }

    /** Route and Service are done: the action says what answers. */
    private void served(RunState state) {
        switch (state) {
            case WAITING -> await(Step.SERVING);
            case FAILED -> fail(runFault(), "");
            case CLOSE -> abort();
            case READY -> perform();
        }
    }

    private void perform() {
        Action action = run.action();
        client().state().function(run.function());
        if (action instanceof Action.Respond || action instanceof Action.Redirect) {
            fill.abandon(ProxyFault.NO_ROUTE);
            LocalAnswers.answer(this, action);
            finish();
        } else if (action != Action.Retrieve.TUNNEL && RequestKinds.answersHere(this)) {
            finish();
        } else {
            connectible(run.connect());
        }
    }

    /** DNS and Connect are done: the origin side may be asked. */
    private void connectible(RunState state) {
        switch (state) {
            case WAITING -> await(Step.CONNECTING);
            case FAILED -> fail(runFault(), "");
            case CLOSE -> abort();
            case READY -> {
                if (run.action() == Action.Retrieve.TUNNEL) {
                    TunnelStart.connect(this);
                } else {
                    retrieve();
                }
            }
        }
    }

    private void retrieve() {
        FillFeed f = fill.feed();
        Upstream upstream = Upstreams.of(this, f != null);
        if (upstream == null) {
            fail(ProxyFault.URL_MALFORMED, "");
            return;
        }
        loop.counters().fetches.inc();
        client().state().status(SessionStatus.PROCESSING);
        if (f != null) {
            reuse.hold();
            step = Step.FILLING;
            f.start(upstream);
            fill.pump();
            return;
        }
        step = Step.RELAYING;
        direct.start(new Fetch(loop, upstream.asReceived(upgrade), direct));
    }

    // ---- relaying an answer directly

    /** Moves what the fill has to the client. */
    void pumpFill() {
        if (step == Step.FILLING) {
            fill.pump();
        }
    }

    /**
     * The answer is not for the store: it comes directly from now on.
     *
     * @param conditions the origin was not told the client's conditions, which count here
     */
    void passThrough(Fetch own, String reason, ResponseHead received, boolean conditions) {
        fill.passed();
        direct.take(own);
        step = Step.RELAYING;
        note.passed(reason);
        direct.relayEdited(received, conditions);
    }

    /** An origin's answer has begun: from here on its client says how fast it goes, and holds nobody else up. */
    void answering() {
        client().state().status(SessionStatus.RESPONSE);
        slot.end();
    }

    /** Whether there is a client to answer. */
    boolean alive() {
        return client != null;
    }

    /** The way of an answer that the store does not want. */
    Direct direct() {
        return direct;
    }

    /** The client's socket takes bytes again. */
    void clientWritable() {
        if (step == Step.FILLING) {
            fill.pump();
            flushOut();
        } else if (step == Step.RELAYING) {
            direct.clientWritable();
        }
    }

    /** Filter or Output ended the answer before its head was written; what others wait for goes on. */
    void refused(RunState state) {
        fill.leave();
        if (state == RunState.CLOSE) {
            abort();
        } else {
            fail(runFault(), "");
        }
    }

    /** Answers with an error where the head is not written yet; else cuts the connection. */
    void fail(ProxyFault fault, String detail) {
        failure = fault;
        failureDetail = detail;
        direct.cancel();
        FillFeed leading = fill.feed();
        if (leading != null && leading.fetch() != null) {
            record.fetched(leading.fetch());
        }
        fill.passed();
        if (leading != null) {
            leading.leaderFailed(fault, detail);
        }
        if (response().started() && !response().retract()) {
            loop.proxy().programHost().count(fault);
            abort();
            return;
        }
        step = Step.FAILING;
        failed(run.error(fault));
    }

    private void failed(RunState state) {
        switch (state) {
            case WAITING -> await(Step.FAILING);
            case CLOSE -> abort();
            case READY -> {
                Action action = run.action();
                if (action == null) {
                    loop.errors().answer(this, failure, failureDetail);
                } else {
                    LocalAnswers.answer(this, action);
                }
                finish();
            }
            case FAILED -> {
                loop.errors().answer(this, failure, failureDetail);
                finish();
            }
        }
    }

    /** The answer came directly and is complete, and its fetch has ended with it. */
    void relayed() {
        reuse.relayed();
        finish();
    }

    /** The answer is complete. */
    void finish() {
        Client c = client();
        over();
        c.answered();
    }

    /** The answer cannot be completed: the client sees it by the connection's end, behind all that was written. */
    void abort() {
        Client c = client();
        boolean visible = response().cutIsVisible();
        record.clientStatus("INTR");
        // the flush may make room in the socket, and nothing more is to be written
        step = Step.NONE;
        flushOut();
        over();
        if (visible) {
            c.close();
        } else {
            c.reset();
        }
    }

    /** The client has gone, or was given up because it took nothing ({@code late}). */
    void clientGone(boolean late) {
        if (client == null) {
            return;
        }
        record.clientStatus(late ? "TIMEOUT" : "INTR");
        loop.counters().clientAborts.inc();
        direct.interrupt();
        over();
    }

    /** Becomes a tunnel: the exchange stays for the record until {@link #tunnelClosed}. */
    void tunnelling() {
        step = Step.TUNNELLING;
        client().state().status(SessionStatus.TUNNEL);
        // the decoder gives its memory up, the access log wants the request at the end
        head = head().copy();
        direct.clear();
        slot.end();
    }

    /** The tunnel is closed. */
    void tunnelClosed(long fromClient, long fromOrigin) {
        record.tunnelled(fromClient, fromOrigin);
        over();
    }

    private void endWait() {
        if (wait != null) {
            wait.end();
        }
    }

    private void over() {
        endWait();
        ServerCounters server = counters;
        ClientResponse given = response();
        Fetch last = fetch();
        if (last != null) {
            record.fetched(last);
        }
        record.end(loop.clock().nanos(), given);
        run.finish();
        run.abandon();
        if (server != null) {
            server.answered(given.status(), record.received(), record.sent() - given.counted(), record.nanos());
        }
        fill.leave();
        StoredObject lent = stored;
        stored = null;
        if (lent != null) {
            lent.release();
        }
        answer = null;
        direct.clear();
        step = Step.NONE;
        slot.end();
        client = null;
        head = null;
    }

    Upload upload() {
        return upload;
    }

    /** The fetch that this exchange began, direct or for the store; null when there is none. */
    @Nullable
    Fetch fetch() {
        FillFeed feed = fill.feed();
        Fetch own = direct.fetch();
        return own != null || feed == null ? own : feed.fetch();
    }
}
