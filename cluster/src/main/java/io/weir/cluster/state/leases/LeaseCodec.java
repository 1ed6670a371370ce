package io.weir.cluster.state.leases;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.AnswerCodec;

/** Encodes and decodes commands about leases. */
public final class LeaseCodec {
    private LeaseCodec() {}

    public static void write(BytesOut out, int group, LeaseCommand command) {
        switch (command) {
            case LeaseCommand.Acquire c ->
                out.u8(group)
                        .name(c.lease())
                        .name(c.owner())
                        .i64(c.incarnation())
                        .i64(c.request());
            case LeaseCommand.Renew c ->
                out.u8(group | 1)
                        .name(c.member())
                        .i64(c.incarnation())
                        .list(c.leases(), StateLimits.RENEWALS, AnswerCodec::ref);
            case LeaseCommand.Release c -> out.u8(group | 2).name(c.lease()).fence(c.fence());
            case LeaseCommand.Expire c ->
                out.u8(group | 3).name(c.lease()).fence(c.fence()).i64(c.lastRenewal());
            case LeaseCommand.Recorded c ->
                out.u8(group | 4)
                        .name(c.lease())
                        .name(c.owner())
                        .i64(c.incarnation())
                        .fence(c.fence());
            case LeaseCommand.Lost c -> out.u8(group | 5).name(c.lease()).fence(c.fence());
        }
    }

    public static LeaseCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new LeaseCommand.Acquire(in.name(), in.name(), in.i64(), in.i64());
            case 1 -> new LeaseCommand.Renew(in.name(), in.i64(), in.list(StateLimits.RENEWALS, AnswerCodec::ref));
            case 2 -> new LeaseCommand.Release(in.name(), in.fence());
            case 3 -> new LeaseCommand.Expire(in.name(), in.fence(), in.i64());
            case 4 -> new LeaseCommand.Recorded(in.name(), in.name(), in.i64(), in.fence());
            case 5 -> new LeaseCommand.Lost(in.name(), in.fence());
            default -> throw BytesIn.unknown(which);
        };
    }

    public static void lease(BytesOut out, LeaseState l) {
        out.name(l.name())
                .nameOrNull(l.owner())
                .i64(l.incarnation())
                .i64(l.request())
                .fence(l.fence())
                .i64(l.renewal())
                .i64(l.transitions());
    }

    public static LeaseState lease(BytesIn in) {
        return new LeaseState(in.name(), in.nameOrNull(), in.i64(), in.i64(), in.fence(), in.i64(), in.i64());
    }
}
