package io.weir.kernel.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.OpenSslSessionStats;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.Mapping;
import io.weir.base.Counter;
import io.weir.base.HalfOpen;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one listener. Shared by its connections, which use the certificates current when the ClientHello is read;
 * changed under a lock by the watch and the administration. The handlers that it creates are confined to their muxers.
 */
public final class ServerTls implements CertificateOwner {
    private static final int LARGEST_HELLO = 16 * 1024;

    private final String listener;
    private final TlsConfig config;
    private final SslProvider provider;
    private final TlsParts parts;
    private final KernelContext kernel;
    private final ReentrantLock lock = new ReentrantLock();
    private final HalfOpen handshakes;
    private final Counter refused;
    private final Counter stapled;
    private final CertificateExpiry expiry;
    private final @Nullable TicketKeys tickets;
    private volatile TlsSet current;
    private volatile Counting counting;
    private final TlsFiles files;
    private boolean closed;

    /**
     * Loads certificates and keys.
     *
     * @throws TlsFault if they cannot be used
     */
    public ServerTls(String listener, TlsConfig config, TlsParts parts) throws TlsFault {
        this.listener = listener;
        this.config = config;
        this.parts = parts;
        this.kernel = parts.kernel();
        this.provider = TlsProviders.choose(config.provider(), "channel \"" + listener + "\"", kernel.log());
        this.tickets = provider == SslProvider.JDK
                ? null
                : new TicketKeys(config, shared(), kernel.clock().nanos());
        this.files = new TlsFiles(listener, TlsSetup.files(config), config.reloadInterval(), kernel);
        this.current = TlsSetup.load(listener, config, provider, kernel);
        this.counting = new Counting(current, List.of(0L, 0L, 0L, 0L));
        if (tickets != null) {
            current.apply(tickets);
        }
        Stats stats = kernel.stats();
        this.handshakes =
                new HalfOpen(config::maxHandshakes, kernel.clock(), stats.counter(KernelStats.TLS_EVICTED, listener));
        this.refused = stats.counter(KernelStats.TLS_REFUSED, listener);
        this.stapled = stats.counter(KernelStats.TLS_STAPLED, listener);
        stats.counter(KernelStats.TLS_RESUMED, listener);
        stats.begin(KernelStats.TLS_RELOADS, listener);
        this.expiry = new CertificateExpiry(listener, kernel);
    }

    /** Declares its statistics and starts watching its files; called before its listener accepts. */
    public void serve() {
        Stats stats = kernel.stats();
        stats.gauge(KernelStats.TLS_OPEN, handshakes::size, listener);
        Map<String, X509Certificate> shown = current.byPlace();
        expiry.serve(shown);
        files.begin(shown);
        if (tickets != null) {
            for (int i = 0; i < Tickets.EVENTS.size(); i++) {
                int event = i;
                stats.counter(KernelStats.TLS_TICKETS, () -> tickets(event), listener, Tickets.EVENTS.get(i));
            }
        }
        parts.watch().watch(this);
    }

    /** Stops watching its files, because its listener was removed. */
    public void retire() {
        parts.watch().forget(this);
    }

    private @Nullable SharedTickets shared() {
        Path file = parts.tickets();
        return file == null ? null : new SharedTickets(file, listener, config);
    }

    /** BoringSSL's ticket counters, in the order of their labels. */
    private static final class Tickets {
        static final List<String> EVENTS = List.of("issued", "accepted", "renewed", "unknown");
        static final List<ToLongFunction<OpenSslSessionStats>> READ = List.of(
                OpenSslSessionStats::ticketKeyNew,
                OpenSslSessionStats::ticketKeyResume,
                OpenSslSessionStats::ticketKeyRenew,
                OpenSslSessionStats::ticketKeyFail);
    }

    /**
     * The current source of ticket counts, and the counts of former sources: each context has its own counts, and those
     * of a freed one are kept. Immutable.
     */
    private static final class Counting {
        private final @Nullable TlsSet now;
        private final List<Long> before;

        Counting(@Nullable TlsSet now, List<Long> before) {
            this.now = now;
            this.before = before;
        }

        long value(int event) {
            return before.get(event) + (now == null ? 0 : now.sum(Tickets.READ.get(event)));
        }

        Counting then(@Nullable TlsSet next) {
            return new Counting(
                    next,
                    IntStream.range(0, before.size()).mapToObj(this::value).toList());
        }
    }

    private long tickets(int event) {
        while (true) {
            Counting of = counting;
            long value = of.value(event);
            // a set replaced concurrently may have been freed: its sum is invalid
            if (of == counting) {
                return value;
            }
        }
    }

