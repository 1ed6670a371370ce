package io.weir.proxy.pool;

import io.weir.base.Knob;

/** How the requests of a session reach the server that has the session. Immutable. */
public record StickyConfig(
        @Knob(
                doc = "Whether sessions stick to servers. Off balances better and suits stateless applications.",
                value = "on",
                dynamic = true,
                watch = "weir_origin_sticky_total")
        boolean enabled,

        @Knob(
                doc = "The application's session cookies, separated by commas. When an answer sets one, the route"
                        + " cookie is set beside it; in requests, a route after the last colon of its value"
                        + " counts too.",
                value = StickyConfig.COOKIES,
                min = "1",
                max = "256",
                dynamic = true,
                watch = "weir_origin_sticky_total",
                knownAs = "set-origin-server sticky-cookie")
        String cookie,

        @Knob(
                doc = "Parameter of path or query that carries the session where there are no cookies, as value:route.",
                value = "jsessionid",
                min = "1",
                max = "64",
                dynamic = true,
                watch = "weir_origin_sticky_total",
                knownAs = "set-origin-server sticky-param")
        String param,

        @Knob(
                doc = "Request field that carries the route; the server gets its own route in it and can write it into"
                        + " its links.",
                value = "Proxy-jroute",
                min = "1",
                max = "64",
                dynamic = true,
                watch = "weir_origin_sticky_total",
                knownAs = "set-origin-server route-hdr")
        String routeHeader,

        @Knob(
                doc = "Cookie in which clients keep the route.",
                value = "JROUTE",
                min = "1",
                max = "64",
                dynamic = true,
                watch = "weir_origin_sticky_total",
                knownAs = "set-origin-server route-cookie")
        String routeCookie) {
    /** The default of servlet containers: the session's cookie, and that of single sign-on. */
    public static final String COOKIES = "JSESSIONID, JSESSIONIDSSO";
}
