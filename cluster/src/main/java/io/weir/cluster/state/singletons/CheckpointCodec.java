package io.weir.cluster.state.singletons;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;

/** Encodes and decodes checkpoints, and commands about them. */
public final class CheckpointCodec {
    private CheckpointCodec() {}

    public static void write(BytesOut out, int group, CheckpointCommand command) {
        switch (command) {
            case CheckpointCommand.Put c ->
                out.u8(group)
                        .name(c.singleton())
                        .name(c.key())
                        .text(c.text(), StateLimits.TEXT)
                        .fence(c.fence());
            case CheckpointCommand.Remove c ->
                out.u8(group | 1).name(c.singleton()).name(c.key()).fence(c.fence());
        }
    }

    public static CheckpointCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new CheckpointCommand.Put(in.name(), in.name(), in.text(StateLimits.TEXT), in.fence());
            case 1 -> new CheckpointCommand.Remove(in.name(), in.name(), in.fence());
            default -> throw BytesIn.unknown(which);
        };
    }

    public static void checkpoint(BytesOut out, Checkpoint c) {
        out.name(c.singleton())
                .name(c.key())
                .text(c.text(), StateLimits.TEXT)
                .fence(c.fence())
                .i64(c.index());
    }

    public static Checkpoint checkpoint(BytesIn in) {
        return new Checkpoint(in.name(), in.name(), in.text(StateLimits.TEXT), in.fence(), in.i64());
    }
}
