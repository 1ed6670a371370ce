package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.Transition.What;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.zip.CRC32C;

/**
 * A whole state to bytes and back: magic, version, the state, a CRC32C of all that. An unknown version is refused with a
 * clear message.
 */
public final class SnapshotCodec {
    private static final int MAGIC = 0x57435354; // WCST
    /**
     * 2 has checkpoints, 3 members' configurations and times of requested firings, 4 what operators moved away from preferred
     * servers; earlier ones are read as without.
     */
    private static final int VERSION = 4;

    private SnapshotCodec() {}

    public static byte[] encode(ClusterState s) {
        BytesOut out = new BytesOut().i32(MAGIC).i32(VERSION);
        out.i64(s.applied()).i64(s.epoch()).i64(s.tookOver()).i64(s.fenceRefusals());
        out.bool(s.boot().pending()).i64(s.boot().version());
        out.list(s.members().values(), Limits.MEMBERS, SnapshotCodec::member);
        out.list(s.leases().values(), Limits.LEASES, SnapshotCodec::lease);
        out.list(s.singletons().values(), Limits.SINGLETONS, SnapshotCodec::singleton);
        out.list(s.bindings().values(), Limits.BINDINGS, SnapshotCodec::binding);
        out.list(s.timers().values(), Limits.TIMERS, SnapshotCodec::timer);
        out.list(s.deployments().values(), Limits.DEPLOYMENTS, SnapshotCodec::deployment);
        out.list(s.checkpoints().values(), Limits.CHECKPOINTS, CheckpointCodec::checkpoint);
        out.list(s.configurations().values(), Limits.MEMBERS, SnapshotCodec::configuration);
        out.list(s.history(), Limits.HISTORY, SnapshotCodec::line);
        byte[] body = out.bytes();
        return out.i64(checksum(body, body.length)).bytes();
    }

    /**
     * Back from bytes.
     *
     * @throws IllegalArgumentException when they are damaged or of another version, saying which
     */
    public static ClusterState decode(byte[] bytes) {
        BytesIn in = new BytesIn(bytes);
        if (in.i32() != MAGIC) {
            throw new IllegalArgumentException("these bytes are no snapshot of a cluster's state");
        }
        int version = in.i32();
        if (version < 1 || version > VERSION) {
            throw new IllegalArgumentException("the snapshot has version " + version + ", and this program reads "
                    + VERSION + ": start the version of Weir that wrote it, or a later one");
        }
        ClusterState state = state(in, version);
        if (in.i64() != checksum(bytes, bytes.length - Long.BYTES)) {
            throw new IllegalArgumentException("the snapshot is damaged: its checksum does not match");
        }
        in.end();
        return state;
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return crc.getValue();
    }

    private static ClusterState state(BytesIn in, int version) {
        long applied = in.i64();
        long epoch = in.i64();
        long tookOver = in.i64();
        long refusals = in.i64();
        return new ClusterState(
                applied,
                epoch,
                tookOver,
                new BootDelay(in.bool(), in.i64()),
                refusals,
                map(in.list(Limits.MEMBERS, SnapshotCodec::member), MemberState::name),
                map(in.list(Limits.LEASES, SnapshotCodec::lease), LeaseState::name),
                map(in.list(Limits.SINGLETONS, i -> singleton(i, version)), SingletonState::name),
                map(in.list(Limits.BINDINGS, SnapshotCodec::binding), Binding::path),
                map(in.list(Limits.TIMERS, i -> timer(i, version)), TimerState::id),
                map(in.list(Limits.DEPLOYMENTS, SnapshotCodec::deployment), Deployment::name),
                map(
                        version < 2 ? List.of() : in.list(Limits.CHECKPOINTS, CheckpointCodec::checkpoint),
                        Checkpoint::path),
                map(
                        version < 3 ? List.of() : in.list(Limits.MEMBERS, SnapshotCodec::configuration),
                        Configuration::member),
                List.copyOf(in.list(Limits.HISTORY, SnapshotCodec::line)));
    }

    private static <V> SortedMap<String, V> map(List<V> values, Function<V, String> name) {
        SortedMap<String, V> map = new TreeMap<>();
        values.forEach(v -> map.put(name.apply(v), v));
        return Collections.unmodifiableSortedMap(map);
    }

    private static void member(BytesOut out, MemberState m) {
        out.name(m.name())
                .i64(m.incarnation())
                .name(m.storage())
                .text(m.address(), Limits.NAME)
                .bool(m.witness())
                .i64(m.joined())
                .bool(m.leaving());
    }

    private static MemberState member(BytesIn in) {
        return new MemberState(in.name(), in.i64(), in.name(), in.text(Limits.NAME), in.bool(), in.i64(), in.bool());
    }

