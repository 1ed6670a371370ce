package io.weir.proxy.exchange;

import io.weir.http.Fields;
import io.weir.http.RequestHead;
import io.weir.http.ResponseHead;
import io.weir.kernel.connection.SessionStatus;
import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.accesslog.RecordText;
import io.weir.proxy.cache.CacheRequest;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.store.StoredObject;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.context.ServerCounters;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.upstream.AnswerRest;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.Upstream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one request and its answer: besides the received request, the program's run, the source of the answer,
 * and the slot. Contains no decisions. Owned by one {@code Exchange}, confined to its muxer.
 */
final class ExchangeState extends ReceivedRequest {
    private final Upstream upstream;
    private final Consumer<RunState> resumed;
    private final ProgramRun run;
    private final CacheNote note = new CacheNote();
    final ExchangeReuse reuse = new ExchangeReuse();
    final ThrottleSlot slot;

    /** Whether the owner of its key is asked for what it may have stored, which is not here. */
    enum AtOwner {
        /** Not so: nobody is asked, or the owner is to fetch what it has not. */
        UNASKED,
        /** A HEAD, or a Range: what the owner has not is asked of the origin. */
        PERHAPS,
        /** Only-if-cached: what the owner has not is not there. */
        ONLY
    }

    private @Nullable ServerCounters counters;
    /** The request has a protocol upgrade that Weir permits. */
    boolean upgrade;

    /** The request to the cache, if its answer freshens what is stored: a HEAD that found nothing usable. */
    @Nullable
    CacheRequest freshens;

    AtOwner atOwner = AtOwner.UNASKED;

    /** What the cache decided, if the answer, which it expects not to be storable, is to be shown to it. */
    Decision.@Nullable Relay relay;

    /** What is missing of an answer that has begun, and is requested from the origin; null: nothing. */
    @Nullable
    AnswerRest rest;

    private ProxyFault failure = ProxyFault.FUNCTION;
    private String failureDetail = "";

    /** The stored object being served, held until the exchange is over. */
    @Nullable
    StoredObject stored;
    /** The origin's head being relayed; valid while its answer is received. */
    @Nullable
    ResponseHead answer;
    /** Fields of this exchange's own fetch that the store does not keep; null: none. */
    @Nullable
    Fields withheld;

    /** @param resumed called with the outcome of an asynchronous function */
    ExchangeState(LoopContext loop, Upstream upstream, Consumer<RunState> resumed) {
        super(loop);
        this.upstream = upstream;
        this.resumed = resumed;
        this.run = loop.newRun();
        this.slot = new ThrottleSlot(loop.kernel().connectionQueue());
    }

    /** Starts a new request, whose head is complete. */
    void begin(Client connection, RequestHead request) {
        received(connection, request);
        upgrade = false;
        freshens = null;
        atOwner = AtOwner.UNASKED;
        relay = null;
        rest = null;
        reuse.begin();
        note.clear(ofMember());
    }

    /** Chooses the virtual server, and runs the program up to ObjectType. */
    RunState translate() {
        Program program = loop.proxy().program();
        choose(program.virtualServers());
        ServerCounters server = loop.counters().server(countedFor());
        counters = server;
        server.requests.inc();
        record.begin(loop.clock().nanos(), loop.clock().millis(), client().headBytes());
        response().begin(head(), server.sent);
        return run.start(this, program);
    }

    /** Runs AddLog, and updates the counters. */
    void log(@Nullable Fetch last) {
        ServerCounters server = counters;
        ClientResponse given = response();
        if (last != null) {
            record.fetched(last);
        }
        record.end(loop.clock().nanos(), given);
        if (!ofMember()) {
            // another member logs it, where its client is
            run.finish();
        }
        run.abandon();
        if (server != null) {
            server.answered(given.status(), record.received(), record.sent() - given.counted(), record.nanos());
        }
    }

