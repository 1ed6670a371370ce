package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.server.config.ConfigLoader;
import io.weir.server.docs.Declarations;
import io.weir.server.files.DataDirectory;
import io.weir.server.start.StartFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor of processes that are played: whatever comes together with the end of one of them, another follows it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class SupervisorTest {
    private static final String LOOP = "weir.Supervisor-";

    private final Gate gate = new Gate();
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();

    @TempDir
    private Path dir = Path.of("");

    /** The machine's time. The loop of the processes, which asks for it with each line that it logs, can be held there, once. */
    private static final class Gate implements Clock {
        private final CompletableFuture<Thread> held = new CompletableFuture<>();
        private final CountDownLatch open = new CountDownLatch(1);
        private volatile boolean shut;

        /** From now on it holds the loop; completes with the loop's thread once that stands. */
        CompletableFuture<Thread> shut() {
            shut = true;
            return held;
        }

        void open() {
            open.countDown();
        }

        @Override
        public long nanos() {
            return SystemClock.INSTANCE.nanos();
        }

        @Override
        public long millis() {
            Thread current = Thread.currentThread();
            if (shut && current.getName().startsWith(LOOP)) {
                held.complete(current);
                await(open);
            }
            return SystemClock.INSTANCE.millis();
        }
    }

    /** The program of a worker that serves nothing: it is ready and well, and ends when it is told to or is an orphan. */
    static final class Played {
        private Played() {}

        public static void main(String[] words) throws Exception {
            int processes = Integer.parseInt(word(words, "--processes="));
            int listeners = word(words, "--sockets=").split(",", -1).length;
            CompletableFuture<WorkerLink> link = new CompletableFuture<>();
            CountDownLatch end = new CountDownLatch(1);
            link.complete(WorkerLink.open(
                    Path.of(word(words, "--link=")),
                    processes * listeners,
                    order -> {
                        if (order.equals(Orders.WELL)) {
                            var _ = link.thenAccept(l -> l.say(Orders.WELL));
                        } else if (order.equals(Orders.DRAIN)) {
                            end.countDown();
                        }
                    },
                    end::countDown));
            if (word(words, "--process=").equals("1")) {
                link.join().say(Orders.AT + " listener.messaging=127.0.0.1:7001");
            }
            link.join().say(Orders.READY + " 127.0.0.1:" + word(words, "--process="));
            end.await();
        }

        private static String word(String[] words, String name) {
            return List.of(words).stream()
                    .filter(w -> w.startsWith(name))
                    .findFirst()
                    .orElseThrow()
                    .substring(name.length());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void until(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** Where the workers listen is told by whom the operator started. */
    @Test
    void listenersOfAllWorkersAreToldOnce() throws Exception {
        Supervisor supervisor = supervisor();
        try {
            supervisor.ready();
            String at = DataDirectory.pidFile(dir).getOrDefault("listener.http", "");
            supervisor.flushLog();
            assertThat(stdout.toString(StandardCharsets.UTF_8))
                    .containsOnlyOnce("Channel \"http\" is now listening on 127.0.0.1:"
                            + at.substring(at.lastIndexOf(':') + 1) + " for protocols http.")
                    .containsOnlyOnce("Channel \"messaging\" is now listening on 127.0.0.1:7001 for protocols weir.");
        } finally {
            supervisor.stop();
        }
    }

    private Supervisor supervisor() throws StartFailure {
        List<String> sets = List.of(
                "server.processes=2",
                "admin.enabled=off",
                "history.enabled=off",
                "listeners.http.port=0",
                "listeners.messaging.port=0");
        List<String> machine = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Played.class.getName());
        return Supervisor.open(new SupervisorParts(
                new ConfigLoader(null, sets, dir).load(),
                dir,
                gate,
                new PrintStream(stdout, true, StandardCharsets.UTF_8),
                new WorkerWords(machine, List.of(), null),
                Declarations.statistics()));
    }

    /** The process of the second slot, as the pid file has it; 0 while none serves. */
    private long second() throws IOException {
        return Long.parseLong(DataDirectory.pidFile(dir).getOrDefault("worker.2", "0"));
    }

    /** Those that a supervisor which stands still left; there is no pid file after a stop. */
    private void killAll() throws IOException {
        DataDirectory.pidFile(dir).forEach((key, pid) -> {
            if (key.startsWith("worker.")) {
                kill(Long.parseLong(pid));
            }
        });
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Whether one thread waits for what the other is to do, which wants a lock that the first one has. */
    private static boolean stuck(Thread waiting, Thread other) {
        ThreadInfo[] both =
                ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {waiting.threadId(), other.threadId()});
        return both[0] != null
                && both[1] != null
                && both[0].getThreadState() == Thread.State.WAITING
                && both[1].getLockOwnerId() == waiting.threadId();
    }

    /**
     * The loop of the processes has seen that one ended, and is about to tell of it, when another thread tells that the
     * start was announced and waits for the loop.
     */
    @Test
    void workerThatEndsWhileTheStartIsAnnouncedIsFollowedByAnother() throws Exception {
        Supervisor supervisor = supervisor();
        try {
            supervisor.ready();
            long victim = second();
            CompletableFuture<Thread> held = gate.shut();
            kill(victim);
            Thread loop = held.get();
            FutureTask<Void> announcing = new FutureTask<>(() -> {
                supervisor.announced();
                return null;
            });
            Thread announcer = Thread.ofPlatform().daemon().start(announcing);
            until(() -> announcing.isDone() || announcer.getState() == Thread.State.WAITING);
            gate.open();
            until(() -> announcing.isDone() || stuck(announcer, loop));
            assertThat(announcing)
                    .as("the loop waits for the thread that waits for it")
                    .isDone();
            announcing.get();
            assertThat(DataDirectory.pidFile(dir)).containsEntry(DataDirectory.ANNOUNCED, "yes");
            until(() -> second() != 0 && second() != victim);
            assertThat(supervisor.stop()).isTrue();
        } finally {
            gate.open();
            killAll();
        }
    }
}
