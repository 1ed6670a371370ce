package io.weir.cluster.log;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process that appends numbers to a local log and says which were answered, until it is killed. */
final class CountingProcess {
    private static final int AT_ONCE = 20;

    private CountingProcess() {}

    /** A state that is the list of numbers applied. */
    static final class Numbers implements ReplicatedState {
        final List<Integer> numbers = new ArrayList<>();

        @Override
        public byte[] apply(long index, byte[] command) {
            numbers.add(Integer.parseInt(new String(command, StandardCharsets.UTF_8)));
            return command;
        }

        @Override
        public byte[] snapshot() {
            return Integer.toString(numbers.size()).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void restore(byte[] snapshot) {
            numbers.clear();
            int count = Integer.parseInt(new String(snapshot, StandardCharsets.UTF_8));
            for (int i = 0; i < count; i++) {
                numbers.add(i);
            }
        }

        @Override
        public void leadership(boolean leading, long term) {
            // always
        }
    }

    public static void main(String[] arguments) throws Exception {
        Numbers state = new Numbers();
        ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.unseeded());
        try (LocalLog log =
                LocalLog.open(Path.of(arguments[0]), "a", state, loop, Chance.unseeded(), new Stats(), Log.NONE)) {
            for (int next = state.numbers.size(); ; next += AT_ONCE) {
                List<CompletableFuture<byte[]>> answers = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    answers.add(log.submit(Integer.toString(next + i).getBytes(StandardCharsets.UTF_8)));
                }
                for (CompletableFuture<byte[]> a : answers) {
                    System.out.println(new String(a.get(), StandardCharsets.UTF_8));
                }
            }
        }
    }
}
