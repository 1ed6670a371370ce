package io.weir.proxy.exchange;

import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.semantics.Hops;
import io.weir.proxy.cache.CacheRequest;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.config.BypassReason;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.Permission;
import io.weir.proxy.fields.Forwarding;
import io.weir.proxy.program.config.ClientCertificateMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange asks of the cache. Owned by one exchange, confined to its muxer; lives as long.
 */
final class CacheLookUp implements Permission {
    private final ExchangeState exchange;
    private @Nullable CacheRequest request;

    CacheLookUp(ExchangeState exchange) {
        this.exchange = exchange;
    }

    /** This exchange's own request to the cache: made when the cache is first asked. */
    CacheRequest asked() {
        CacheRequest r = request;
        if (r == null) {
            r = exchange.loopContext().proxy().cache().newRequest();
            request = r;
        }
        return r;
    }

    /** Whether the request may be answered from the cache; makes it ready to be asked. */
    boolean asks() {
        RequestHead head = exchange.head();
        CacheTerms terms = terms();
        if (terms == null || !RequestKinds.mayUseCache(head, exchange.upgrade) || !keyed(head)) {
            return false;
        }
        exchange.run().key(asked().key());
        asked().set(head.methodId(), sent(head.fields()), terms).permit(this).personal(personal());
        return true;
    }

    /** Null where nothing is cached. */
    private @Nullable CacheTerms terms() {
        return exchange.run().action() == null ? exchange.run().cache() : null;
    }

    /** The cache cannot answer. False where no origin may be used either. */
    boolean bypass() {
        CacheTerms terms = terms();
        if (terms != null && terms.connectMode() == CacheTerms.ConnectMode.NEVER) {
            return false;
        }
        exchange.note().bypass(exchange.head().methodId() == Method.GET ? "bypass" : "method");
        return true;
    }

    /** Asks the cache, and notes what it decided on a request that it does not answer itself. */
    Decision decide() {
        Decision decision = exchange.loopContext().proxy().cache().decide(asked());
        switch (decision) {
            case Decision.Join join -> exchange.note().joined(join.forward().token());
            case Decision.Lead lead -> exchange.note().leads(lead.forward().token());
            case Decision.Bypass bypass -> {
                exchange.freshens = bypass.reason() == BypassReason.METHOD ? asked() : null;
                exchange.note().bypass(bypass.reason().forward().token());
            }
            case Decision.Hit _, Decision.OnlyIfCached _ -> {}
        }
        return decision;
    }

    /** The answer that came is not for this request: it decides again, by the rules of now. */
    void again() {
        asked().permit(this);
    }

    /**
     * Those that the origin gets: a field named in Connection ends here and selects no variant (RFC 9110 section
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

    /** Whether the key covers all that identifies the resource in the request to the origin. */
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
