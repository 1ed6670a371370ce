package io.weir.kernel.listen;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.kernel.tls.TlsConfig;

/** An entry of {@code listeners}: where connections are accepted and how. Immutable. */
public record ListenerConfig(
        @Knob(
                doc = "Address to listen on; 0.0.0.0 or :: for all of the machine's. Loopback is seen by this machine"
                        + " only.",
                value = "127.0.0.1",
                unwatched = Unwatched.NAME,
                knownAs = "ListenSocket address",
                dynamic = true)
        String address,

        @Knob(
                doc = "TCP port; 0 takes a free one and prints it.",
                value = "8080",
                min = "0",
                max = "65535",
                unwatched = Unwatched.NAME,
                knownAs = "ListenSocket port",
                dynamic = true)
        int port,

        @Knob(
                doc = "Protocol of the listener: http for the proxy, weir for messaging (docs/wire.md), cache for the"
                        + " caches of the cluster's other members (docs/cluster-cache.md).",
                value = "http",
                unwatched = Unwatched.MEANING,
                knownAs = "protocol of a network channel",
                dynamic = true)
        ListenerProtocol protocol,

        @Knob(
                doc = "Connections that the operating system queues until they are accepted, capped by"
                        + " net.core.somaxconn (4096 on Linux). A longer queue absorbs a burst; a client that does"
                        + " not fit retries after a second. Queued connections cost little, but the last one of a"
                        + " long queue waits for all before it."
                        + " Rule of thumb: the connections that arrive in a second.",
                value = "4096",
                unit = "connections",
                min = "1",
                max = "65535",
                watch = {"weir_listener_backlog_drops_total", "weir_listener_backlog", "weir_listener_backlog_limit"},
                knownAs = "ListenQ",
                dynamic = true)
        int backlog,

        @Knob(
                doc = "Threads that accept. One accepts tens of thousands a second; more help only with floods of"
                        + " connections without keep-alive."
                        + " Rule of thumb: 1.",
                value = "1",
                unit = "threads",
                min = "1",
                max = "64",
                watch = "weir_listener_accepted_total",
                knownAs = "Concurrency, acceptor-threads",
                dynamic = true)
        int acceptors,

        @Knob(
                doc = "The operating system's send buffer for each connection; 0 lets it decide and adapt."
                        + " Set it when a few connections over a long, fast path do not fill it: bandwidth times"
                        + " round trip is more than the system's maximum. Each connection may then cost this much"
                        + " kernel memory. Rule of thumb: 0.",
                value = "0",
                max = "64MiB",
                watch = {"weir_connection_write_pauses_total", "weir_http_sent_bytes_total"},
                knownAs = "SndBufSize",
                dynamic = true)
        ByteSize sendBuffer,

        @Knob(
                doc = "The operating system's receive buffer for each connection; 0 lets it decide and adapt."
                        + " Set it when uploads over a long, fast path do not fill it: bandwidth times round trip"
                        + " is more than the system's maximum. Each connection may then cost this much kernel"
                        + " memory. Rule of thumb: 0.",
                value = "0",
                max = "64MiB",
                watch = "weir_http_received_bytes_total",
                knownAs = "RcvBufSize",
                dynamic = true)
        ByteSize receiveBuffer,

        @Knob(
                doc = "Virtual server for requests whose host matches no virtual server.",
                value = "default",
                unwatched = Unwatched.NAME,
                knownAs = "default-virtual-server",
                dynamic = true)
        String virtualServer,

        @Knob(doc = "Whether a load balancer in front of this listener passes the clients' addresses.", dynamic = true)
        ProxyProtocolConfig proxyProtocol,

        @Knob(
                doc = "Whether clients may, or must, use HTTP/2 without TLS, by starting with its preface (prior"
                        + " knowledge). With TLS, tls.alpn decides.",
                value = "allowed",
                watch = "weir_http2_connections_total",
                dynamic = true)
        PlainHttp2 http2,

        @Knob(doc = "TLS; on when certificates are given.", dynamic = true)
        TlsConfig tls,

        @Knob(doc = "Bounds on its traffic.", dynamic = true)
        TrafficLimits limits) {

    /** This configuration without traffic limits, which can change while the listener is open. */
    public ListenerConfig unlimited() {
        return new ListenerConfig(
                address,
                port,
                protocol,
                backlog,
                acceptors,
                sendBuffer,
                receiveBuffer,
                virtualServer,
                proxyProtocol,
                http2,
                tls,
                TrafficLimits.NONE);
    }

    /** The configured address with a port, as in a URL. */
    public String place(int realPort) {
        return (address.indexOf(':') < 0 || address.charAt(0) == '[' ? address : "[" + address + "]") + ":" + realPort;
    }

    /** Whether connections start with a TLS handshake. */
    public boolean secure() {
        return tls.enabled();
    }
}
