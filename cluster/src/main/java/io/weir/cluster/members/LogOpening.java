package io.weir.cluster.members;

import io.weir.cluster.ratis.LogAccess;
import io.weir.cluster.ratis.RatisLog;
import io.weir.cluster.ratis.RatisParts;
import io.weir.cluster.ratis.RatisPeer;
import io.weir.cluster.ratis.RatisTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Opens the log on a dedicated thread, because opening blocks. If it cannot be opened, for example while another
 * process uses its port, opening is retried. Confined to the loop, but for {@link #close}.
 */
final class LogOpening {
    /** Callbacks of the log, on the loop. */
    interface Watcher {
        void voters(List<RatisPeer> voters);

        /** The log cannot be opened now; opening is retried. */
        void notYet(String why);

        void ended(String why);
    }

    private static final String PREFIX = "log-";
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final MembershipParts parts;
    private final RatisPeer self;
    private final String bind;
    private final Watcher watcher;
    private @Nullable CompletableFuture<Void> opened;
    private final Object lock = new Object();
    private @Nullable RatisLog log;
    private boolean closed;

    LogOpening(MembershipParts parts, RatisPeer self, String bind, Watcher watcher) {
        this.parts = parts;
        this.self = self;
        this.bind = bind;
        this.watcher = watcher;
    }

    MemberAdmission admission(RatisLog opened, Identity identity, MembersLine line) {
        return new MemberAdmission(parts, opened, Objects.requireNonNull(identity.cluster()), self, line);
    }

    /**
     * Opens the log unless it is open; completes on the loop, after {@code then}, or exceptionally if it cannot be
     * opened now.
     */
    CompletableFuture<Void> open(Identity identity, Consumer<RatisLog> then) {
        CompletableFuture<Void> before = opened;
        if (before != null) {
            return before;
        }
        CompletableFuture<Void> result = new CompletableFuture<>();
        opened = result;
        Thread thread = new Thread(() -> work(identity, then, result), "weir.cluster.open");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private void work(Identity identity, Consumer<RatisLog> then, CompletableFuture<Void> result) {
        try {
            removeFormer(identity);
            RatisLog now = RatisLog.open(new RatisParts(
                    Objects.requireNonNull(identity.cluster()),
                    self,
                    bind,
                    identity.first(),
                    parts.directory().resolve(PREFIX + identity.storage()),
                    parts.state(),
                    RatisTimes.of(parts.config().log(), parts.config().lease()),
                    new LogAccess(parts.config().tls(), parts.secret()),
                    new OnLoop(),
                    parts.loop().clock(),
                    parts.stats(),
                    parts.log()));
            if (!keep(now)) {
                now.close();
                return;
            }
            parts.loop().deliver(() -> {
                then.accept(now);
                result.complete(null);
            });
        } catch (IOException | RuntimeException e) {
            parts.loop().deliver(() -> {
                opened = null;
                watcher.notYet("its log cannot be opened: " + e.getMessage());
                result.completeExceptionally(e);
                parts.loop().after(RETRY_NANOS, () -> retry(identity, then));
            });
        }
    }

    private void retry(Identity identity, Consumer<RatisLog> then) {
        if (!isClosed()) {
            var _ = open(identity, then);
        }
    }

    private boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    private boolean keep(RatisLog now) {
        synchronized (lock) {
            log = now;
            return !closed;
        }
    }

    /** Deletes logs of former identities of this disk, from before it was removed from a cluster. */
    private void removeFormer(Identity identity) throws IOException {
        try (Stream<Path> files = Files.list(parts.directory())) {
            for (Path former : files.filter(f -> {
                        String name = String.valueOf(f.getFileName());
                        return name.startsWith(PREFIX) && !name.equals(PREFIX + identity.storage());
                    })
                    .toList()) {
                delete(former);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> {
                try {
                    Files.delete(f);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Blocks for some seconds at most. */
    void close() {
        RatisLog l;
        synchronized (lock) {
            closed = true;
            l = log;
        }
        if (l != null) {
            l.close();
        }
    }

    /** Forwards callbacks from the log's threads to the loop. */
    private final class OnLoop implements RatisParts.Watcher {
        @Override
        public void voters(List<RatisPeer> voters) {
            parts.loop().deliver(() -> watcher.voters(voters));
        }

        @Override
        public void ended(String why) {
            parts.loop().deliver(() -> watcher.ended(why));
        }
    }
}
