package io.weir.proxy.exchange;

import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.semantics.Hops;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.cache.CacheRequest;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.config.BypassReason;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.Permission;
import io.weir.proxy.cache.store.StoredObject;
import io.weir.proxy.exchange.ExchangeState.AtOwner;
import io.weir.proxy.fields.Forwarding;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberRequest;
import io.weir.proxy.program.config.ClientCertificateMode;
import io.weir.proxy.upstream.AnswerRest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An exchange's request to the cache. Owned by one exchange, confined to its muxer; lives as long. */
final class CacheLookUp implements Permission {
    private final ExchangeState exchange;
    private @Nullable CacheRequest request;

    CacheLookUp(ExchangeState exchange) {
        this.exchange = exchange;
    }

    /** The request to the cache, created at the first look-up. */
    CacheRequest request() {
        CacheRequest r = request;
        if (r == null) {
            r = exchange.loopContext().proxy().cache().newRequest();
            request = r;
        }
        return r;
    }

    /** Prepares the look-up; returns whether the request may be answered from the cache. */
    boolean prepare() {
        RequestHead head = exchange.head();
        CacheTerms terms = terms();
        if (terms == null || !RequestKinds.mayUseCache(head, exchange.upgrade) || !keyed(head)) {
            return false;
        }
        exchange.run().key(request().key());
        if (other(exchange.member())) {
            return false;
        }
        request().set(head.methodId(), sent(head.fields()), terms).permit(this).personal(personal());
        return true;
    }

    /** Whether the key is another one here than where the client asks, because the configurations differ. */
    private boolean other(@Nullable MemberRequest member) {
        if (member == null) {
            return false;
        }
        byte[] key = request().key().copy();
        exchange.loopContext().proxy().owners().asked(key);
        return member.hash() != CacheOwners.hash(key);
    }

    /** Null if nothing is cached. */
    private @Nullable CacheTerms terms() {
        return exchange.run().action() == null ? exchange.run().cache() : null;
    }

    /** The cache cannot answer. Returns false if no origin may be used either. */
    boolean bypass() {
        CacheTerms terms = terms();
        if (terms != null && terms.connectMode() == CacheTerms.ConnectMode.NEVER) {
            return false;
        }
        Method method = exchange.head().methodId();
        if (terms != null && !exchange.ofMember()) {
            boolean known = method == Method.GET || method == Method.HEAD;
            exchange.loopContext().proxy().cache().bypass(known ? BypassReason.FORM : BypassReason.METHOD);
        }
        exchange.note().bypass(method == Method.GET ? "bypass" : "method");
        return true;
    }

    /** Calls the cache, and records its decision if it does not answer itself. */
    Decision decide() {
        Decision decision = exchange.loopContext().proxy().cache().decide(request());
        switch (decision) {
            case Decision.Join join -> exchange.note().joined(join.forward().token());
            case Decision.Lead lead -> exchange.note().leads(lead.forward().token());
            case Decision.Relay relay -> {
                exchange.relay = relay;
                exchange.note().leads(relay.forward().token());
            }
            case Decision.Bypass bypass -> {
                boolean head = bypass.reason() == BypassReason.HEAD;
                exchange.freshens = head ? request() : null;
                boolean stored = head || bypass.reason() == BypassReason.RANGE;
                exchange.atOwner = stored ? AtOwner.PERHAPS : AtOwner.UNASKED;
                exchange.note().bypass(bypass.reason().forward().token());
            }
            case Decision.OnlyIfCached _ -> {
                boolean others = exchange.loopContext().proxy().owners().active();
                exchange.atOwner = others && !exchange.ofMember() ? AtOwner.ONLY : AtOwner.UNASKED;
                exchange.note().bypass("miss");
            }
            case Decision.Hit _, Decision.Load _ -> {}
        }
        return decision;
    }

    /** The answer was not for this request: it will decide again, by the current rules. */
    void again() {
        request().permit(this);
    }

    /** As {@link #again}, but the disk could not be read: it is not asked again. */
    void withoutDisk() {
        again();
        request().skipDisk();
    }

    /**
     * The disk failed within the body of a stored answer that has begun. Its rest is requested from the origin, if a
     * strong entity tag can tell that it is of the same answer; without a slot, for which nobody waits in the middle of
     * an answer.
     *
     * @param from position of the first byte that is missing
     * @param end of what the client gets; -1: unknown
     */
    Step continues(long from, long end) {
        StoredObject object = exchange.stored;
        AnswerRest.Of answer =
                object == null ? null : AnswerRest.Of.answer(object.status(), object, object.contentLength());
        Cache cache = exchange.loopContext().proxy().cache();
        // another member's client gets the rest from where it is
        if (answer == null || exchange.ofMember() || !request().mayFetch(cache.settings())) {
            if (!exchange.ofMember()) {
                cache.disk().cut();
            }
            return exchange.failed(ErrorAnswers.of(FillFailure.UNREADABLE), FillFailure.UNREADABLE.detail());
        }
        exchange.rest = new AnswerRest(answer, from, end);
        exchange.atOwner = AtOwner.UNASKED;
        cache.disk().continued();
        // Route and Service have run if its own fetch fills the store
        return exchange.run().action() == null ? Step.SERVE : Step.ACT;
    }

    /**
     * The fields that the origin gets: a field named in Connection ends here and selects no variant (RFC 9110 section
     * 7.6.1).
     */
    private static Fields sent(Fields received) {
        Hops hops = Hops.in(received);
        if (hops.nominated().isEmpty()) {
            return received;
        }
        Fields sent = received.copy();
        for (int i = sent.size() - 1; i >= 0; i--) {
            if (hops.nominated().contains(sent.name(i).toLowerCase(Locale.ROOT))) {
                sent.removeAt(i);
            }
        }
        return sent;
    }

    /** Whether the key includes everything that identifies the resource in the request to the origin. */
    private boolean keyed(RequestHead head) {
        boolean differs = exchange.trusted()
                && !Forwarding.agrees(
                        head.fields(),
                        exchange.run(),
                        exchange.loopContext().proxy().forwardedMode());
        return !differs && exchange.run().keyed();
    }

    /** Whether the request identifies the client to the origin, so that the answer may be for this client alone. */
    private boolean personal() {
        return !exchange.client().connection().clientCertificates().isEmpty()
                && exchange.loopContext().proxy().clientCertificate() != ClientCertificateMode.OFF;
    }

    @Override
    public boolean mayHave(@Nullable FetchedFrom from) {
        return exchange.run()
                .destination()
                .mayHave(exchange.loopContext().proxy().program().destinations(), from);
    }

    @Override
    public Audience audience() {
        return exchange.run()
                .destination()
                .audience(exchange.loopContext().proxy().program().destinations());
    }
}
