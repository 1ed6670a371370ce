package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.ProtocolFault;
import io.weir.http.RequestHead;
import io.weir.http.ResponseHead;
import io.weir.kernel.ConnectionQueue;
import io.weir.kernel.SessionStatus;
import io.weir.proxy.accesslog.LogText;
import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.cache.CacheRequest;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.Fill;
import io.weir.proxy.cache.FillCursor;
import io.weir.proxy.cache.FillReader;
import io.weir.proxy.cache.StoredObject;
import io.weir.proxy.program.Action;
import io.weir.proxy.program.Program;
import io.weir.proxy.program.ProgramRun;
import io.weir.proxy.program.ProxyFault;
import io.weir.proxy.program.RequestContext;
import io.weir.proxy.program.RunState;
import io.weir.proxy.program.VirtualServer;
import java.net.InetAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer: runs the request program, asks the cache, waits for a slot, fetches, and answers. Confined
 * to its connection's muxer; reused for further requests once {@link #reusable()}.
 */
final class Exchange implements RequestContext, ConnectionQueue.QueuedRequest, FillReader, OriginEvents {
    /** What the exchange waits for. */
    private enum Step {
        NONE,
        /** A function of the stages up to ObjectType. */
        TRANSLATING,
        /** A slot of the connection queue. */
        QUEUED,
        /** A function of Route or Service. */
        SERVING,
        /** A function of the Error stage. */
        FAILING,
        /** A fill, its own or another's. */
        FILLING,
        /** Its own fetch, directly. */
        RELAYING,
        /** The bytes pass through a tunnel. */
        TUNNELLING
    }

    private final LoopContext loop;
    private final ProgramRun run;
    private final CacheRequest lookUp;
    private final ExchangeRecord record = new ExchangeRecord();
    private final CacheNote note = new CacheNote();
    private Step step = Step.NONE;
    private @Nullable ClientConnection client;
    private @Nullable RequestHead head;
    private @Nullable ServerCounters counters;
    private VirtualServer virtualServer = VirtualServer.DEFAULT;
    private @Nullable Fetch fetch;
    private @Nullable FillCursor cursor;
    private @Nullable FillFeed feed;
    private @Nullable StoredObject stored;
    private @Nullable ResponseHead answer;
    private boolean slot;
    private boolean bodyOpen;
    private boolean upgrade;
    private boolean pumping;
    private long bodyBytes;
    private ProxyFault failure = ProxyFault.FUNCTION;
    private String failureDetail = "";

    Exchange(LoopContext loop) {
        this.loop = loop;
        this.run = loop.newRun();
        this.lookUp = loop.proxy().cache().newRequest();
    }

    /** Whether another request may use this object: false while a function of the last one still has it. */
    boolean reusable() {
        return run.reusable();
    }

    ClientConnection client() {
        ClientConnection c = client;
        if (c == null) {
            throw new IllegalStateException("the exchange is over");
        }
        return c;
    }

    ClientResponse response() {
        return client().response();
    }

    ProgramRun run() {
        return run;
    }

    LoopContext loopContext() {
        return loop;
    }

    ExchangeRecord record() {
        return record;
    }

    CacheNote note() {
        return note;
    }

    /** Starts with a request whose head is complete; valid until the exchange ends. */
    void begin(ClientConnection connection, RequestHead request, boolean bodyFollows) {
        client = connection;
        head = request;
        fetch = null;
        cursor = null;
        feed = null;
        stored = null;
        answer = null;
        slot = false;
        upgrade = false;
        bodyOpen = bodyFollows;
        bodyBytes = 0;
        note.clear();
        Program program = loop.proxy().program();
        virtualServer = program.virtualServers()
                .select(
                        connection.connection().listener().name(),
                        request.bytes(),
                        request.hostStart(),
                        RequestKinds.hostEnd(request));
        counters = loop.counters().server(virtualServer.name());
        counters.requests.inc();
        record.begin(loop.clock().nanos(), loop.clock().millis());
        connection.response().begin(request);
        step = Step.TRANSLATING;
        translated(run.start(this, program));
    }

    @Override
    public void resumed(ProgramRun program, RunState state) {
        ClientConnection c = client;
        switch (step) {
            case TRANSLATING -> translated(state);
            case SERVING -> served(state);
            case FAILING -> failed(state);
            case NONE, QUEUED, FILLING, RELAYING, TUNNELLING -> {}
        }
        if (c != null && client != null) {
            c.channel().flush();
        }
    }

