package io.weir.proxy.pool;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import org.jspecify.annotations.Nullable;

/** A server of a pool. Immutable. */
public record PoolServerConfig(
        @Knob(
                doc = "Its URL: scheme, host, port. Every address of a host name is a server of its own.",
                required = true,
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "set-origin-server server")
        String url,

        @Knob(
                doc = "Its share of the requests beside the others': twice the weight, twice the requests.",
                value = "1",
                min = "1",
                max = "1000",
                dynamic = true,
                watch = "weir_origin_requests_total")
        int weight,

        @Knob(
                doc =
                        "The name that it is asked for in TLS (SNI), and that its certificate must be for: where the URL has an"
                                + " address, or a name that only this network knows. None: the URL's host.",
                dynamic = true,
                watch = "weir_proxy_origin_tls_failures_total")
        @Nullable
        String serverName) {}
