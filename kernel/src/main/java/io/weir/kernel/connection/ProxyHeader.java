package io.weir.kernel.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import io.netty.handler.codec.haproxy.HAProxySSLTLV;
import io.weir.base.Network;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Reads and removes the PROXY header at the start of a connection (the PROXY protocol, versions 1 and 2, as HAProxy
 * specifies it); the connection's client is then the one that the header names. The protocol is not auto-detected: a
 * connection without a header is closed. The header must arrive within the accept time-out. Confined to the
 * connection's muxer; removed once the header is read.
 */
final class ProxyHeader extends SimpleChannelInboundHandler<HAProxyMessage> {
    /** Bytes of extensions (version 2) that are read and ignored; a header with more is malformed. */
    private static final int MAX_EXTENSIONS = 2048;

    private final Connection connection;
    private final ConnectionParts parts;
    private final Runnable ready;
    private boolean refused;

    private ProxyHeader(Connection connection, ConnectionParts parts, Runnable ready) {
        this.connection = connection;
        this.parts = parts;
        this.ready = ready;
    }

    /** Installs the header's decoder, or closes a connection from an untrusted peer. */
    static void install(Connection connection, ChannelPipeline pipeline, ConnectionParts parts, Runnable ready) {
        Listener listener = connection.listener();
        InetAddress peer = connection.remote().getAddress();
        if (!Network.anyContains(listener.proxies(), peer.getAddress())) {
            parts.kernel().log().log(KernelMessages.PROXY_UNTRUSTED, listener.name(), peer.getHostAddress());
            refuse(connection, parts, "untrusted");
            return;
        }
        pipeline.addLast("proxy-header", new HAProxyMessageDecoder(MAX_EXTENSIONS, true));
        pipeline.addLast("proxy-client", new ProxyHeader(connection, parts, ready));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HAProxyMessage header) {
        InetSocketAddress client = client(header);
        if (client != null && !parts.announced().test(connection, client)) {
            refuse(connection, parts, "address-limit");
            return;
        }
        if (client != null && encrypted(header)) {
            connection.announceSecure();
        }
        parts.kernel()
                .stats()
                .counter(KernelStats.PROXY_HEADERS, connection.listener().name(), client == null ? "own" : "client")
                .inc();
        // the next handlers are installed behind this one before the decoder passes on the bytes after the header
        ready.run();
        ctx.pipeline().remove(this);
    }

    /**
     * The client's address; null if the connection is the balancer's own (LOCAL), or the header does not name an IP
     * address.
     */
    private static @Nullable InetSocketAddress client(HAProxyMessage header) {
        AddressFamily family = header.proxiedProtocol().addressFamily();
        boolean proxied = header.command() == HAProxyCommand.PROXY
                && (family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6);
        String address = header.sourceAddress();
        return proxied && address != null
                ? new InetSocketAddress(InetAddress.ofLiteral(address), header.sourcePort())
                : null;
    }

    /** Whether the client uses TLS to the balancer. */
    private static boolean encrypted(HAProxyMessage header) {
        return header.tlvs().stream().anyMatch(t -> t instanceof HAProxySSLTLV tls && tls.isPP2ClientSSL());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            ctx.fireExceptionCaught(cause);
            return;
        }
        if (refused) {
            // the decoder reports the fault again when the connection ends
            return;
        }
        refused = true;
        Listener listener = connection.listener();
        Throwable why = cause.getCause() == null ? cause : cause.getCause();
        parts.kernel()
                .log()
                .log(
                        KernelMessages.PROXY_MALFORMED,
                        listener.name(),
                        connection.remote(),
                        String.valueOf(why.getMessage()));
        refuse(connection, parts, "malformed");
    }

    private static void refuse(Connection connection, ConnectionParts parts, String reason) {
        parts.kernel()
                .stats()
                .counter(KernelStats.PROXY_REFUSED, connection.listener().name(), reason)
                .inc();
        connection.close();
    }
}