    /** Releases what was held for it. */
    void end() {
        forgetStored();
        answer = null;
        slot.end();
        forget();
    }

    /** It is not answered from the stored object. */
    void forgetStored() {
        StoredObject lent = stored;
        stored = null;
        if (lent != null) {
            lent.release();
        }
    }

    /** Whether the client's connection may stay open after this answer. */
    boolean keepsAlive() {
        return !run.closes() && client().mayKeepAlive(head());
    }

    ProgramRun run() {
        return run;
    }

    Upstream upstream() {
        return upstream;
    }

    /** Why the program failed. */
    private ProxyFault runFault() {
        ProxyFault f = run.fault();
        return f == null ? ProxyFault.FUNCTION : f;
    }

    CacheNote note() {
        return note;
    }

    /** Fields of this exchange's own fetch that the store does not keep; null: none. */
    @Nullable
    Fields withheld() {
        return withheld;
    }

    /** It waits, or no longer waits, for one of its origin's connections. */
    void awaitsConnection(boolean begins) {
        slot.awaitsConnection(begins);
        awaits(SessionStatus.AWAITING_CONNECTION, begins);
    }

    /** Shows the function that runs, or ran last, in monitoring. */
    void showFunction() {
        client().state().function(run.function());
    }

    /** It is answered without a slot. */
    void passedQueue() {
        loop.kernel().connectionQueue().passed();
    }

    /** Its fetch from the origin starts. */
    void fetches() {
        loop.counters().fetches.inc();
        processing();
    }

    /** Records the error to answer with; returns the step that does it. */
    Step failed(ProxyFault fault, String detail) {
        failure = fault;
        failureDetail = detail;
        return Step.FAIL;
    }

    /** The next step after a group of stages that stopped the request. */
    Step stopped(RunState state) {
        return state == RunState.CLOSE ? Step.ABORT : failed(runFault(), "");
    }

    ProxyFault failure() {
        return failure;
    }

    /** Detail of the failure for the log; empty if none. */
    String failureDetail() {
        return failureDetail;
    }

    /** It failed after part of an answer was sent: the failure is only counted. */
    void failedAfterStart() {
        loop.proxy().programHost().count(failure);
    }

    /** An origin's answer has begun: from here on its client determines the pace, so it must not block others. */
    void answering() {
        client().state().status(SessionStatus.RESPONSE);
        slot.end();
    }

    /** Relays a 1xx answer, if the client still waits. */
    void informational(ResponseHead received) {
        if (alive() && !response().started()) {
            response().informational(received);
        }
    }

    @Override
    public boolean admit() {
        return slot.admit(
                loop.proxy().pools().manager(run), () -> loop.proxy().pools().requestClass(run));
    }

    @Override
    public void resumed(RunState state) {
        resumed.accept(state);
    }

    @Override
    public void logValue(LogVariable variable, RecordText out) {
        switch (variable) {
            case CLIENT_IP -> out.append(clientText());
            case VSID -> out.append(virtualServer().name());
            case CCH_STATUS -> out.append(note.word());
            case SUBSYSTEM -> out.append(note.isHit() ? "cache" : "proxy");
            case CONTENT_TYPE -> {
                String own = response().ownType();
                if (own.isEmpty()) {
                    logResponseField("content-type", out);
                } else {
                    out.append(own);
                }
            }
            case AUTH_USER -> logVariable("auth-user", out);
            case PAUTH_USER -> logVariable("pauth-user", out);
            default -> record.write(variable, head(), out);
        }
    }

    @Override
    public void logResponseField(String name, RecordText out) {
        ResponseHead relayed = answer;
        StoredObject object = stored;
        if (relayed != null) {
            out.append(relayed.fields().combined(name));
        } else if (object != null) {
            out.append(object.fields().combined(name));
        }
    }

    @Override
    public void logVariable(String name, RecordText out) {
        out.append(run.variable(name));
    }
}
