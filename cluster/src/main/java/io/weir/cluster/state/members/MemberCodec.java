package io.weir.cluster.state.members;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;
import java.util.TreeSet;

/** Encodes and decodes commands about members. */
public final class MemberCodec {
    private MemberCodec() {}

    public static void write(BytesOut out, int group, MemberCommand command) {
        switch (command) {
            case MemberCommand.Join c ->
                out.u8(group)
                        .name(c.member())
                        .i64(c.incarnation())
                        .name(c.storage())
                        .text(c.address(), StateLimits.NAME)
                        .bool(c.witness());
            case MemberCommand.Leave c -> out.u8(group | 1).name(c.member()).i64(c.incarnation());
            case MemberCommand.Remove c -> out.u8(group | 7).name(c.member()).text(c.reason(), StateLimits.REASON);
            case MemberCommand.TookOver c ->
                out.u8(group | 3).name(c.member()).i64(c.term()).bool(c.booting());
            case MemberCommand.BootDelayOver c -> out.u8(group | 4).i64(c.version());
            case MemberCommand.RaiseEpoch c -> out.u8(group | 5).i64(c.epoch());
            case MemberCommand.Configures c ->
                out.u8(group | 6)
                        .name(c.member())
                        .i64(c.incarnation())
                        .names(c.singletons(), StateLimits.SINGLETONS)
                        .names(c.timers(), StateLimits.TIMERS);
        }
    }

    /** 2 is the former encoding of a removal without a reason. */
    public static MemberCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new MemberCommand.Join(in.name(), in.i64(), in.name(), in.text(StateLimits.NAME), in.bool());
            case 1 -> new MemberCommand.Leave(in.name(), in.i64());
            case 2 -> new MemberCommand.Remove(in.name());
            case 3 -> new MemberCommand.TookOver(in.name(), in.i64(), in.bool());
            case 4 -> new MemberCommand.BootDelayOver(in.i64());
            case 5 -> new MemberCommand.RaiseEpoch(in.i64());
            case 6 ->
                new MemberCommand.Configures(
                        in.name(),
                        in.i64(),
                        new TreeSet<>(in.names(StateLimits.SINGLETONS)),
                        new TreeSet<>(in.names(StateLimits.TIMERS)));
            case 7 -> new MemberCommand.Remove(in.name(), in.text(StateLimits.REASON));
            default -> throw BytesIn.unknown(which);
        };
    }

    public static void member(BytesOut out, MemberState m) {
        out.name(m.name())
                .i64(m.incarnation())
                .name(m.storage())
                .text(m.address(), StateLimits.NAME)
                .bool(m.witness())
                .i64(m.joined())
                .bool(m.leaving());
    }

    public static MemberState member(BytesIn in) {
        return new MemberState(
                in.name(), in.i64(), in.name(), in.text(StateLimits.NAME), in.bool(), in.i64(), in.bool());
    }

    public static void configuration(BytesOut out, Configuration c) {
        out.name(c.member())
                .i64(c.incarnation())
                .names(c.singletons(), StateLimits.SINGLETONS)
                .names(c.timers(), StateLimits.TIMERS);
    }

    public static Configuration configuration(BytesIn in) {
        return new Configuration(
                in.name(),
                in.i64(),
                new TreeSet<>(in.names(StateLimits.SINGLETONS)),
                new TreeSet<>(in.names(StateLimits.TIMERS)));
    }
}
