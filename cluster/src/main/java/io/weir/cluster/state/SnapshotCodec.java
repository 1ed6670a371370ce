package io.weir.cluster.state;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.deployments.DeploymentCodec;
import io.weir.cluster.state.entry.Transition;
import io.weir.cluster.state.entry.Transition.What;
import io.weir.cluster.state.leases.LeaseCodec;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.members.BootDelay;
import io.weir.cluster.state.members.Configuration;
import io.weir.cluster.state.members.MemberCodec;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.NamingCodec;
import io.weir.cluster.state.purges.PurgeCodec;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.cluster.state.singletons.Checkpoint;
import io.weir.cluster.state.singletons.CheckpointCodec;
import io.weir.cluster.state.singletons.SingletonCodec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerCodec;
import io.weir.cluster.state.timers.TimerState;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.CRC32C;

/**
 * Encodes and decodes a whole state: magic, version, the state, and a CRC32C of these. An unknown version is refused
 * with a clear message.
 */
public final class SnapshotCodec {
    private static final int MAGIC = 0x57435354; // WCST
    /**
     * Version 2 added checkpoints, 3 members' configurations and times of requested firings, 4 operators' moves away
     * from preferred servers, 5 purges of caches, 6 the addresses of caches; earlier versions are read without these.
     */
    private static final int VERSION = 6;

    private SnapshotCodec() {}

    public static byte[] encode(ClusterState s) {
        BytesOut out = new BytesOut().i32(MAGIC).i32(VERSION);
        out.i64(s.applied()).i64(s.epoch()).i64(s.tookOver()).i64(s.fenceRefusals());
        out.bool(s.boot().pending()).i64(s.boot().version());
        out.list(s.members().values(), StateLimits.MEMBERS, MemberCodec::member);
        out.list(s.leases().values(), StateLimits.LEASES, LeaseCodec::lease);
        out.list(s.singletons().values(), StateLimits.SINGLETONS, SingletonCodec::singleton);
        out.list(s.bindings().values(), StateLimits.BINDINGS, NamingCodec::binding);
        out.list(s.timers().values(), StateLimits.TIMERS, TimerCodec::timer);
        out.list(s.deployments().values(), StateLimits.DEPLOYMENTS, DeploymentCodec::deployment);
        out.list(s.checkpoints().values(), StateLimits.CHECKPOINTS, CheckpointCodec::checkpoint);
        out.list(s.configurations().values(), StateLimits.MEMBERS, MemberCodec::configuration);
        PurgeCodec.log(out, s.purges());
        out.list(s.history(), StateLimits.HISTORY, SnapshotCodec::line);
        byte[] body = out.bytes();
        return out.i64(checksum(body, body.length)).bytes();
    }

    /**
     * Decodes a state.
     *
     * @throws IllegalArgumentException if the bytes are damaged or of an unsupported version; the message says which
     */
    public static ClusterState decode(byte[] bytes) {
        BytesIn in = new BytesIn(bytes);
        if (in.i32() != MAGIC) {
            throw new IllegalArgumentException("the bytes are not a snapshot of a cluster's state");
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
                map(in.list(StateLimits.MEMBERS, MemberCodec::member), MemberState::name),
                map(in.list(StateLimits.LEASES, LeaseCodec::lease), LeaseState::name),
                map(in.list(StateLimits.SINGLETONS, i -> SingletonCodec.singleton(i, version)), SingletonState::name),
                map(in.list(StateLimits.BINDINGS, NamingCodec::binding), Binding::path),
                map(in.list(StateLimits.TIMERS, i -> TimerCodec.timer(i, version)), TimerState::id),
                map(in.list(StateLimits.DEPLOYMENTS, DeploymentCodec::deployment), Deployment::name),
                map(
                        version < 2 ? List.of() : in.list(StateLimits.CHECKPOINTS, CheckpointCodec::checkpoint),
                        Checkpoint::path),
                map(
                        version < 3 ? List.of() : in.list(StateLimits.MEMBERS, MemberCodec::configuration),
                        Configuration::member),
                version < 5 ? PurgeLog.EMPTY : PurgeCodec.log(in, version),
                List.copyOf(in.list(StateLimits.HISTORY, SnapshotCodec::line)));
    }

    private static <V> SortedMap<String, V> map(List<V> values, Function<V, String> name) {
        SortedMap<String, V> map = new TreeMap<>();
        values.forEach(v -> map.put(name.apply(v), v));
        return Collections.unmodifiableSortedMap(map);
    }

    private static void line(BytesOut out, Transition t) {
        out.i64(t.index())
                .constant(t.what())
                .name(t.name())
                .text(t.from(), StateLimits.REASON)
                .text(t.to(), StateLimits.REASON)
                .fence(t.fence())
                .text(t.reason(), StateLimits.REASON)
                .text(t.by(), StateLimits.NAME)
                .i64(t.atMillis());
    }

    private static Transition line(BytesIn in) {
        return new Transition(
                in.i64(),
                in.constant(What.class),
                in.name(),
                in.text(StateLimits.REASON),
                in.text(StateLimits.REASON),
                in.fence(),
                in.text(StateLimits.REASON),
                in.text(StateLimits.NAME),
                in.i64());
    }
}
