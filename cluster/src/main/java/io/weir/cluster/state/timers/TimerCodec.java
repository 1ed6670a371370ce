package io.weir.cluster.state.timers;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;

/** Encodes and decodes timers and commands about them. */
public final class TimerCodec {
    private TimerCodec() {}

    public static void write(BytesOut out, int group, TimerCommand command) {
        switch (command) {
            case TimerCommand.DefineTimer c -> spec(out.u8(group), c.spec()).i64(c.fromMillis());
            case TimerCommand.RemoveTimer c -> out.u8(group | 1).name(c.id());
            case TimerCommand.ForgetTimer c -> out.u8(group | 8).name(c.id()).text(c.reason(), StateLimits.REASON);
            case TimerCommand.PauseTimer c -> out.u8(group | 9).name(c.id()).text(c.reason(), StateLimits.REASON);
            case TimerCommand.ResumeTimer c -> out.u8(group | 10).name(c.id()).text(c.reason(), StateLimits.REASON);
            case TimerCommand.FireNow c -> fireNow(out, group, c);
            case TimerCommand.Fire c ->
                out.u8(group | 5)
                        .name(c.id())
                        .i64(c.scheduledMillis())
                        .fence(c.fence())
                        .bool(c.requested());
            case TimerCommand.FireDone c ->
                out.u8(group | 6)
                        .name(c.id())
                        .i64(c.scheduledMillis())
                        .fence(c.fence())
                        .bool(c.requested())
                        .text(c.failure(), StateLimits.REASON);
            case TimerCommand.Skip c ->
                out.u8(group | 7).name(c.id()).i64(c.throughMillis()).fence(c.fence());
        }
    }

    private static void fireNow(BytesOut out, int group, TimerCommand.FireNow c) {
        if (c.number() == 0) {
            out.u8(group | 11).name(c.id()).i64(c.atMillis()).text(c.reason(), StateLimits.REASON);
        } else {
            out.u8(group | 4).name(c.id()).i64(c.atMillis());
        }
    }

    /** 2, 3 and 4 are the former encodings without a reason. */
    public static TimerCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new TimerCommand.DefineTimer(spec(in), in.i64());
            case 1 -> new TimerCommand.RemoveTimer(in.name());
            case 2 -> new TimerCommand.PauseTimer(in.name());
            case 3 -> new TimerCommand.ResumeTimer(in.name());
            case 4 -> numberedByItsTime(in.name(), in.i64());
            case 5 -> new TimerCommand.Fire(in.name(), in.i64(), in.fence(), in.bool());
            case 6 ->
                new TimerCommand.FireDone(in.name(), in.i64(), in.fence(), in.bool(), in.text(StateLimits.REASON));
            case 7 -> new TimerCommand.Skip(in.name(), in.i64(), in.fence());
            case 8 -> new TimerCommand.ForgetTimer(in.name(), in.text(StateLimits.REASON));
            case 9 -> new TimerCommand.PauseTimer(in.name(), in.text(StateLimits.REASON));
            case 10 -> new TimerCommand.ResumeTimer(in.name(), in.text(StateLimits.REASON));
            case 11 -> new TimerCommand.FireNow(in.name(), in.i64(), in.text(StateLimits.REASON));
            default -> throw BytesIn.unknown(which);
        };
    }

    private static TimerCommand.FireNow numberedByItsTime(String id, long atMillis) {
        return new TimerCommand.FireNow(id, atMillis, "", atMillis);
    }

    public static BytesOut spec(BytesOut out, TimerSpec s) {
        return out.name(s.id())
                .name(s.schedule())
                .name(s.zone())
                .constant(s.misfire())
                .name(s.target());
    }

    public static TimerSpec spec(BytesIn in) {
        return new TimerSpec(in.name(), in.name(), in.name(), in.constant(Misfire.class), in.name());
    }

    public static void timer(BytesOut out, TimerState t) {
        spec(out, t.spec())
                .i64(t.from())
                .i64(t.lastScheduled())
                .fence(t.lastFence())
                .bool(t.done())
                .text(t.lastFailure(), StateLimits.REASON)
                .i64(t.requested())
                .i64(t.requestedAt())
                .fence(t.requestedFence())
                .bool(t.requestOpen())
                .bool(t.paused())
                .i64(t.firings())
                .i64(t.version());
    }

    public static TimerState timer(BytesIn in, int version) {
        TimerSpec spec = spec(in);
        long from = in.i64();
        long lastScheduled = in.i64();
        Fence lastFence = in.fence();
        boolean done = in.bool();
        String lastFailure = in.text(StateLimits.REASON);
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
}
