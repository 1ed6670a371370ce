package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.weir.base.Counter;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.ResponseHead;
import io.weir.http.Version;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.http2.WebSocketHandshake;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.upstream.Borrower;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.OriginConnection;
import io.weir.proxy.upstream.OriginConnector;
import io.weir.proxy.upstream.OriginFault;
import org.jspecify.annotations.Nullable;

/**
 * Opens tunnels: for CONNECT (RFC 9110 section 9.3.6) and after 101 (section 7.8). Owned by one exchange, confined to its
 * muxer.
 */
final class TunnelStart {
    /** The owner whose request becomes a tunnel. */
    interface Owner {
        /** Bytes are passed through from now on. */
        void tunnelling();

        /** The tunnel is closed. */
        void tunnelClosed(long fromClient, long fromOrigin);
    }

    private final ExchangeState exchange;
    private final LoopContext loop;
    private final Owner owner;
    private final ExchangeCallbacks callbacks;

    TunnelStart(ExchangeState exchange, Owner owner, ExchangeCallbacks callbacks) {
        this.exchange = exchange;
        this.loop = exchange.loopContext();
        this.owner = owner;
        this.callbacks = callbacks;
    }

    /** Connects to the host and port that a CONNECT names. */
    void connect() {
        OriginKey origin = OriginRequests.named(exchange.run());
        if (origin == null) {
            callbacks.fail(ProxyFault.URL_MALFORMED, "");
            return;
        }
        if (full()) {
            callbacks.fail(ProxyFault.OVERLOAD, "all tunnels are in use");
            return;
        }
        exchange.record().route("DIRECT");
        Wanted wanted = new Wanted(origin);
        loop.deadlines().arm(wanted.timer, OriginRequests.times(exchange).borrow());
        exchange.upstream().pool().borrow(origin, wanted);
    }

    /** A proxy behind this one has connected to the host that a CONNECT names. */
    void connected(@Nullable Fetch fetch, int status) {
        OriginConnection connection = fetch == null ? null : fetch.connection();
        if (fetch == null || connection == null) {
            callbacks.fail(ProxyFault.ORIGIN_RESET, "");
        } else if (full()) {
            callbacks.fail(ProxyFault.OVERLOAD, "all tunnels are in use");
        } else {
            exchange.record().fetched(fetch);
            exchange.record().originAnswered(status);
            fetch.detached();
            established(connection);
        }
    }

    private void established(OriginConnection connection) {
        Client client = exchange.client();
        ByteBuf out = client.alloc().directBuffer(64);
        Encoder.statusLine(out, Version.HTTP_1_1, 200, "Connection established");
        Encoder.endOfHead(out);
        exchange.response().tunnelHead(200, out);
        open(client, connection, loop.counters().connectTunnels);
    }

    /** The connection that a CONNECT waits for. Confined to the muxer; lives until it is open or has failed. */
    private final class Wanted implements Borrower {
        private final OriginKey origin;
        private final Client client;
        private final DestinationGuard guard;
        private final Deadline timer = Deadline.of(this::timedOut);
        private boolean connecting;
        private boolean over;

        Wanted(OriginKey origin) {
            this.origin = origin;
            this.client = exchange.client();
            this.guard = DestinationGuard.of(exchange);
        }

        @Override
        public void ready(OriginConnection connection, boolean fresh) {
            end();
            exchange.record().originAnswered(200);
            established(connection);
        }

        @Override
        public void unavailable(OriginFault fault, String detail) {
            if (over) {
                return;
            }
            end();
            exchange.upstream().counters().fault(fault);
            exchange.upstream().originFailed(origin, fault, detail);
            if (exchange.serves(client)) {
                exchange.record().originFailed(OriginFault.isTimeOut(fault) ? "TIMEOUT" : "INTR");
                callbacks.fail(fault.answer(), detail);
                callbacks.flushOut();
            }
        }

        @Override
        public boolean cancelled() {
            return over || !exchange.serves(client);
        }

        @Override
        public void resolving(boolean begins) {
            if (!cancelled()) {
                exchange.resolving(begins);
            }
        }

        @Override
        public boolean fresh() {
            return true;
        }

        @Override
        public OriginConnector.AddressRule rule() {
            return guard;
        }

        @Override
        public long connecting() {
            connecting = true;
            return cancelled() ? 0 : OriginRequests.times(exchange).connect();
        }

        private void timedOut() {
            unavailable(connecting ? OriginFault.CONNECT_TIMEOUT : OriginFault.POOL_FULL, "no connection in time");
        }

        private void end() {
            over = true;
            loop.deadlines().disarm(timer);
        }
    }

    /** The origin agreed to change the protocol: its 101 is relayed, then bytes are passed through. */
    void switched(@Nullable Fetch fetch, ResponseHead answer) {
        OriginConnection connection = fetch == null ? null : fetch.connection();
        if (fetch == null || connection == null) {
            callbacks.fail(ProxyFault.ORIGIN_RESET, "");
            return;
        }
        if (full()) {
            callbacks.fail(ProxyFault.OVERLOAD, "all tunnels are in use");
            return;
        }
        Client client = exchange.client();
        if (client.extendedConnect() && !accepted(answer)) {
            callbacks.fail(ProxyFault.ORIGIN_MALFORMED, "the origin did not accept the WebSocket handshake");
            return;
        }
        exchange.response().switching(answer);
        fetch.detached();
        open(client, connection, loop.counters().upgradeTunnels);
    }

    /** An HTTP/2 client sent no key, so Weir itself verifies the handshake. */
    private boolean accepted(ResponseHead answer) {
        return WebSocketHandshake.accepted(
                exchange.head().fields().first(FieldName.SEC_WEBSOCKET_KEY),
                answer.fields().first(FieldName.SEC_WEBSOCKET_ACCEPT));
    }

    /** Whether an answer would falsely tell a client that its extended CONNECT had succeeded. */
    static boolean misleads(ExchangeState exchange, int status) {
        return status / 100 == 2 && exchange.client().extendedConnect();
    }

    private boolean full() {
        return loop.counters().tunnelsOpen.get() >= loop.settings().tunnels();
    }

    private void open(Client client, OriginConnection origin, Counter counter) {
        counter.inc();
        loop.counters().tunnelsOpen.incrementAndGet();
        client.response().outbox().flush();
        owner.tunnelling();
        client.tunnel(origin.channel(), origin.detach(), (up, down) -> {
            loop.counters().tunnelsOpen.decrementAndGet();
            owner.tunnelClosed(up, down);
        });
    }
}