    /** Adds the TLS handlers to a connection's pipeline. Call on its muxer. */
    public void install(TlsConnection connection) {
        ChannelPipeline pipeline = connection.channel().pipeline();
        // which side a handshake waits for is not known here; the server's own computation takes less than the grace
        // time
        HalfOpen.Place place = handshakes.enter(connection.remote().getAddress(), () -> true, connection::reset);
        if (!handshakes.room(place)) {
            place.leave();
            refused.inc();
            kernel.log().log(KernelMessages.TLS_HANDSHAKES_FULL, config.maxHandshakes(), listener);
            connection.reset();
            return;
        }
        TlsHandshake handshake = new TlsHandshake(
                connection, kernel, listener, config.clientAuth() != TlsConfig.ClientAuth.NONE, place::leave);
        if (config.protocols().contains(TlsConfig.Version.TLS_1_2)) {
            pipeline.addLast("records", new RecordWatch(handshake::renegotiates));
        }
        TlsSet now = current;
        if (now.certificates().several()) {
            pipeline.addLast("tls", new Choosing());
        } else {
            pipeline.addLast(
                    "tls",
                    handler(
                            now,
                            now.certificates().first(),
                            connection.channel().alloc()));
        }
        pipeline.addLast("handshake", handshake);
    }

    /** Its own time-out is disabled: the kernel's deadline runs from accept and includes the ClientHello. */
    private SslHandler handler(TlsSet from, SslContext context, ByteBufAllocator alloc) {
        SslHandler handler = context.newHandler(alloc);
        handler.setHandshakeTimeoutMillis(0);
        OcspStaple staple = from.staple(context);
        byte[] answer = staple == null ? null : staple.current();
        if (answer != null && handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
            engine.setOcspResponse(answer);
            stapled.inc();
        }
        return handler;
    }

    /** Waits for the ClientHello, and replaces itself by the TLS handler for its server name. */
    private final class Choosing extends SniHandler {
        Choosing() {
            super((Mapping<String, SslContext>) name -> current.certificates().map(name), LARGEST_HELLO, 0);
        }

        @Override
        protected SslHandler newSslHandler(SslContext context, ByteBufAllocator alloc) {
            return handler(current, context, alloc);
        }
    }

    @Override
    public String owner() {
        return listener;
    }

    @Override
    public TlsReload loaded() {
        return files.last();
    }

    @Override
    public TlsReload reload() {
        lock.lock();
        try {
            return closed
                    ? new TlsReload(kernel.clock().millis(), "the listener is closed", List.of())
                    : files.load(this::load);
        } finally {
            lock.unlock();
        }
    }

    private Map<String, X509Certificate> load(Set<String> changed) throws TlsFault {
        if (tickets != null) {
            tickets.read();
        }
        boolean trustChanged = TlsSetup.trustFiles(config).stream().anyMatch(changed::contains);
        replace(TlsSetup.load(listener, config, provider, kernel), trustChanged);
        return current.byPlace();
    }

    /** New handshakes use the new contexts; the old ones are freed once no handshake can be about to use them. */
    private void replace(TlsSet next, boolean trustChanged) {
        TlsSet old = current;
        next.keepAnswers(old);
        if (tickets != null) {
            if (trustChanged) {
                // a client whose certificate is no longer trusted must not resume its session
                tickets.forget(kernel.clock().nanos());
            }
            next.apply(tickets);
        }
        current = next;
        expiry.serve(next.byPlace());
        counting = counting.then(next);
        parts.afterHandshakes().execute(old::release);
    }

    @Override
    public void maintain() {
        TlsSet now;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            filesAndKeys(kernel.clock().nanos());
            expiry.warn(current.byPlace());
            now = current;
        } finally {
            lock.unlock();
        }
        // a responder may be slow: query it without holding the lock
        now.served().forEach(s -> {
            if (s.staple() != null) {
                s.staple().renew();
            }
        });
    }

    private void filesAndKeys(long time) {
        if (files.due(time)) {
            files.load(this::load);
        }
        if (tickets != null && tickets.rotate(time)) {
            current.apply(tickets);
        }
    }

    @Override
    public List<CertificateReport> certificates() {
        return current.served().stream()
                .map(s -> CertificateReport.of(listener, s.place(), s.leaf(), stapling(s.staple())))
                .toList();
    }

    private static CertificateReport.Stapling stapling(@Nullable OcspStaple staple) {
        return staple == null ? CertificateReport.Stapling.OFF : staple.state();
    }

    /** Frees the provider's native memory; call after the last connection. */
    public void close() {
        retire();
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                counting = counting.then(null);
                current.release();
            }
        } finally {
            lock.unlock();
        }
    }
}
