package io.weir.cluster.log;

import io.weir.journal.Payload;
import io.weir.journal.damage.Describer;
import io.weir.journal.recovery.Replay;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal's contents when a {@link LocalLog} is opened: the last snapshot and the commands that it does not cover.
 * Confined to the thread that opens the log.
 */
final class LocalReplay implements Replay {
    /** Entry type of a command; the entry's id is the command's index. */
    static final int COMMAND = 1;
    /** Entry type of a snapshot: u64 index of the last command in it, then the state's bytes. */
    static final int SNAPSHOT = 2;

    private final List<Command> commands = new ArrayList<>();
    private final List<Long> ids = new ArrayList<>();
    private byte @Nullable [] snapshot;
    private long applied;
    private long bytes;

    /** A command and its index. */
    private static final class Command {
        final long index;
        final byte[] bytes;

        Command(long index, byte[] bytes) {
            this.index = index;
            this.bytes = bytes;
        }
    }

    @Override
    public void entry(long id, int type, ByteBuffer payload) {
        ids.add(id);
        switch (type) {
            case COMMAND -> {
                commands.add(new Command(id, bytes(payload)));
                bytes += commands.getLast().bytes.length;
            }
            case SNAPSHOT -> {
                applied = payload.getLong();
                snapshot = bytes(payload);
            }
            default ->
                throw new IllegalArgumentException("the cluster's log has an entry of type " + type
                        + ": start the version of Weir that wrote it, or a later one");
        }
    }

    @Override
    public Describer describer() {
        return Names.INSTANCE;
    }

    /** Describes entries for messages. Stateless. */
    private enum Names implements Describer {
        INSTANCE;

        @Override
        public String name(int type, ByteBuffer payload) {
            return switch (type) {
                case COMMAND -> "a command of the cluster";
                case SNAPSHOT -> "a snapshot of the cluster's state";
                default -> "an entry of type " + type;
            };
        }

        @Override
        public String loss(int type, ByteBuffer payload) {
            return name(type, payload) + " is lost: check with ./weir cluster status whether the state is as expected";
        }
    }

    private static byte[] bytes(ByteBuffer payload) {
        byte[] b = new byte[payload.remaining()];
        payload.get(b);
        return b;
    }

    /** Restores a state to the end of the log. */
    void into(ReplicatedState state) {
        if (snapshot != null) {
            state.restore(snapshot);
        }
        for (Command c : commands) {
            // a command that the snapshot does not cover may have a lower id than it; covered ones were removed with it
            if (c.index > applied) {
                state.apply(c.index, c.bytes);
                applied = c.index;
            }
        }
        commands.clear();
        snapshot = null;
    }

    /** Index of the last command. */
    long applied() {
        return applied;
    }

    /** Ids of all live entries. */
    List<Long> ids() {
        return ids;
    }

    /** Total bytes of the live commands. */
    long bytes() {
        return bytes;
    }

    static Payload snapshot(long applied, byte[] state) {
        return new Payload() {
            @Override
            public int length() {
                return Long.BYTES + state.length;
            }

            @Override
            public void writeTo(ByteBuffer buffer) {
                buffer.putLong(applied).put(state);
            }
        };
    }
}
