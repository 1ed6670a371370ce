package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.KeptPort;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.config.ClusterTlsConfig;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Logs of several members in this process, on loopback. Confined to the test's thread. */
final class Members implements AutoCloseable {
    static final RatisTimes TIMES = new RatisTimes(
            Duration.ofMillis(300), Duration.ZERO, Duration.ofSeconds(10), 200, 1_000_000, 1 << 20, true);

    static final ClusterTlsConfig NO_TLS = new ClusterTlsConfig(null, null, null);
    static final LogAccess OPEN = new LogAccess(NO_TLS, null);

    final UUID cluster = UUID.randomUUID();
    private final Path folder;
    private final RatisTimes times;
    LogAccess access;
    Clock clock = SystemClock.INSTANCE;
    final Map<String, RatisLog> logs = new LinkedHashMap<>();
    final Map<String, Ledger> ledgers = new LinkedHashMap<>();
    final Map<String, RatisPeer> peers = new LinkedHashMap<>();
    final Map<String, Stats> stats = new LinkedHashMap<>();
    final Map<String, RecordingLog> said = new LinkedHashMap<>();
    final ConcurrentLinkedQueue<String> ended = new ConcurrentLinkedQueue<>();

    Members(Path folder, RatisTimes times, LogAccess access) {
        this.folder = folder;
        this.times = times;
        this.access = access;
    }

    static Members three(Path folder) throws IOException {
        return three(folder, TIMES, OPEN);
    }

    static Members three(Path folder, RatisTimes times, LogAccess access) throws IOException {
        Members members = new Members(folder, times, access);
        members.openThree();
        return members;
    }

    void openThree() throws IOException {
        List<RatisPeer> all = new ArrayList<>();
        for (String name : List.of("alpha", "beta", "gamma")) {
            all.add(peer(name, false));
        }
        for (RatisPeer p : all) {
            open(p, all);
        }
    }

    RatisPeer peer(String name, boolean witness) throws IOException {
        int port = KeptPort.on(InetAddress.getLoopbackAddress());
        return new RatisPeer(name, UUID.randomUUID(), "127.0.0.1", port, witness);
    }

    /** Opens a member's log; all peers are given where it is one of the first. */
    RatisLog open(RatisPeer peer, List<RatisPeer> first) throws IOException {
        Ledger ledger = new Ledger();
        RatisParts.Watcher watcher = new RatisParts.Watcher() {
            @Override
            public void voters(List<RatisPeer> voters) {
                // asked for where needed
            }

            @Override
            public void ended(String why) {
                ended.add(peer.name() + ": " + why);
            }
        };
        RatisLog log = RatisLog.open(new RatisParts(
                cluster,
                peer,
                "127.0.0.1",
                first,
                folder.resolve(peer.id()),
                ledger,
                times,
                access,
                watcher,
                clock,
                stats.computeIfAbsent(peer.name(), _ -> new Stats()),
                said.computeIfAbsent(peer.name(), _ -> new RecordingLog())));
        logs.put(peer.name(), log);
        ledgers.put(peer.name(), ledger);
        peers.put(peer.name(), peer);
        return log;
    }

    List<String> names() {
        return List.copyOf(logs.keySet());
    }

    RatisLog log(String name) {
        return Objects.requireNonNull(logs.get(name));
    }

    Ledger ledger(String name) {
        return Objects.requireNonNull(ledgers.get(name));
    }

    RatisPeer peer(String name) {
        return Objects.requireNonNull(peers.get(name));
    }

    /** How often a member refused somebody at its log, for all reasons; side caller or called. */
    long refused(String name, String side) {
        return Objects.requireNonNull(stats.get(name)).samples().stream()
                .filter(s -> s.spec().equals(ClusterStats.LOG_REFUSED)
                        && s.labels().getFirst().equals(side))
                .mapToLong(Stats.Sample::value)
                .sum();
    }

    /** The same by reason, what happened at all. */
    String refusals(String name) {
        return Objects.requireNonNull(stats.get(name)).samples().stream()
                .filter(s -> s.spec().equals(ClusterStats.LOG_REFUSED) && s.value() > 0)
                .map(s -> s.labels() + " " + s.value())
                .sorted()
                .toList()
                .toString();
    }

    long refused(String name, String side, String reason) {
        return Objects.requireNonNull(stats.get(name)).value(ClusterStats.LOG_REFUSED, side, reason);
    }

    void stop(String name) {
        log(name).close();
        logs.remove(name);
    }

    void stopAllBut(String name) {
        List<String> others = names().stream().filter(n -> !n.equals(name)).toList();
        close(others);
        others.forEach(logs::remove);
    }

    private void close(List<String> names) {
        CompletableFuture.allOf(names.stream()
                        .map(n -> CompletableFuture.runAsync(log(n)::close, Thread::startVirtualThread))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** Whether one leads within some time. */
    boolean leads(Duration patience) {
        long end = SystemClock.INSTANCE.nanos() + patience.toNanos();
        boolean leads = false;
        while (!leads && SystemClock.INSTANCE.nanos() < end) {
            leads = logs.values().stream().anyMatch(RatisLog::leads);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return leads;
    }

    /**
     * The name of the member that leads, once one does and every open voter has applied an entry. Votes of one without
     * entries do not count, because it looks like a lost disk (RATIS-1995): if it had none when a test stopped it,
     * nobody would lead after its return until another came back, too. In the product, FirstEntry waits for that.
     */
    String leader() {
        awaitThat(() -> leading() != null && everyVoterHasAnEntry());
        return Objects.requireNonNull(leading());
    }

    private @Nullable String leading() {
        return logs.entrySet().stream()
                .filter(e -> e.getValue().leads())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private boolean everyVoterHasAnEntry() {
        String leader = leading();
        if (leader == null) {
            return false;
        }
        List<RatisPeer> voters = log(leader).voters();
        return names().stream()
                .filter(n -> voters.contains(peer(n)))
                .allMatch(n -> log(n).status().applied() >= 0);
    }

    /** A member that does not lead. */
    String follower() {
        String leader = leader();
        return logs.keySet().stream().filter(n -> !n.equals(leader)).findFirst().orElseThrow();
    }

    String submit(String name, String command) throws Exception {
        return new String(get(log(name).submit(command.getBytes(StandardCharsets.UTF_8))), StandardCharsets.UTF_8);
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(3, TimeUnit.MINUTES);
    }

    static void await(BooleanSupplier condition) {
        long deadline = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (!condition.getAsBoolean()) {
            assertThat(SystemClock.INSTANCE.nanos()).as("awaited in vain").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** As {@link #await}, and a failure says how the members are. */
    void awaitThat(BooleanSupplier condition) {
        try {
            await(condition);
        } catch (AssertionError e) {
            StringBuilder text = new StringBuilder(String.valueOf(e.getMessage()));
            logs.forEach((name, log) -> text.append('\n')
                    .append(name)
                    .append(log.leads() ? " leads: " : ": ")
                    .append(log.server())
                    .append(' ')
                    .append(log.status()));
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (peers.values().stream().anyMatch(p -> thread.getName().contains(p.id()))) {
                    List<StackTraceElement> frames = Stream.of(stack)
                            .filter(f -> !f.getClassName().startsWith("java."))
                            .toList();
                    text.append('\n').append(thread.getName()).append(' ').append(frames);
                }
            });
            throw new AssertionError(text.toString(), e);
        }
    }

    static List<String> names(LogStatus status) {
        return status.peers().stream().map(LogStatus.Peer::member).toList();
    }

    @Override
    public void close() {
        close(names());
    }
}
