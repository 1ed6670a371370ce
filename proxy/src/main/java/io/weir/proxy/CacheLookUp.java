package io.weir.proxy;

import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.semantics.Hops;
import io.weir.proxy.cache.CacheRequest;
import io.weir.proxy.cache.CacheTerms;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.FetchedFrom;
import io.weir.proxy.cache.Fill;
import io.weir.proxy.cache.Permission;
import io.weir.proxy.program.ClientCertificateMode;
import io.weir.proxy.program.ProxyFault;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange asks of the cache, and what it does with the decision. Owned by one exchange, confined to its muxer;
 * lives as long.
 */
final class CacheLookUp implements Permission {
    private final Exchange exchange;
    private @Nullable CacheRequest request;
    private boolean freshens;

    CacheLookUp(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Forgets the request before. */
    void begin() {
        freshens = false;
    }

    /** This exchange's own request to the cache: made when the cache is first asked. */
    private CacheRequest asked() {
        CacheRequest r = request;
        if (r == null) {
            r = exchange.loopContext().proxy().cache().newRequest();
            request = r;
        }
        return r;
    }

    /**
     * Asks, where the request may be answered from the cache.
     *
     * @param terms null where nothing is cached
     */
    void ask(RequestHead head, @Nullable CacheTerms terms, boolean upgrade) {
        if (terms != null && RequestKinds.mayUseCache(head, upgrade) && keyed(head)) {
            exchange.run().key(asked().key());
            asked().set(head.methodId(), sent(head.fields()), terms)
                    .permit(this)
                    .personal(personal());
            decide();
        } else if (terms != null && terms.connectMode() == CacheTerms.ConnectMode.NEVER) {
            exchange.fail(ProxyFault.NOT_IN_CACHE, "");
        } else {
            exchange.note().bypass(head.methodId() == Method.GET ? "bypass" : "method");
            exchange.enqueue();
        }
    }

    /** Those that the origin gets: whoever says that a field ends here chooses no variant by it (RFC 9110 section 7.6.1). */
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

    /** Whether the key says all that the origin is told of what is asked for. */
    private boolean keyed(RequestHead head) {
        boolean told = exchange.trusted()
                && !Forwarding.agrees(
                        head.fields(),
                        exchange.run(),
                        exchange.loopContext().proxy().forwardedMode());
        return !told && exchange.run().keyed();
    }

    /** Whether the origin is told who the client is, so that its answer may be for this client alone. */
    private boolean personal() {
        return !exchange.client().connection().clientCertificates().isEmpty()
                && exchange.loopContext().proxy().clientCertificate() != ClientCertificateMode.OFF;
    }

    private void decide() {
        switch (exchange.loopContext().proxy().cache().decide(asked())) {
            case Decision.Hit hit -> exchange.hit(hit);
            case Decision.Join join -> {
                exchange.note().joined(join.forward().token());
                exchange.reuse.hold();
                if (exchange.fill().join(join.fill(), asked())) {
                    exchange.joined();
                } else {
                    decide();
                }
            }
            case Decision.Lead lead -> {
                exchange.note().leads(lead.forward().token());
                exchange.fill().lead(lead.fill(), asked());
                exchange.enqueue();
            }
            case Decision.Bypass bypass -> {
                freshens = bypass.reason() == Decision.Reason.METHOD;
                exchange.note().bypass(bypass.reason().forward().token());
                exchange.enqueue();
            }
            case Decision.OnlyIfCached _ -> exchange.fail(ProxyFault.NOT_IN_CACHE, "");
        }
    }

    /** The request as the cache knows it, when its answer freshens what is stored: a HEAD that found nothing to use. */
    @Nullable
    CacheRequest freshens() {
        return freshens ? asked() : null;
    }

    /** A fill's leader failed before its head: this exchange fetches for all who wait. */
    void takeOver(Fill orphan) {
        exchange.fill().lead(orphan, asked());
        exchange.enqueue();
    }

    /** The answer that comes through the fill is not for this request: it decides again, by the rules of now. */
    void released() {
        asked().permit(this);
        decide();
    }

    @Override
    public boolean mayHave(@Nullable FetchedFrom from) {
        return exchange.run()
                .destination()
                .mayHave(exchange.loopContext().proxy().program(), from);
    }

    @Override
    public Kin kin() {
        return exchange.run().destination().kin(exchange.loopContext().proxy().program());
    }
}
