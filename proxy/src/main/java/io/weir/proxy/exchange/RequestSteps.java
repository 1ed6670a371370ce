package io.weir.proxy.exchange;

import io.weir.kernel.connection.SessionStatus;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.exchange.ExchangeState.AtOwner;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a request, in order: {@link #perform} is the table, each method below it is one step and returns the
 * next one. Owned by one {@code Exchange}, which runs it; confined to its muxer.
 */
final class RequestSteps {
    /** The components that perform parts of a step. */
    record Parts(CacheLookUp lookUp, SlotRequest slot, FillReading fill, TunnelStart tunnel, Direct direct) {}

    private final ExchangeState exchange;
    private final ProgramRun run;
    private final ExchangeCallbacks callbacks;
    private final OriginRequests requests;
    private final ErrorAnswers errors;
    private final CacheLookUp lookUp;
    private final SlotRequest slot;
    private final FillReading fill;
    private final TunnelStart tunnel;
    private final Direct direct;
    private @Nullable FunctionWait wait;
    private @Nullable DiskReading disk;

    RequestSteps(
            ExchangeState exchange,
            ExchangeCallbacks callbacks,
            OriginRequests requests,
            ErrorAnswers errors,
            Parts parts) {
        this.exchange = exchange;
        this.run = exchange.run();
        this.callbacks = callbacks;
        this.requests = requests;
        this.errors = errors;
        this.lookUp = parts.lookUp();
        this.slot = parts.slot();
        this.fill = parts.fill();
        this.tunnel = parts.tunnel();
        this.direct = parts.direct();
    }

    Step perform(Step step) {
        return switch (step) {
            case TRANSLATE -> translate();
            case CHECK -> check();
            case LOOK_UP -> lookUp();
            case DECIDE -> decide();
            case QUEUE -> queue();
            case SERVE -> serve();
            case ACT -> act();
            case CONNECT -> connect();
            case FETCH -> fetch();
            case DELIVER -> fill.deliver();
            case STREAM -> disk().stream();
            case RELAY -> relay();
            case FAIL -> fail();
            case WAIT, TUNNEL, ANSWERED, ABORT, NONE -> Step.WAIT;
        };
    }

    private Step translate() {
        return after(exchange.translate(), Step.CHECK);
    }

    private Step check() {
        exchange.upgrade = RequestKinds.wantsUpgrade(exchange.head());
        ProxyFault refused = RequestCheck.of(exchange);
        return refused == null ? Step.LOOK_UP : exchange.failed(refused, RequestCheck.detail(exchange, refused));
    }

    private Step lookUp() {
        if (lookUp.prepare()) {
            return Step.DECIDE;
        }
        return lookUp.bypass() ? Step.QUEUE : notInCache();
    }

    private Step notInCache() {
        exchange.loopContext().proxy().cache().notInCache();
        return exchange.failed(ProxyFault.NOT_IN_CACHE, "");
    }

    private Step decide() {
        return switch (lookUp.decide()) {
            case Decision.Hit hit -> hit(hit);
            case Decision.Join join -> join(join);
            case Decision.Load load -> load(load);
            case Decision.Lead lead -> {
                fill.lead(lead.fill());
                yield Step.QUEUE;
            }
            case Decision.Relay _, Decision.Bypass _ -> Step.QUEUE;
            case Decision.OnlyIfCached _ -> exchange.atOwner == AtOwner.ONLY ? Step.QUEUE : notInCache();
        };
    }

    private Step hit(Decision.Hit hit) {
        exchange.passedQueue();
        RunState state = StoredAnswer.of(exchange, hit);
        BackgroundValidation.of(exchange, hit, requests);
        if (state != RunState.READY) {
            return ended(state);
        }
        return hit.object().below() == null ? Step.ANSWERED : Step.STREAM;
    }

    /** Another request already fetches it: waits for that fill. */
    private Step join(Decision.Join join) {
        exchange.reuse.hold();
        if (!fill.join(join.fill())) {
            return Step.DECIDE;
        }
        exchange.passedQueue();
        exchange.show(SessionStatus.AWAITING_FETCH);
        return Step.DELIVER;
    }

    /** The disk has it: waits until it is in memory, and decides again. */
    private Step load(Decision.Load load) {
        if (!disk().begin(load.load())) {
            return Step.DECIDE;
        }
        exchange.show(SessionStatus.AWAITING_FETCH);
        return Step.WAIT;
    }

    private DiskReading disk() {
        DiskReading d = disk;
        if (d == null) {
            d = new DiskReading(exchange, lookUp, callbacks);
            disk = d;
        }
        return d;
    }

    private Step queue() {
        if (exchange.ofMember()) {
            // it holds a slot where its client is; members that wait for each other's slots would wait for ever
            exchange.passedQueue();
            return fill.leads() ? Step.SERVE : exchange.failed(ProxyFault.NOT_STORABLE, "");
        }
        return slot.enter() ? Step.WAIT : exchange.failed(ProxyFault.OVERLOAD, "");
    }

    private Step serve() {
        exchange.processing();
        return after(run.service(), Step.ACT);
    }

    private Step act() {
        Action action = run.action();
        exchange.showFunction();
        if (action instanceof Action.Respond || action instanceof Action.Redirect) {
            if (exchange.rest != null) {
                return exchange.failed(ProxyFault.NO_ROUTE, "no origin gives the rest of the answer");
            }
            fill.abandon(ProxyFault.NO_ROUTE, "");
            LocalAnswers.answer(exchange, action);
            return Step.ANSWERED;
        }
        boolean answered = action != Action.Retrieve.TUNNEL && LocalAnswers.ofProxy(exchange);
        return answered ? Step.ANSWERED : Step.CONNECT;
    }

    private Step connect() {
        return after(run.connect(), Step.FETCH);
    }

    private Step fetch() {
        if (run.action() == Action.Retrieve.TUNNEL && run.parents() == null) {
            tunnel.connect();
            return Step.WAIT;
        }
        boolean leads = fill.leads();
        OriginRequest upstream = requests.of(exchange, leads);
        if (upstream == null) {
            return exchange.failed(ProxyFault.URL_MALFORMED, "");
        }
        exchange.fetches();
        if (leads) {
            exchange.reuse.hold();
            fill.start(upstream);
            return Step.DELIVER;
        }
        direct.prepare(upstream);
        return Step.RELAY;
    }

    private Step relay() {
        direct.start();
        return Step.WAIT;
    }

    private Step fail() {
        drop();
        ClientResponse response = exchange.response();
        if (response.started() && !response.retract()) {
            if (exchange.rest != null) {
                exchange.loopContext().proxy().cache().disk().cut();
            }
            exchange.failedAfterStart();
            return Step.ABORT;
        }
        return afterError(run.error(exchange.failure()));
    }

    // ---- common to several steps

    /** The step that follows once the step's function has decided. */
    Step decided(Step step, RunState state) {
        return switch (step) {
            case TRANSLATE -> after(state, Step.CHECK);
            case SERVE -> after(state, Step.ACT);
            case CONNECT -> after(state, Step.FETCH);
            case FAIL -> afterError(state);
            default -> Step.WAIT;
        };
    }

    /** The step after a group of stages. */
    private Step after(RunState state, Step then) {
        return switch (state) {
            case READY -> then;
            case WAITING -> await();
            case FAILED, CLOSE -> exchange.stopped(state);
        };
    }

    private Step afterError(RunState state) {
        return switch (state) {
            case WAITING -> await();
            case CLOSE -> Step.ABORT;
            case READY -> answerError(run.action());
            case FAILED -> answerError(null);
        };
    }

    /** @param chosen by a function; null: the standard page */
    private Step answerError(@Nullable Action chosen) {
        if (chosen == null) {
            errors.answer(exchange);
        } else {
            LocalAnswers.answer(exchange, chosen);
        }
        return Step.ANSWERED;
    }

    /**
     * After Filter and Output, which ended the answer before its head was written; a fetch that others wait for
     * continues.
     */
    Step ended(RunState state) {
        fill.leave();
        return exchange.stopped(state);
    }

    /** Ends what is in progress for this exchange only: it is answered with an error. */
    void drop() {
        endDiskWait();
        direct.cancel();
        fill.failed();
    }

    /** A function will decide later. */
    private Step await() {
        exchange.reuse.hold();
        exchange.show(SessionStatus.PROCESSING);
        exchange.showFunction();
        FunctionWait w = wait;
        if (w == null) {
            w = new FunctionWait(exchange.loopContext(), callbacks);
            wait = w;
        }
        w.begin();
        return Step.WAIT;
    }

    void endWait() {
        if (wait != null) {
            wait.end();
        }
        endDiskWait();
    }

    private void endDiskWait() {
        if (disk != null) {
            disk.end();
        }
    }
}