    /** The stages up to ObjectType are done. */
    private void translated(RunState state) {
        switch (state) {
            case WAITING -> step = Step.TRANSLATING;
            case FAILED -> fail(runFault(), "");
            case CLOSE -> abort();
            case READY -> {
                RequestHead request = head();
                upgrade = RequestKinds.wantsUpgrade(request);
                long max = loop.settings().maxBody();
                if (max > 0 && request.contentLength() > max) {
                    fail(ProxyFault.BODY_TOO_LARGE, "");
                } else if (run.action() == null && run.cache() != null && RequestKinds.mayUseCache(request, upgrade)) {
                    RequestKinds.key(
                            lookUp.key(),
                            request,
                            secure(),
                            client().connection().local().getPort());
                    lookUp.set(request.methodId(), request.fields());
                    decide();
                } else {
                    note.bypass(request.methodId() == Method.GET ? "bypass" : "method");
                    enqueue();
                }
            }
        }
    }

    private void decide() {
        switch (loop.proxy().cache().decide(lookUp)) {
            case Decision.Hit hit -> {
                loop.kernel().connectionQueue().passed();
                note.hit(hit);
                Fill validation = hit.revalidation();
                stored = hit.object();
                StoredAnswer.hit(this, stored);
                if (validation != null) {
                    Background.validate(this, validation);
                }
                finish();
            }
            case Decision.Join join -> {
                note.joined(join.forward().token());
                FillCursor joined = join.fill().join(lookUp, this);
                if (joined == null) {
                    decide();
                    return;
                }
                loop.kernel().connectionQueue().passed();
                cursor = joined;
                step = Step.FILLING;
                pumpFill();
            }
            case Decision.Lead lead -> {
                note.leads(lead.forward().token());
                lead(lead.fill());
            }
            case Decision.Bypass bypass -> {
                note.bypass(bypass.reason().forward().token());
                enqueue();
            }
            case Decision.OnlyIfCached _ -> fail(ProxyFault.NOT_IN_CACHE, "");
        }
    }

    /** Takes a fill over: this exchange's request fills it, and its client is the first reader. */
    private void lead(Fill fill) {
        FillFeed f = new FillFeed(loop, fill, this);
        feed = f;
        fill.lead(f);
        if (cursor == null) {
            cursor = fill.join(lookUp, this);
        }
        enqueue();
    }

    private void enqueue() {
        step = Step.QUEUED;
        RequestHead request = head();
        client().connection()
                .state()
                .begin(request.method(), request.target(), virtualServer.name(), record.startNanos());
        loop.kernel().connectionQueue().enter(client().connection(), this);
    }

    @Override
    public boolean cancelled() {
        return client == null;
    }

    @Override
    public void start() {
        slot = true;
        if (client == null) {
            releaseSlot();
            return;
        }
        step = Step.SERVING;
        served(run.service());
        flushIfOpen();
    }

    @Override
    public void busy() {
        if (client == null) {
            return;
        }
        fail(ProxyFault.OVERLOAD, "");
        flushIfOpen();
    }

    /** Route and Service are done: the action says what answers. */
    private void served(RunState state) {
        switch (state) {
            case WAITING -> step = Step.SERVING;
            case FAILED -> fail(runFault(), "");
            case CLOSE -> abort();
            case READY -> perform();
        }
    }

    private void perform() {
        Action action = run.action();
        if (action instanceof Action.Respond || action instanceof Action.Redirect) {
            leaveFill();
            LocalAnswers.answer(this, action);
            finish();
        } else if (action == Action.Retrieve.TUNNEL) {
            TunnelStart.connect(this);
        } else if (RequestKinds.answersHere(this)) {
            finish();
        } else {
            retrieve();
        }
    }

    private void retrieve() {
        Upstream upstream = Upstreams.of(this, feed != null);
        if (upstream == null) {
            fail(ProxyFault.URL_MALFORMED, "");
            return;
        }
        loop.counters().fetches.inc();
        client().connection().state().status(SessionStatus.PROCESSING);
        FillFeed f = feed;
        if (f != null) {
            step = Step.FILLING;
            f.start(upstream);
            pumpFill();
            return;
        }
        step = Step.RELAYING;
        Fetch direct = new Fetch(loop, upstream.asReceived(upgrade), this);
        fetch = direct;
        direct.start();
    }

    // ---- reading a fill

    @Override
    public Executor executor() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void ready(FillCursor which) {
        if (which == cursor) {
            pumpFill();
            flushIfOpen();
        }
    }

    /** Moves what the fill has to the client, as far as the client takes it. */
    void pumpFill() {
        FillCursor from = cursor;
        if (from == null || pumping || step != Step.FILLING) {
            return;
        }
        pumping = true;
        try {
            while (from == cursor && client().channel().isWritable() && pump(from)) {
                // the next signal
            }
        } finally {
            pumping = false;
        }
    }

