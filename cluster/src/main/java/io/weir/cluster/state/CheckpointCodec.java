package io.weir.cluster.state;

/** Commands about checkpoints, and checkpoints, to bytes and back. */
final class CheckpointCodec {
    private CheckpointCodec() {}

    static void write(BytesOut out, int group, CheckpointCommand command) {
        switch (command) {
            case CheckpointCommand.Put c ->
                out.u8(group)
                        .name(c.singleton())
                        .name(c.key())
                        .text(c.text(), Limits.TEXT)
                        .fence(c.fence());
            case CheckpointCommand.Remove c ->
                out.u8(group | 1).name(c.singleton()).name(c.key()).fence(c.fence());
        }
    }

    static CheckpointCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new CheckpointCommand.Put(in.name(), in.name(), in.text(Limits.TEXT), in.fence());
            case 1 -> new CheckpointCommand.Remove(in.name(), in.name(), in.fence());
            default -> throw CommandCodec.unknown(which);
        };
    }

    static void checkpoint(BytesOut out, Checkpoint c) {
        out.name(c.singleton())
                .name(c.key())
                .text(c.text(), Limits.TEXT)
                .fence(c.fence())
                .i64(c.index());
    }

    static Checkpoint checkpoint(BytesIn in) {
        return new Checkpoint(in.name(), in.name(), in.text(Limits.TEXT), in.fence(), in.i64());
    }
}
