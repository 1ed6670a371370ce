package io.weir.kernel;

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
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one listener. Shared by its connections, which take the certificates as they are when the client's hello is read;
 * changed under a lock by the watch and the administration. The handlers that it makes are confined to their muxers.
 */
final class ServerTls implements ListenerTls {
    private static final int LARGEST_HELLO = 16 * 1024;

    private final String listener;
    private final TlsConfig config;
    private final SslProvider provider;
    private final Kernel kernel;
    private final ReentrantLock lock = new ReentrantLock();
    private final HalfOpen handshakes;
    private final AtomicLong[] retired = {new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong()};
    private final Counter refused;
    private final Counter stapled;
    private final CertificateExpiry expiry;
    private final @Nullable TicketKeys tickets;
    private volatile TlsSet current;
    private final TlsFiles files;
    private boolean closed;

    /**
     * Loads certificates and keys.
     *
     * @throws TlsFault when they cannot be used
     */
    ServerTls(String listener, TlsConfig config, Kernel kernel) throws TlsFault {
        this.listener = listener;
        this.config = config;
        this.kernel = kernel;
        this.provider = TlsProviders.choose(config.provider(), "channel \"" + listener + "\"", kernel.log());
        this.tickets = provider == SslProvider.JDK
                ? null
                : new TicketKeys(config, shared(), kernel.clock().nanos());
        this.files = new TlsFiles(listener, TlsSetup.files(config), config.reloadInterval(), kernel);
        this.current = TlsSetup.load(listener, config, provider, kernel);
        if (tickets != null) {
            current.apply(tickets);
        }
        Stats stats = kernel.stats();
        this.handshakes =
                new HalfOpen(config::maxHandshakes, kernel.clock(), stats.counter(KernelStats.TLS_GIVEN_UP, listener));
        this.refused = stats.counter(KernelStats.TLS_REFUSED, listener);
        this.stapled = stats.counter(KernelStats.TLS_STAPLED, listener);
        this.expiry = new CertificateExpiry(listener, kernel);
    }

    @Override
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
    }

    private @Nullable SharedTickets shared() {
        Path file = kernel.tickets();
        return file == null ? null : new SharedTickets(file, listener, config);
    }

    /** What BoringSSL counts of tickets, in the order of their labels. */
    private static final class Tickets {
        static final List<String> EVENTS = List.of("issued", "accepted", "renewed", "unknown");
        static final List<ToLongFunction<OpenSslSessionStats>> READ = List.of(
                OpenSslSessionStats::ticketKeyNew,
                OpenSslSessionStats::ticketKeyResume,
                OpenSslSessionStats::ticketKeyRenew,
                OpenSslSessionStats::ticketKeyFail);
    }

    private long tickets(int event) {
        return retired[event].get() + current.sum(Tickets.READ.get(event));
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline, Runnable ready) {
        // nobody tells from elsewhere who of the two is waited for: what the machine computes takes less than the
        // patience
        HalfOpen.Place place = handshakes.enter(connection.remote().getAddress(), () -> true, connection::reset);
        if (!handshakes.room(place)) {
            place.leave();
            refused.inc();
            kernel.log().log(KernelMessages.TLS_HANDSHAKES_FULL, config.maxHandshakes(), listener);
            connection.reset();
            return;
        }
        Handshake handshake = new Handshake(connection, ready, place::leave);
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

    /** Its own time-out is off: the kernel's deadline counts from accept, the hello included. */
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

    /** Waits for the client's hello and replaces itself by the TLS handler for the name in it. */
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
        boolean distrusts = TlsSetup.trustFiles(config).stream().anyMatch(changed::contains);
        replace(TlsSetup.load(listener, config, provider, kernel), distrusts);
        return current.byPlace();
    }

    /** From here on handshakes get the new ones; the old ones are freed when nobody can be about to use them. */
    private void replace(TlsSet next, boolean distrusts) {
        TlsSet old = current;
        next.keepAnswers(old);
        if (tickets != null) {
            if (distrusts) {
                // a session of a client whom nobody vouches for any more must not be resumed
                tickets.forget(kernel.clock().nanos());
            }
            next.apply(tickets);
        }
        current = next;
        expiry.serve(next.byPlace());
        for (int i = 0; tickets != null && i < retired.length; i++) {
            retired[i].addAndGet(old.sum(Tickets.READ.get(i)));
        }
        Quiescence.after(kernel.muxers(), old::release);
    }

    @Override
    public void look() {
        TlsSet now;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            filesAndKeys(kernel.clock().nanos());
            expiry.look(current.byPlace());
            now = current;
        } finally {
            lock.unlock();
        }
        // a responder may be slow: nobody else waits for it
        now.served().forEach(s -> {
            if (s.staple() != null) {
                s.staple().look();
            }
        });
    }

    private void filesAndKeys(long time) {
        if (files.due(time)) {
            files.load(this::load);
        }
        if (tickets != null && tickets.turn(time)) {
            current.apply(tickets);
        }
    }

    @Override
    public List<CertificateReport> certificates() {
        return current.served().stream()
                .map(s -> CertificateReport.of(listener, s.place(), s.leaf(), s.staple()))
                .toList();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                current.release();
            }
        } finally {
            lock.unlock();
        }
    }
}