    private boolean pump(FillCursor from) {
        switch (from.poll()) {
            case WAIT -> {
                return false;
            }
            case HEAD -> {
                client().connection().state().status(SessionStatus.RESPONSE);
                note.filled(from, loop.clock().millis());
                return StoredAnswer.head(this, from) || endFill();
            }
            case DATA -> response().data(from.data());
            case END -> {
                response().end(from.trailers());
                return endFill();
            }
            case RELEASED -> released();
            case LEAD -> {
                lead(from.fill());
                return false;
            }
            case FAILED -> {
                record.originFailed("INTR");
                ProxyFault fault = ErrorAnswers.ofStatus(from.failure().status());
                fail(fault, from.failure().detail());
            }
        }
        return true;
    }

    private boolean endFill() {
        finish();
        return false;
    }

    /** Not for this reader: it fetches for itself, past or through the cache as that decides now. */
    private void released() {
        if (feed != null) {
            // the leader's own answer follows through passThrough
            closeCursor();
            return;
        }
        closeCursor();
        decide();
    }

    /** The answer is not for the store: it comes directly from now on. */
    void passThrough(Fetch own, String reason) {
        closeCursor();
        feed = null;
        fetch = own;
        step = Step.RELAYING;
        note.passed(reason);
    }

    private void closeCursor() {
        FillCursor c = cursor;
        cursor = null;
        if (c != null) {
            c.close();
        }
    }

    private void leaveFill() {
        closeCursor();
        FillFeed f = feed;
        feed = null;
        if (f != null) {
            f.leaderLeft();
        }
    }

    // ---- relaying an answer directly

    @Override
    public void informational(ResponseHead answer) {
        if (client != null && !response().started()) {
            response().informational(answer);
        }
    }

    @Override
    public void head(ResponseHead received) {
        if (client == null) {
            return;
        }
        record.originAnswered(received.status());
        if (received.status() == 101) {
            TunnelStart.switched(this, received);
            return;
        }
        client().connection().state().status(SessionStatus.RESPONSE);
        answer = received;
        Relay.head(this, received);
    }

    @Override
    public void data(ByteBuf data) {
        if (client == null) {
            data.release();
            return;
        }
        response().data(data);
        Fetch f = fetch;
        if (f != null && !client().channel().isWritable()) {
            f.pause(true);
        }
    }

    @Override
    public void end(Fields trailers) {
        if (client == null) {
            return;
        }
        response().end(trailers);
        Relay.invalidate(this, answer);
        finish();
    }

    @Override
    public void broken(OriginFault fault, String detail) {
        loop.counters().fault(fault);
        if (client == null) {
            return;
        }
        record.originFailed(fault == OriginFault.RESPONSE_TIMEOUT ? "TIMEOUT" : "INTR");
        fetch = null;
        fail(ErrorAnswers.of(fault), detail);
    }

    @Override
    public void writable() {
        ClientConnection c = client;
        if (c != null) {
            c.process();
        }
    }

    @Override
    public void flush() {
        flushIfOpen();
    }

    /** The client's socket takes bytes again. */
    void clientWritable() {
        if (step == Step.FILLING) {
            pumpFill();
            flushIfOpen();
        } else if (step == Step.RELAYING && fetch != null) {
            fetch.pause(false);
        }
    }

    // ---- the request's body

    /** Whether a piece of the request's body can be taken now. */
    boolean wantsBody() {
        Fetch f = fetch;
        return bodyOpen && f != null && f.wantsBody();
    }

    void requestData(ByteBuf data) {
        Fetch f = fetch;
        bodyBytes += data.readableBytes();
        record.receivedBody(data.readableBytes());
        long max = loop.settings().maxBody();
        if (max > 0 && bodyBytes > max) {
            data.release();
            fail(ProxyFault.BODY_TOO_LARGE, "");
        } else if (f == null) {
            data.release();
        } else {
            f.sendBody(data);
        }
    }

    void requestEnd(Fields trailers) {
        bodyOpen = false;
        Fetch f = fetch;
        if (f != null) {
            f.endBody(trailers);
        }
    }

    /** A batch of the body has been handed over. */
    void requestBatchEnd() {
        Fetch f = fetch;
        if (f != null && step == Step.RELAYING) {
            f.flushBody();
        }
    }

    /** The body breaks HTTP or ended too early. */
    void requestBroken(@Nullable ProtocolFault fault) {
        Fetch f = fetch;
        fetch = null;
        if (f != null) {
            f.cancel();
        }
        if (fault == null || response().started()) {
            abort();
        } else {
            response().truncated();
            loop.errors().refuse(client(), fault);
            response().truncated();
            finish();
        }
    }

