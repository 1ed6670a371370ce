package io.weir.proxy.exchange;

import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberRequest;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.qos.Traffic;
import org.jspecify.annotations.Nullable;

/** Checks that apply to a request whatever its route: the limits, its size, and what HTTP forbids. Stateless. */
final class RequestCheck {
    private RequestCheck() {}

    /** Why a request is refused; null if it passes. */
    static @Nullable ProxyFault of(ExchangeState exchange) {
        RequestHead request = exchange.head();
        LoopContext loop = exchange.loopContext();
        if (exchange.ofMember()) {
            return ofMember(exchange);
        }
        long max = loop.settings().maxBody();
        ProxyFault limited = loop.proxy().qos().active() ? traffic(exchange) : null;
        if (limited != null) {
            return limited;
        }
        if (max > 0 && request.contentLength() > max) {
            return ProxyFault.BODY_TOO_LARGE;
        }
        if (RequestKinds.loops(request, loop.proxy().name().pseudonym())) {
            return ProxyFault.LOOP;
        }
        return RequestKinds.expectsTheUnknown(request) ? ProxyFault.EXPECTATION : null;
    }

    /** A member's request was checked there already; this one must be able to answer for its client. */
    private static @Nullable ProxyFault ofMember(ExchangeState exchange) {
        MemberRequest member = exchange.member();
        CacheOwners owners = exchange.loopContext().proxy().owners();
        Method method = exchange.head().methodId();
        if (member == null || (method != Method.GET && method != Method.HEAD)) {
            return ProxyFault.MEMBER_REQUEST;
        }
        owners.served();
        return owners.reached(member.purges()) ? null : ProxyFault.MEMBER_BEHIND;
    }

    /** The detail of the refusal. */
    static String detail(ExchangeState exchange, ProxyFault refused) {
        return refused == ProxyFault.LOOP
                ? RequestKinds.loopDetail(exchange.loopContext().proxy().name().pseudonym())
                : "";
    }

    private static @Nullable ProxyFault traffic(ExchangeState exchange) {
        LoopContext loop = exchange.loopContext();
        Traffic traffic = loop.proxy().qos().of(exchange.client().connection(), loop.pacing());
        return switch (traffic.admit(exchange.virtualServer().name())) {
            case PASSES -> null;
            case CONNECTIONS -> ProxyFault.CONNECTION_LIMIT;
            case REQUESTS -> {
                exchange.run().retryAfter(traffic.waitNanos());
                yield ProxyFault.REQUEST_RATE;
            }
        };
    }
}
