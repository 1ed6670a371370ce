package io.weir.kernel.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.Await;
import io.weir.kernel.TestKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BatchSchedulingTest {
    /** Linux shows the first fifteen bytes of a thread's name. */
    private static final String ACCEPTOR = "DynamicListenThread".substring(0, 15);

    private static final String BATCH = "3";

    /** The policy's place in /proc/PID/task/TID/stat, counted from the state, which follows the name. */
    private static final int POLICY = 38;

    @Test
    void acceptorsDoNotInterruptMuxers() throws Exception {
        List<Path> before = threads();
        try (TestKernel kernel = new TestKernel()) {
            assertThat(kernel.listener.acceptorThreads()).isOne();
            List<Path> started =
                    threads().stream().filter(t -> !before.contains(t)).toList();
            List<Path> acceptors =
                    started.stream().filter(t -> name(t).equals(ACCEPTOR)).toList();
            assertThat(acceptors).hasSize(1);
            Await.until(
                    "the acceptor's policy", () -> policy(acceptors.getFirst()).equals(BATCH));
            List<Path> muxers = started.stream()
                    .filter(t -> name(t).startsWith("ExecuteThread"))
                    .toList();
            assertThat(muxers)
                    .isNotEmpty()
                    .allSatisfy(t -> assertThat(policy(t)).isEqualTo("0"));
        }
    }

    private static List<Path> threads() throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.toList();
        }
    }

    private static String name(Path thread) {
        String stat = stat(thread);
        return stat.substring(stat.indexOf('(') + 1, Math.max(stat.lastIndexOf(')'), stat.indexOf('(') + 1));
    }

    private static String policy(Path thread) {
        String stat = stat(thread);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return fields.length > POLICY ? fields[POLICY] : "";
    }

    /** Empty brackets for a thread that has ended. */
    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException e) {
            return "() ";
        }
    }
}