    void requestTimedOut() {
        fail(ProxyFault.REQUEST_TIME_OUT, "");
        flushIfOpen();
    }

    // ---- ends

    /** Answers with an error where the head is not written yet; else cuts the connection. */
    void fail(ProxyFault fault, String detail) {
        failure = fault;
        failureDetail = detail;
        Fetch f = fetch;
        fetch = null;
        if (f != null) {
            f.cancel();
        }
        FillFeed leading = feed;
        closeCursor();
        feed = null;
        if (leading != null) {
            leading.leaderFailed(fault, detail);
        }
        if (response().started()) {
            loop.proxy().programHost().count(fault);
            abort();
            return;
        }
        step = Step.FAILING;
        failed(run.error(fault));
    }

    private void failed(RunState state) {
        switch (state) {
            case WAITING -> step = Step.FAILING;
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

    /** The answer is complete. */
    void finish() {
        ClientConnection c = client();
        over();
        c.answered();
    }

    /** The answer cannot be completed: the client sees it by the connection's end. */
    void abort() {
        ClientConnection c = client();
        record.clientStatus("INTR");
        over();
        c.close();
    }

    /** The client has gone. */
    void clientGone() {
        if (client == null) {
            return;
        }
        record.clientStatus("INTR");
        loop.counters().clientAborts.inc();
        Fetch f = fetch;
        fetch = null;
        if (f != null) {
            f.cancel();
        }
        over();
    }

    /** Becomes a tunnel: the exchange stays for the record until {@link #tunnelClosed}. */
    void tunnelling() {
        step = Step.TUNNELLING;
        fetch = null;
        releaseSlot();
    }

    /** The tunnel is closed. */
    void tunnelClosed(long fromClient, long fromOrigin) {
        record.tunnelled(fromClient, fromOrigin);
        over();
    }

    private void over() {
        ServerCounters server = counters;
        ClientResponse given = response();
        Fetch last = fetch;
        if (last != null) {
            record.fetched(last);
        }
        record.end(loop.clock().nanos(), given, head());
        run.finish();
        run.abandon();
        if (server != null) {
            server.answered(given.status(), record.received(), record.sent(), record.nanos());
        }
        leaveFill();
        StoredObject lent = stored;
        stored = null;
        if (lent != null) {
            lent.release();
        }
        answer = null;
        fetch = null;
        step = Step.NONE;
        releaseSlot();
        client = null;
        head = null;
    }

    @Nullable
    Fetch fetch() {
        return fetch;
    }

    /** Whether the client asked for an upgrade that was passed on. */
    boolean upgrades() {
        return upgrade;
    }

    /** Whether this exchange still answers on that connection. */
    boolean serves(ClientConnection connection) {
        return client == connection;
    }

    /** Whether the request has been read to its end, so that the connection can carry another one. */
    boolean requestSettled() {
        return !bodyOpen || client().restIsSmall();
    }

    /** The client's address as text. */
    String clientText() {
        return clientAddress().getHostAddress();
    }

    private void releaseSlot() {
        if (slot) {
            slot = false;
            loop.kernel().connectionQueue().finished();
        }
    }

    private ProxyFault runFault() {
        ProxyFault f = run.fault();
        return f == null ? ProxyFault.FUNCTION : f;
    }

    private void flushIfOpen() {
        ClientConnection c = client;
        if (c != null) {
            c.channel().flush();
        }
    }

    // ---- what the program and the log see

    @Override
    public RequestHead head() {
        RequestHead h = head;
        if (h == null) {
            throw new IllegalStateException("the exchange is over");
        }
        return h;
    }

    @Override
    public InetAddress clientAddress() {
        return client().connection().remote().getAddress();
    }

    @Override
    public boolean secure() {
        return client().connection().secure();
    }

    @Override
    public VirtualServer virtualServer() {
        return virtualServer;
    }

    @Override
    public Executor loop() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void logValue(LogVariable variable, LogText out) {
        record.write(variable, this, out);
    }

    @Override
    public void logRequestField(String name, LogText out) {
        out.append(head().fields().combined(name));
    }

    @Override
    public void logResponseField(String name, LogText out) {
        ResponseHead relayed = answer;
        FillCursor from = cursor;
        StoredObject object =
                stored != null ? stored : from != null && response().started() ? from.object() : null;
        if (relayed != null) {
            out.append(relayed.fields().combined(name));
        } else if (object != null) {
            out.append(object.fields().combined(name));
        }
    }

    @Override
    public void logVariable(String name, LogText out) {
        out.append(run.variable(name));
    }
}
