package io.weir.cluster.state;

import java.util.TreeSet;

/** Commands about members, to bytes and back. */
final class MemberCodec {
    private MemberCodec() {}

    static void write(BytesOut out, int group, MemberCommand command) {
        switch (command) {
            case MemberCommand.Join c ->
                out.u8(group)
                        .name(c.member())
                        .i64(c.incarnation())
                        .name(c.storage())
                        .text(c.address(), Limits.NAME)
                        .bool(c.witness());
            case MemberCommand.Leave c -> out.u8(group | 1).name(c.member()).i64(c.incarnation());
            case MemberCommand.Remove c -> out.u8(group | 7).name(c.member()).text(c.reason(), Limits.REASON);
            case MemberCommand.TookOver c ->
                out.u8(group | 3).name(c.member()).i64(c.term()).bool(c.booting());
            case MemberCommand.BootDelayOver c -> out.u8(group | 4).i64(c.version());
            case MemberCommand.RaiseEpoch c -> out.u8(group | 5).i64(c.epoch());
            case MemberCommand.Configures c ->
                out.u8(group | 6)
                        .name(c.member())
                        .i64(c.incarnation())
                        .names(c.singletons(), Limits.SINGLETONS)
                        .names(c.timers(), Limits.TIMERS);
        }
    }

    /** 2 is what was written before a removal had a reason. */
    static MemberCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new MemberCommand.Join(in.name(), in.i64(), in.name(), in.text(Limits.NAME), in.bool());
            case 1 -> new MemberCommand.Leave(in.name(), in.i64());
            case 2 -> new MemberCommand.Remove(in.name());
            case 3 -> new MemberCommand.TookOver(in.name(), in.i64(), in.bool());
            case 4 -> new MemberCommand.BootDelayOver(in.i64());
            case 5 -> new MemberCommand.RaiseEpoch(in.i64());
            case 6 ->
                new MemberCommand.Configures(
                        in.name(),
                        in.i64(),
                        new TreeSet<>(in.names(Limits.SINGLETONS)),
                        new TreeSet<>(in.names(Limits.TIMERS)));
            case 7 -> new MemberCommand.Remove(in.name(), in.text(Limits.REASON));
            default -> throw CommandCodec.unknown(which);
        };
    }
}
