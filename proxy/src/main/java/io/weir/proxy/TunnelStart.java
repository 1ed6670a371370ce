package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.weir.base.Counter;
import io.weir.http.Encoder;
import io.weir.http.ResponseHead;
import io.weir.http.Version;
import io.weir.proxy.program.ProxyFault;
import java.net.InetAddress;

/** Opens tunnels: for CONNECT (RFC 9110 section 9.3.6) and after 101 (section 7.8). Stateless. */
final class TunnelStart {
    private TunnelStart() {}

    /** Connects to the host and port that a CONNECT names. */
    static void connect(Exchange exchange) {
        OriginKey origin = Upstreams.named(exchange.head());
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
        ClientConnection client = exchange.client();
        InetAddress address = exchange.clientAddress();
        var destinations = exchange.run().program().destinations();
        loop.pool().borrow(origin, true, new OriginPool.Borrower() {
            @Override
            public void ready(OriginConnection connection, boolean fresh) {
                exchange.record().originAnswered(200);
                ByteBuf out = client.channel().alloc().directBuffer(64);
                Encoder.statusLine(out, Version.HTTP_1_1, 200, "Connection established");
                Encoder.endOfHead(out);
                exchange.response().tunnelHead(200, out);
                open(exchange, client, connection, loop.counters().connectTunnels);
            }

            @Override
            public void unavailable(OriginFault fault, String detail) {
                loop.counters().fault(fault);
                if (exchange.serves(client)) {
                    exchange.fail(ErrorAnswers.of(fault), detail);
                    exchange.flushOut();
                }
            }

            @Override
            public boolean cancelled() {
                return !exchange.serves(client);
            }

            @Override
            public boolean allows(InetAddress resolved) {
                return destinations.address(resolved, address) == null;
            }
        });
    }

    /** The origin agreed to change the protocol: its 101 is relayed, then bytes pass. */
    static void switched(Exchange exchange, ResponseHead answer) {
        Fetch fetch = exchange.fetch();
        OriginConnection connection = fetch == null ? null : fetch.connection();
        if (connection == null || !exchange.upgrades() || full(exchange.loopContext())) {
            exchange.fail(ProxyFault.ORIGIN_MALFORMED, "the origin changed the protocol without being asked");
            return;
        }
        ClientConnection client = exchange.client();
        exchange.response().switching(answer);
        fetch.detached();
        open(exchange, client, connection, exchange.loopContext().counters().upgradeTunnels);
    }

    private static boolean full(LoopContext loop) {
        return loop.counters().tunnelsOpen.get() >= loop.settings().tunnels();
    }

    private static void open(Exchange exchange, ClientConnection client, OriginConnection origin, Counter counter) {
        LoopContext loop = exchange.loopContext();
        counter.inc();
        loop.counters().tunnelsOpen.incrementAndGet();
        Channel clientChannel = client.channel();
        Channel originChannel = origin.channel();
        client.response().outbox().flush();
        exchange.tunnelling();
        ByteBuf fromClient = client.detach();
        ByteBuf fromOrigin = origin.detach();
        Tunnel tunnel = new Tunnel(loop, clientChannel, originChannel, (up, down) -> {
            loop.counters().tunnelsOpen.decrementAndGet();
            exchange.tunnelClosed(up, down);
        });
        client.connection().onDrain(tunnel::close);
        tunnel.start(fromClient, fromOrigin);
    }
}
