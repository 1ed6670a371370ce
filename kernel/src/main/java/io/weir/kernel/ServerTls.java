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
import io.weir.base.Stats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
    private final AtomicInteger handshakes = new AtomicInteger();
    private final AtomicLong[] retired = {new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong()};
    private final Counter refused;
    private final Counter stapled;
    private final CertificateExpiry expiry;
    private final @Nullable TicketKeys tickets;
    private volatile TlsSet current;
    private FileMarks marks;
    private long looked;
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
        this.looked = kernel.clock().nanos();
        this.tickets = provider == SslProvider.JDK ? null : new TicketKeys(config, looked);
        this.marks = FileMarks.of(TlsSetup.files(config));
        this.current = TlsSetup.load(listener, config, provider, kernel);
        if (tickets != null) {
            current.apply(tickets);
        }
        Stats stats = kernel.stats();
        this.refused = stats.counter(KernelStats.TLS_REFUSED, listener);
        this.stapled = stats.counter(KernelStats.TLS_STAPLED, listener);
        stats.gauge(KernelStats.TLS_OPEN, handshakes::get, listener);
        this.expiry = new CertificateExpiry(listener, kernel);
        expiry.serve(current);
        if (tickets != null) {
            for (int i = 0; i < Tickets.EVENTS.size(); i++) {
                int event = i;
                stats.counter(KernelStats.TLS_TICKETS, () -> tickets(event), listener, Tickets.EVENTS.get(i));
            }
        }
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
        if (handshakes.incrementAndGet() > config.maxHandshakes()) {
            handshakes.decrementAndGet();
            refused.inc();
            kernel.log().log(KernelMessages.TLS_HANDSHAKES_FULL, config.maxHandshakes(), listener);
            connection.reset();
            return;
        }
        Handshake handshake = new Handshake(connection, ready, handshakes::decrementAndGet);
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
    public @Nullable String reload() {
        lock.lock();
        try {
            return closed ? "the listener is closed" : load();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable String load() {
        FileMarks seen = FileMarks.of(TlsSetup.files(config));
        boolean distrusts = seen.differ(marks, TlsSetup.trustFiles(config));
        marks = seen;
        try {
            if (tickets != null) {
                tickets.read();
            }
            replace(TlsSetup.load(listener, config, provider, kernel), distrusts);
            count("done");
            kernel.log().log(KernelMessages.TLS_RELOADED, listener, String.join(", ", places()));
            return null;
        } catch (TlsFault e) {
            count("failed");
            kernel.log().log(KernelMessages.TLS_RELOAD_FAILED, listener, String.valueOf(e.getMessage()));
            return String.valueOf(e.getMessage());
        }
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
        expiry.serve(next);
        for (int i = 0; tickets != null && i < retired.length; i++) {
            retired[i].addAndGet(old.sum(Tickets.READ.get(i)));
        }
        Quiescence.after(kernel.muxers(), old::release);
    }

    private void count(String outcome) {
        kernel.stats().counter(KernelStats.TLS_RELOADS, listener, outcome).inc();
    }

    private Collection<String> places() {
        return current.served().stream().map(TlsSet.Served::place).toList();
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
            expiry.look(current);
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
        long interval = config.reloadInterval().toNanos();
        if (interval > 0 && time - looked >= interval) {
            looked = time;
            Collection<String> files = TlsSetup.files(config);
            if (FileMarks.of(files).differ(marks, files)) {
                load();
            }
        }
        if (tickets != null && tickets.turn(time)) {
            current.apply(tickets);
        }
    }

    @Override
    public List<CertificateReport> certificates() {
        List<CertificateReport> all = new ArrayList<>();
        for (TlsSet.Served s : current.served()) {
            all.add(new CertificateReport(
                    listener,
                    s.place(),
                    KeyMaterial.namesOf(s.leaf()),
                    s.leaf().getIssuerX500Principal().getName(),
                    s.leaf().getNotAfter().toInstant().toEpochMilli(),
                    s.staple() == null ? 0 : s.staple().until()));
        }
        return all;
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
