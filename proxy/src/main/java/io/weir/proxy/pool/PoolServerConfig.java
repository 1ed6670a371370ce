package io.weir.proxy.pool;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import org.jspecify.annotations.Nullable;

/** A server of a pool. Immutable. */
public record PoolServerConfig(
        @Knob(
                doc = "URL of the server: scheme, host, port. Every address of a host name is a separate server.",
                required = true,
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "set-origin-server server")
        String url,

        @Knob(
                doc = "Its share of the requests relative to the other servers: twice the weight, twice the requests."
                        + " Rule of thumb: in proportion to the processors of the servers.",
                value = "1",
                min = "1",
                max = "1000",
                dynamic = true,
                watch = "weir_origin_requests_total")
        int weight,

        @Knob(
                doc = "Name that is sent as SNI and that the server's certificate must match: for URLs with an"
                        + " address or a name local to this network. None: the URL's host.",
                dynamic = true,
                watch = "weir_proxy_origin_tls_failures_total")
        @Nullable
        String serverName) {}