    private static void lease(BytesOut out, LeaseState l) {
        out.name(l.name())
                .nameOrNull(l.owner())
                .i64(l.incarnation())
                .i64(l.request())
                .fence(l.fence())
                .i64(l.renewal())
                .i64(l.transitions());
    }

    private static LeaseState lease(BytesIn in) {
        return new LeaseState(in.name(), in.nameOrNull(), in.i64(), in.i64(), in.fence(), in.i64(), in.i64());
    }

    private static void singleton(BytesOut out, SingletonState s) {
        SingletonCodec.spec(out, s.spec());
        out.constant(s.phase())
                .nameOrNull(s.member())
                .i64(s.incarnation())
                .fence(s.fence())
                .nameOrNull(s.origin())
                .names(s.tried(), Limits.MEMBERS)
                .i32(s.circuits())
                .i64(s.preferredFailure())
                .fence(s.movedAway())
                .text(s.reason(), Limits.REASON)
                .i64(s.version())
                .i64(s.activationNanos());
    }

    private static SingletonState singleton(BytesIn in, int version) {
        return new SingletonState(
                SingletonCodec.spec(in),
                in.constant(Phase.class),
                in.nameOrNull(),
                in.i64(),
                in.fence(),
                in.nameOrNull(),
                new TreeSet<>(in.names(Limits.MEMBERS)),
                in.i32(),
                in.i64(),
                version < 4 ? Fence.NONE : in.fence(),
                in.text(Limits.REASON),
                in.i64(),
                in.i64());
    }

    private static void binding(BytesOut out, Binding b) {
        out.name(b.path()).name(b.lease()).fence(b.fence()).name(b.member());
        NamingCodec.value(out, b.value());
        out.i64(b.index());
    }

    private static Binding binding(BytesIn in) {
        return new Binding(in.name(), in.name(), in.fence(), in.name(), NamingCodec.value(in), in.i64());
    }

    private static void timer(BytesOut out, TimerState t) {
        TimerCodec.spec(out, t.spec())
                .i64(t.from())
                .i64(t.lastScheduled())
                .fence(t.lastFence())
                .bool(t.done())
                .text(t.lastFailure(), Limits.REASON)
                .i64(t.requested())
                .i64(t.requestedAt())
                .fence(t.requestedFence())
                .bool(t.requestOpen())
                .bool(t.paused())
                .i64(t.firings())
                .i64(t.version());
    }

    private static void configuration(BytesOut out, Configuration c) {
        out.name(c.member())
                .i64(c.incarnation())
                .names(c.singletons(), Limits.SINGLETONS)
                .names(c.timers(), Limits.TIMERS);
    }

    private static Configuration configuration(BytesIn in) {
        return new Configuration(
                in.name(),
                in.i64(),
                new TreeSet<>(in.names(Limits.SINGLETONS)),
                new TreeSet<>(in.names(Limits.TIMERS)));
    }

    private static TimerState timer(BytesIn in, int version) {
        TimerSpec spec = TimerCodec.spec(in);
        long from = in.i64();
        long lastScheduled = in.i64();
        Fence lastFence = in.fence();
        boolean done = in.bool();
        String lastFailure = in.text(Limits.REASON);
        long requested = in.i64();
        return new TimerState(
                spec,
                from,
                lastScheduled,
                lastFence,
                done,
                lastFailure,
                requested,
                version < 3 ? requested : in.i64(),
                in.fence(),
                in.bool(),
                in.bool(),
                in.i64(),
                in.i64());
    }

    private static void deployment(BytesOut out, Deployment d) {
        out.name(d.name()).name(d.sha256()).i64(d.size()).i64(d.version()).names(d.sources(), Limits.MEMBERS);
    }

    private static Deployment deployment(BytesIn in) {
        return new Deployment(in.name(), in.name(), in.i64(), in.i64(), new TreeSet<>(in.names(Limits.MEMBERS)));
    }

    private static void line(BytesOut out, Transition t) {
        out.i64(t.index())
                .constant(t.what())
                .name(t.name())
                .text(t.from(), Limits.REASON)
                .text(t.to(), Limits.REASON)
                .fence(t.fence())
                .text(t.reason(), Limits.REASON)
                .text(t.by(), Limits.NAME)
                .i64(t.atMillis());
    }

    private static Transition line(BytesIn in) {
        return new Transition(
                in.i64(),
                in.constant(What.class),
                in.name(),
                in.text(Limits.REASON),
                in.text(Limits.REASON),
                in.fence(),
                in.text(Limits.REASON),
                in.text(Limits.NAME),
                in.i64());
    }
}
