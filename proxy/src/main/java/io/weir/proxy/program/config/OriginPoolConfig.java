package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;

/** Connections to origins: how many, and how long they are kept. Immutable. */
public record OriginPoolConfig(
        @Knob(
                doc = "Connections to one origin, in use and idle together; further requests wait. Protects origins;"
                        + " too few make requests queue here, behind connections that are busy with slow"
                        + " clients. auto is a sixth of the descriptor limit, at least 1024.",
                value = "auto",
                unit = "connections",
                min = "1",
                max = "65536",
                auto = true,
                dynamic = true,
                watch = {"weir_proxy_origin_connections", "weir_proxy_origin_waiting"},
                knownAs = "MaxConnectionsPerServer")
        int maxConnectionsPerOrigin,

        @Knob(
                doc = "Fetches that may run or wait at a time for requests of one client address; further ones are"
                        + " answered 503. Keeps one client's streams from taking all connections. auto is half"
                        + " of max-connections-per-origin where that is auto, and does not count this machine's"
                        + " own addresses; else no bound. Trusted peers are not counted; 0: no bound.",
                value = "auto",
                unit = "fetches",
                min = "0",
                max = "65536",
                auto = true,
                dynamic = true,
                watch = "weir_proxy_origin_refused_total")
        int maxConnectionsPerAddress,

        @Knob(
                doc = "Requests that may wait for a connection to one origin; further ones are"
                        + " answered 503. Raise it when short bursts are refused; lower it when those that"
                        + " wait are answered too late anyway. Each costs its memory and its client's"
                        + " connection. Rule of thumb: the requests that the origin answers in the time"
                        + " that a client waits.",
                value = "1024",
                unit = "requests",
                min = "0",
                max = "65536",
                dynamic = true,
                watch = {"weir_proxy_origin_waiting", "weir_proxy_origin_refused_total"})
        int maxWaitingPerOrigin,

        @Knob(
                doc = "Idle connections kept, over all origins. Each costs a descriptor here and a connection at the"
                        + " origin."
                        + " Raise it when connections are retired and new ones made all the time. Rule of thumb:"
                        + " the connections in use at the busiest time.",
                value = "1024",
                unit = "connections",
                min = "0",
                max = "65536",
                dynamic = true,
                watch = {"weir_proxy_origin_idle", "weir_proxy_origin_retired_total"},
                knownAs = "MaxIdleServerConnections")
        int maxIdle,

        @Knob(
                doc = "Origins that have a connection pool at a time; the least recently used one is dropped. Bounds"
                        + " the memory that forward proxy clients can make the proxy use."
                        + " Raise it when pools are dropped and made again all the time. Rule of thumb: the hosts"
                        + " that clients request in a minute.",
                value = "4096",
                unit = "origins",
                min = "1",
                max = "65536",
                dynamic = true,
                watch = {"weir_proxy_origin_retired_total", "weir_proxy_origin_refused_total"},
                knownAs = "MaxServers")
        int maxOrigins,

        @Knob(
                doc = "How long an idle connection is kept. A time longer than the origin's own keep-alive causes"
                        + " retries."
                        + " Rule of thumb: a second less than the origins' keep-alive.",
                value = "29s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = {"weir_proxy_origin_retired_total", "weir_proxy_retries_total"},
                knownAs = "http-client-config keep-alive-timeout")
        Duration idleTimeOut,

        @Knob(
                doc = "Requests after which a connection is closed; 0: no bound. Set it when an origin"
                        + " leaks memory by connection, or when a load balancer in front of it must spread"
                        + " connections anew. Each new connection costs round trips, and with TLS a"
                        + " handshake. Rule of thumb: 0, or 1000 and more.",
                value = "0",
                unit = "requests",
                min = "0",
                max = "1000000000",
                dynamic = true,
                watch = "weir_proxy_origin_retired_total")
        int maxUses,

        @Knob(
                doc = "Local address of connections to origins; empty: the system chooses.",
                unwatched = Unwatched.NAME,
                knownAs = "Address")
        @org.jspecify.annotations.Nullable
        String bind) {}
