package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateChecks;
import io.weir.cluster.state.bytes.StateLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Encodes and decodes singletons, their specifications, and commands about them. */
public final class SingletonCodec {
    private static final int MOST_ATTEMPTS = 10_000;
    private static final long LONGEST_MILLIS = 366L * 24 * 3_600_000;

    private SingletonCodec() {}

    public static void write(BytesOut out, int group, SingletonCommand command) {
        switch (command) {
            case SingletonCommand.Define c -> spec(out.u8(group), c.spec());
            case SingletonCommand.Undefine c -> out.u8(group | 1).name(c.name());
            case SingletonCommand.Activated c ->
                out.u8(group | 2).name(c.name()).fence(c.fence()).i64(c.nanos());
            case SingletonCommand.ActivationFailed c ->
                out.u8(group | 3).name(c.name()).fence(c.fence()).text(c.reason(), StateLimits.REASON);
            case SingletonCommand.NotTaken c -> out.u8(group | 4).name(c.name()).i64(c.version());
            case SingletonCommand.RetryNow c -> out.u8(group | 5).name(c.name()).i64(c.version());
            case SingletonCommand.FailBack c ->
                out.u8(group | 6).name(c.name()).i64(c.version()).fence(c.preferred());
            case SingletonCommand.Migrate c ->
                out.u8(group | (c.holds() ? 11 : 7))
                        .name(c.name())
                        .nameOrNull(c.to())
                        .text(c.reason(), StateLimits.REASON);
            case SingletonCommand.Pause c -> out.u8(group | 8).name(c.name()).text(c.reason(), StateLimits.REASON);
            case SingletonCommand.Resume c -> out.u8(group | 9).name(c.name()).text(c.reason(), StateLimits.REASON);
            case SingletonCommand.Forget c -> out.u8(group | 10).name(c.name()).text(c.reason(), StateLimits.REASON);
        }
    }

    public static SingletonCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new SingletonCommand.Define(spec(in));
            case 1 -> new SingletonCommand.Undefine(in.name());
            case 2 -> new SingletonCommand.Activated(in.name(), in.fence(), in.i64());
            case 3 -> new SingletonCommand.ActivationFailed(in.name(), in.fence(), in.text(StateLimits.REASON));
            case 4 -> new SingletonCommand.NotTaken(in.name(), in.i64());
            case 5 -> new SingletonCommand.RetryNow(in.name(), in.i64());
            case 6 -> new SingletonCommand.FailBack(in.name(), in.i64(), in.fence());
            case 7, 11 ->
                new SingletonCommand.Migrate(in.name(), in.nameOrNull(), in.text(StateLimits.REASON), which == 11);
            case 8 -> new SingletonCommand.Pause(in.name(), in.text(StateLimits.REASON));
            case 9 -> new SingletonCommand.Resume(in.name(), in.text(StateLimits.REASON));
            case 10 -> new SingletonCommand.Forget(in.name(), in.text(StateLimits.REASON));
            default -> throw BytesIn.unknown(which);
        };
    }

    public static void spec(BytesOut out, SingletonSpec s) {
        out.name(s.name())
                .name(s.className())
                .nameOrNull(s.deployment())
                .nameOrNull(s.preferred())
                .names(s.candidates(), StateLimits.CANDIDATES)
                .i32(attempts(s.additionalAttempts()))
                .i64(millis(s.pauseMillis()))
                .constant(s.failBack())
                .i64(millis(s.failBackMillis()))
                .bool(s.enabled())
                .list(
                        s.properties().entrySet(),
                        StateLimits.PROPERTIES,
                        (o, e) -> o.name(e.getKey()).text(e.getValue(), StateLimits.REASON));
    }

    public static SingletonSpec spec(BytesIn in) {
        return new SingletonSpec(
                in.name(),
                in.name(),
                in.nameOrNull(),
                in.nameOrNull(),
                in.names(StateLimits.CANDIDATES),
                attempts(in.i32()),
                millis(in.i64()),
                in.constant(FailBackMode.class),
                millis(in.i64()),
                in.bool(),
                properties(in));
    }

    private static SortedMap<String, String> properties(BytesIn in) {
        List<String> keys = new ArrayList<>();
        List<String> values = in.list(StateLimits.PROPERTIES, i -> {
            keys.add(i.name());
            return i.text(StateLimits.REASON);
        });
        SortedMap<String, String> properties = new TreeMap<>();
        for (int i = 0; i < keys.size(); i++) {
            properties.put(keys.get(i), values.get(i));
        }
        return properties;
    }

    private static int attempts(int value) {
        return StateChecks.range(value, 0, MOST_ATTEMPTS, "additional-migration-attempts");
    }

    private static long millis(long value) {
        return StateChecks.range(value, 0, LONGEST_MILLIS, "a time in milliseconds");
    }

    public static void singleton(BytesOut out, SingletonState s) {
        spec(out, s.spec());
        out.constant(s.phase())
                .nameOrNull(s.member())
                .i64(s.incarnation())
                .fence(s.fence())
                .nameOrNull(s.origin())
                .names(s.tried(), StateLimits.MEMBERS)
                .i32(s.circuits())
                .i64(s.preferredFailure())
                .fence(s.movedAway())
                .text(s.reason(), StateLimits.REASON)
                .i64(s.version())
                .i64(s.activationNanos());
    }

    public static SingletonState singleton(BytesIn in, int version) {
        return new SingletonState(
                spec(in),
                in.constant(Phase.class),
                in.nameOrNull(),
                in.i64(),
                in.fence(),
                in.nameOrNull(),
                new TreeSet<>(in.names(StateLimits.MEMBERS)),
                in.i32(),
                in.i64(),
                version < 4 ? Fence.NONE : in.fence(),
                in.text(StateLimits.REASON),
                in.i64(),
                in.i64());
    }
}
