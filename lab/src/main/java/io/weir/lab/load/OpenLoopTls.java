package io.weir.lab.load;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * A TLS connection on which HTTP/2 was agreed, without an event loop, so that its owner can spin; the same TLS library
 * as Weir's, any certificate is trusted. Confined to its owner's thread; lives until closed.
 */
final class OpenLoopTls implements AutoCloseable {
    private static final int BUFFER = 65536;
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);
    private static final SslContext TRUSTING = trusting();

    private final SocketChannel channel;
    private final SSLEngine engine;
    /** What was read and not yet decrypted, from 0 to its position. */
    private final ByteBuffer received = ByteBuffer.allocateDirect(BUFFER);

    private final ByteBuffer sent = ByteBuffer.allocateDirect(BUFFER);

    private OpenLoopTls(SocketChannel channel, SSLEngine engine) {
        this.channel = channel;
        this.engine = engine;
    }

    private static SslContext trusting() {
        try {
            return SslContextBuilder.forClient()
                    .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK)
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm(null)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            List.of(ApplicationProtocolNames.HTTP_2)))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS", e);
        }
    }

    /**
     * Connects and shakes hands.
     *
     * @throws IOException also if HTTP/2 is not agreed on
     */
    static OpenLoopTls open(int port) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        OpenLoopTls tls = new OpenLoopTls(channel, TRUSTING.newEngine(ByteBufAllocator.DEFAULT));
        try {
            tls.shakeHands();
            if (!ApplicationProtocolNames.HTTP_2.equals(tls.engine.getApplicationProtocol())) {
                throw new IOException("the server does not agree on HTTP/2");
            }
            channel.configureBlocking(false);
            return tls;
        } catch (IOException e) {
            tls.close();
            throw e;
        }
    }

    private void shakeHands() throws IOException {
        ByteBuffer none = ByteBuffer.allocateDirect(BUFFER);
        engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> write(NOTHING);
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrap(none) && channel.read(received) < 0) {
                        throw new IOException("the server ends the handshake");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
    }

    /** Registers for bytes to read. */
    void register(Selector selector, Object attachment) throws IOException {
        channel.register(selector, SelectionKey.OP_READ, attachment);
    }

    /** Reads the available bytes, which {@link #unwrap} decrypts. */
    void read() throws IOException {
        if (channel.read(received) < 0) {
            throw new IOException("the server closed a connection that is kept");
        }
    }

    /** Decrypts a record; returns false if none was complete. */
    boolean unwrap(ByteBuffer into) throws IOException {
        received.flip();
        SSLEngineResult result = engine.unwrap(received, into);
        received.compact();
        return switch (result.getStatus()) {
            case CLOSED -> throw new IOException("the server closed a connection that is kept");
            case BUFFER_OVERFLOW -> throw new IOException("a record of more than " + into.remaining() + " bytes");
            default -> result.bytesConsumed() > 0 || result.bytesProduced() > 0;
        };
    }

    /** Encrypts and sends all of it; waits for room while the server does not read. */
    void write(ByteBuffer bytes) throws IOException {
        do {
            sent.clear();
            SSLEngineResult result = engine.wrap(bytes, sent);
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                throw new IOException("TLS cannot send: " + result);
            }
            sent.flip();
            while (sent.hasRemaining()) {
                channel.write(sent);
            }
        } while (bytes.hasRemaining());
    }

    @Override
    public void close() throws IOException {
        channel.close();
        ReferenceCountUtil.release(engine);
    }
}
