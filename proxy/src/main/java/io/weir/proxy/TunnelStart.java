package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.weir.base.Counter;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.ResponseHead;
import io.weir.http.Version;
import io.weir.kernel.Deadline;
import io.weir.proxy.http2.WebSocketHandshake;
import io.weir.proxy.origins.OriginKey;
import io.weir.proxy.program.ProxyFault;
import java.util.function.BiConsumer;

/** Opens tunnels: for CONNECT (RFC 9110 section 9.3.6) and after 101 (section 7.8). Stateless. */
final class TunnelStart {
    private TunnelStart() {}

    /** Connects to the host and port that a CONNECT names. */
    static void connect(Exchange exchange) {
        OriginKey origin = Upstreams.named(exchange.run());
        LoopContext loop = exchange.loopContext();
        if (origin == null) {
            exchange.fail(ProxyFault.URL_MALFORMED, "");
            return;
        }
        if (full(loop)) {
            exchange.fail(ProxyFault.OVERLOAD, "all tunnels are in use");
            return;
        }
        exchange.record().route("DIRECT");
        Wanted wanted = new Wanted(exchange, origin);
        loop.deadlines().arm(wanted.timer, Upstreams.times(exchange).borrow());
        loop.pool().borrow(origin, wanted);
    }

    /** The connection that a CONNECT waits for. Confined to the muxer; lives until there is one or it failed. */
    private static final class Wanted implements OriginPool.Borrower {
        private final Exchange exchange;
        private final OriginKey origin;
        private final Client client;
        private final LoopContext loop;
        private final DestinationGuard guard;
        private final Deadline timer = Deadline.of(this::tooLate);
        private boolean connecting;
        private boolean over;

        Wanted(Exchange exchange, OriginKey origin) {
            this.exchange = exchange;
            this.origin = origin;
            this.client = exchange.client();
            this.loop = exchange.loopContext();
            this.guard = DestinationGuard.of(exchange);
        }

        @Override
        public void ready(OriginConnection connection, boolean fresh) {
            end();
            exchange.record().originAnswered(200);
            ByteBuf out = client.alloc().directBuffer(64);
            Encoder.statusLine(out, Version.HTTP_1_1, 200, "Connection established");
            Encoder.endOfHead(out);
            exchange.response().tunnelHead(200, out);
            open(exchange, client, connection, loop.counters().connectTunnels);
        }

        @Override
        public void unavailable(OriginFault fault, String detail) {
            if (over) {
                return;
            }
            end();
            loop.counters().fault(fault);
            loop.originFailed(origin, fault, detail);
            if (exchange.serves(client)) {
                exchange.record().originFailed(OriginFault.late(fault) ? "TIMEOUT" : "INTR");
                exchange.fail(ErrorAnswers.of(fault), detail);
                exchange.flushOut();
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
            return cancelled() ? 0 : Upstreams.times(exchange).connect();
        }

        private void tooLate() {
            unavailable(connecting ? OriginFault.CONNECT_TIMEOUT : OriginFault.POOL_FULL, "no connection in time");
        }

        private void end() {
            over = true;
            loop.deadlines().disarm(timer);
        }
    }

    /** The origin agreed to change the protocol: its 101 is relayed, then bytes pass. */
    static void switched(Exchange exchange, ResponseHead answer) {
        Fetch fetch = exchange.fetch();
        OriginConnection connection = fetch == null ? null : fetch.connection();
        if (fetch == null || connection == null) {
            exchange.fail(ProxyFault.ORIGIN_RESET, "");
            return;
        }
        if (full(exchange.loopContext())) {
            exchange.fail(ProxyFault.OVERLOAD, "all tunnels are in use");
            return;
        }
        Client client = exchange.client();
        if (client instanceof ClientStream && !accepted(exchange, answer)) {
            exchange.fail(ProxyFault.ORIGIN_MALFORMED, "the origin did not accept the WebSocket");
            return;
        }
        exchange.response().switching(answer);
        fetch.detached();
        open(exchange, client, connection, exchange.loopContext().counters().upgradeTunnels);
    }

    /** A client of HTTP/2 gave no key, so it is Weir who checks what became of it. */
    private static boolean accepted(Exchange exchange, ResponseHead answer) {
        return WebSocketHandshake.accepted(
                exchange.head().fields().first(FieldName.SEC_WEBSOCKET_KEY),
                answer.fields().first(FieldName.SEC_WEBSOCKET_ACCEPT));
    }

    /** Whether an answer would tell a client that its extended CONNECT had succeeded, which it has not. */
    static boolean misleads(Exchange exchange, int status) {
        return status / 100 == 2 && exchange.client() instanceof ClientStream s && s.switches();
    }

    private static boolean full(LoopContext loop) {
        return loop.counters().tunnelsOpen.get() >= loop.settings().tunnels();
    }

    private static void open(Exchange exchange, Client client, OriginConnection origin, Counter counter) {
        LoopContext loop = exchange.loopContext();
        counter.inc();
        loop.counters().tunnelsOpen.incrementAndGet();
        Channel originChannel = origin.channel();
        client.response().outbox().flush();
        exchange.tunnelling();
        BiConsumer<Long, Long> closed = (up, down) -> {
            loop.counters().tunnelsOpen.decrementAndGet();
            exchange.tunnelClosed(up, down);
        };
        switch (client) {
            case ClientConnection c -> {
                boolean ended = c.inputClosed();
                ByteBuf fromClient = c.detach();
                Tunnel tunnel = new Tunnel(loop, c.channel(), originChannel, closed);
                c.connection().onDrain(tunnel::close);
                tunnel.start(fromClient, origin.detach(), ended);
            }
            case ClientStream s -> s.tunnel(new StreamTunnel(loop, s, originChannel, closed), origin.detach());
        }
    }
}
