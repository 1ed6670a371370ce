package io.weir.cluster.state;

/** Commands about timers, to bytes and back. */
final class TimerCodec {
    private TimerCodec() {}

    static void write(BytesOut out, int group, TimerCommand command) {
        switch (command) {
            case TimerCommand.DefineTimer c -> spec(out.u8(group), c.spec()).i64(c.fromMillis());
            case TimerCommand.RemoveTimer c -> out.u8(group | 1).name(c.id());
            case TimerCommand.PauseTimer c -> out.u8(group | 2).name(c.id());
            case TimerCommand.ResumeTimer c -> out.u8(group | 3).name(c.id());
            case TimerCommand.FireNow c -> out.u8(group | 4).name(c.id()).i64(c.atMillis());
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
                        .text(c.failure(), Limits.REASON);
            case TimerCommand.Skip c ->
                out.u8(group | 7).name(c.id()).i64(c.throughMillis()).fence(c.fence());
        }
    }

    static TimerCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new TimerCommand.DefineTimer(spec(in), in.i64());
            case 1 -> new TimerCommand.RemoveTimer(in.name());
            case 2 -> new TimerCommand.PauseTimer(in.name());
            case 3 -> new TimerCommand.ResumeTimer(in.name());
            case 4 -> new TimerCommand.FireNow(in.name(), in.i64());
            case 5 -> new TimerCommand.Fire(in.name(), in.i64(), in.fence(), in.bool());
            case 6 -> new TimerCommand.FireDone(in.name(), in.i64(), in.fence(), in.bool(), in.text(Limits.REASON));
            case 7 -> new TimerCommand.Skip(in.name(), in.i64(), in.fence());
            default -> throw CommandCodec.unknown(which);
        };
    }

    static BytesOut spec(BytesOut out, TimerSpec s) {
        return out.name(s.id())
                .name(s.schedule())
                .name(s.zone())
                .constant(s.misfire())
                .name(s.target());
    }

    static TimerSpec spec(BytesIn in) {
        return new TimerSpec(in.name(), in.name(), in.name(), in.constant(Misfire.class), in.name());
    }
}
