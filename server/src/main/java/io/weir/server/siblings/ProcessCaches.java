package io.weir.server.siblings;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.weir.base.ConfigBinder;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterTlsConfig;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.ratis.MemberTls;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberPeers;
import io.weir.proxy.members.Owner;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.start.Post;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The caches of a server's processes, which ask each other instead of the origin, as the members of a cluster do. The
 * supervisor makes the secret with which they authenticate each other, and tells which are ready and where. Shared; lives
 * as long as the process.
 */
public final class ProcessCaches implements MemberPeers, CacheAccess, AutoCloseable {
    /** The name of the listener for the others. */
    public static final String LISTENER = CacheOwners.PROCESSES;

    /** Letter of the supervisor: {@code share-secret SECRET}. */
    public static final String SECRET = "share-secret";

    /** Letter to the supervisor: {@code shares PORT}, others may ask there. */
    public static final String SHARES = "shares";

    /** The port of a process that others cannot ask. */
    public static final String NOT_SHARING = "0";

    /** Letter of the supervisor: {@code share NUMBER=PORT,NUMBER=PORT}, those that ask each other. */
    public static final String SHARE = "share";

    /** The supervisor as a sender and receiver of letters. */
    public static final long SUPERVISOR = 0;

    private static final String HOST = "127.0.0.1";

    /** How long a process that is ready to serve waits to learn of the others. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long it waits for the secret, which a supervisor of an older version does not send, and others long before. */
    private static final Duration SECRET_PATIENCE = Duration.ofSeconds(2);

    private final String self;
    private final CacheOwners owners;
    private final Supplier<PurgePosition> server;
    private final @Nullable Supplier<PurgePosition> cluster;
    private final Post post;
    private final Stats stats;
    private final Log log;
    private final CountDownLatch invited = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private volatile @Nullable MemberTls tls;
    private int port;
    private boolean closed;

    /**
     * Waits for the supervisor's letters.
     *
     * @param process the number of this one
     * @param server how far this cache has followed the purges that the supervisor numbers
     * @param cluster how far it has followed those of a cluster; null: there is none
     */
    public ProcessCaches(
            int process,
            CacheOwners owners,
            Supplier<PurgePosition> server,
            @Nullable Supplier<PurgePosition> cluster,
            Post post,
            Stats stats,
            Log log) {
        this.self = name(process);
        this.owners = owners;
        this.server = server;
        this.cluster = cluster;
        this.post = post;
        this.stats = stats;
        this.log = log;
        owners.join(this);
        post.read(SECRET, (from, text) -> {
            if (from == SUPERVISOR) {
                invited.countDown();
                // its key is slow to make, and the link's thread must keep reading
                Thread.ofPlatform().daemon().name("weir.cache.Secret").start(() -> secret(text));
            }
        });
        post.read(SHARE, (from, text) -> {
            if (from == SUPERVISOR) {
                share(text);
            }
        });
    }

    /** The name of a process as an owner of keys: its successor has the same, and the same folder of the disk tier. */
    public static String name(int process) {
        return "process " + process;
    }

    private void secret(String secret) {
        try {
            if (secret.isEmpty()) {
                throw new IOException("the supervisor sent no secret");
            }
            tls = MemberTls.ofRandom(secret, "processes", ConfigBinder.defaults(ClusterTlsConfig.class), stats, log);
        } catch (IOException e) {
            log.log(ServerMessages.NOT_SHARED, e);
            post.to(SUPERVISOR, SHARES + " " + NOT_SHARING);
            told.countDown();
            return;
        }
        tell();
    }

    /** The listener for the others is open. */
    public void at(int listening) {
        synchronized (this) {
            port = listening;
        }
        tell();
    }

    /**
     * Waits until the supervisor has told who the others are. A process that served before would ask the origin for what
     * another one owns.
     */
    public void awaitOthers() {
        try {
            if (!invited.await(SECRET_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                return;
            }
            if (!told.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                log.log(ServerMessages.SHARES_LATER, PATIENCE.toSeconds());
            }
        } catch (InterruptedException _) {
            // it is to end
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void tell() {
        if (port != 0 && tls != null && !closed) {
            post.to(SUPERVISOR, SHARES + " " + port);
        }
    }

    private synchronized void share(String text) {
        if (closed) {
            return;
        }
        List<Owner> all = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            int equals = one.indexOf('=');
            if (equals > 0) {
                all.add(new Owner(
                        name(Integer.parseInt(one.substring(0, equals))),
                        true,
                        HOST,
                        Integer.parseInt(one.substring(equals + 1))));
            }
        }
        owners.members(self, all);
        told.countDown();
    }

    @Override
    public boolean open() {
        return tls != null;
    }

    @Override
    public @Nullable SSLEngine server() {
        MemberTls t = tls;
        return t == null ? null : t.server();
    }

    @Override
    public void refused(Throwable cause, @Nullable SocketAddress from) {
        // one of this server's own that has waited too long on a busy machine has spoken no wrong word
        if (cause instanceof SSLException && !(cause instanceof SslHandshakeTimeoutException)) {
            owners.stranger();
        }
    }

    @Override
    public @Nullable SSLEngine client(String host, int at) {
        MemberTls t = tls;
        return t == null ? null : t.client(host, at);
    }

    @Override
    public String position() {
        Supplier<PurgePosition> more = cluster;
        return Positions.text(server.get()) + (more == null ? "" : "/" + Positions.text(more.get()));
    }

    @Override
    public boolean reached(String asked) {
        Supplier<PurgePosition> more = cluster;
        int slash = asked.indexOf('/');
        if (slash < 0 || more == null) {
            return slash < 0 && more == null && Positions.reached(asked, server.get());
        }
        return Positions.reached(asked.substring(0, slash), server.get())
                && Positions.reached(asked.substring(slash + 1), more.get());
    }

    /** This process asks no other one from now on, because it is about to end. */
    @Override
    public synchronized void close() {
        closed = true;
        owners.members(self, List.of());
    }
}
