package io.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterStats;
import io.weir.journal.Journals;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.settings.JournalFault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a cluster of one. */
class LocalLogTest {
    @TempDir
    Path directory = Path.of(".");

    private final HandLoop loop = new HandLoop(0);
    private final List<LocalLog> open = new ArrayList<>();

    /** A state that remembers all texts it was given. */
    private static final class Texts implements ReplicatedState {
        final List<String> texts = new ArrayList<>();
        final List<Long> indexes = new ArrayList<>();
        final List<String> told = new ArrayList<>();
        int restored;

        @Override
        public byte[] apply(long index, byte[] command) {
            texts.add(new String(command, StandardCharsets.UTF_8));
            indexes.add(index);
            return ("answer to " + texts.getLast()).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] snapshot() {
            return String.join(",", texts).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void restore(byte[] snapshot) {
            restored++;
            texts.clear();
            texts.addAll(List.of(new String(snapshot, StandardCharsets.UTF_8).split(",")));
        }

        @Override
        public void leadership(boolean leading, long term) {
            told.add(leading + " " + term);
        }
    }

    private LocalLog open(Path where, ReplicatedState state) throws Exception {
        LocalLog log = LocalLog.open(where, "alone", state, loop, Chance.seeded(1), new Stats(), Log.NONE);
        open.add(log);
        return log;
    }

    @AfterEach
    void close() {
        open.forEach(LocalLog::close);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String answer(CompletableFuture<byte[]> future) throws Exception {
        return new String(future.get(3, TimeUnit.MINUTES), StandardCharsets.UTF_8);
    }

    @Test
    void leadsFromTheStartAndAnswersWhatItApplied() throws Exception {
        Texts state = new Texts();
        LocalLog log = open(directory, state);
        assertThat(log.status().leading()).isTrue();
        assertThat(log.status().leader()).isEqualTo("alone");
        assertThat(state.told).containsExactly("true 1");
        assertThat(answer(log.submit(text("one")))).isEqualTo("answer to one");
        assertThat(log.status().applied()).isEqualTo(state.indexes.getLast());
        log.barrier().get(1, TimeUnit.SECONDS);
        log.yieldLeadership().get(1, TimeUnit.SECONDS);
    }

    @Test
    void recoversWhatItAnsweredAndIndexesRise() throws Exception {
        Texts before = new Texts();
        LocalLog log = open(directory, before);
        answer(log.submit(text("one")));
        answer(log.submit(text("two")));
        log.close();
        Texts after = new Texts();
        LocalLog again = open(directory, after);
        assertThat(after.texts).containsExactly("one", "two");
        assertThat(after.indexes).isEqualTo(before.indexes);
        answer(again.submit(text("three")));
        assertThat(after.indexes.getLast()).isGreaterThan(before.indexes.getLast());
        assertThat(again.status().term()).isGreaterThan(log.status().term());
    }

    @Test
    void whatWasAnsweredSurvivesWithoutAClose() throws Exception {
        LocalLog log = open(directory, new Texts());
        answer(log.submit(text("one")));
        Path copy = Files.createDirectory(directory.resolveSibling(directory.getFileName() + "-copy"));
        copyTo(copy);
        Texts after = new Texts();
        open(copy, after);
        assertThat(after.texts).containsExactly("one");
    }

    /** The files as a process that dies now leaves them. */
    private void copyTo(Path copy) throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path f : files.filter(p -> p.toString().endsWith(".journal")).toList()) {
                Files.copy(f, copy.resolve(f.getFileName()));
            }
        }
    }

    @Test
    void aSnapshotReplacesTheCommandsThatItCovers() throws Exception {
        LocalLog log = open(directory, new Texts());
        int count = LocalLog.COMPACT_AFTER * 2 + 10;
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add("t" + i);
            all.add(log.submit(text("t" + i)));
        }
        for (CompletableFuture<byte[]> f : all) {
            answer(f);
        }
        log.close();
        Texts after = new Texts();
        open(directory, after);
        assertThat(after.texts).isEqualTo(sent);
        assertThat(after.restored).isEqualTo(1);
        assertThat(after.indexes).as("commands that were read again").hasSizeLessThanOrEqualTo(LocalLog.COMPACT_AFTER);
    }

    @Test
    void anotherProcessOnTheDirectoryIsRefused() throws Exception {
        open(directory, new Texts());
        assertThatThrownBy(() -> open(directory, new Texts())).isInstanceOf(JournalFault.class);
    }

    @Test
    void aStateThatCannotReadTheSnapshotStopsTheStartAndFreesTheDirectory() throws Exception {
        LocalLog log = open(directory, new Texts());
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int i = 0; i <= LocalLog.COMPACT_AFTER + 1; i++) {
            all.add(log.submit(text("t" + i)));
        }
        for (CompletableFuture<byte[]> f : all) {
            answer(f);
        }
        log.close();
        ReplicatedState choosy = new ReplicatedState() {
            @Override
            public byte[] apply(long index, byte[] command) {
                return command;
            }

            @Override
            public byte[] snapshot() {
                return new byte[0];
            }

            @Override
            public void restore(byte[] snapshot) {
                throw new IllegalArgumentException("version 7");
            }

            @Override
            public void leadership(boolean leading, long term) {
                throw new AssertionError("leads nothing");
            }
        };
        assertThatThrownBy(() -> open(directory, choosy)).hasMessage("version 7");
        open(directory, new Texts());
    }

    @Test
    void closedItTakesNothing() throws Exception {
        LocalLog log = open(directory, new Texts());
        log.close();
        log.close();
        assertThat(kind(log.submit(text("late")))).isEqualTo(LogFault.Kind.CLOSED);
        assertThat(log.barrier()).isCompletedExceptionally();
        assertThat(log.status().leading()).isFalse();
    }

    /** A log on a disk whose thread the test runs, or does not. */
    private LocalLog stuck(Texts state, List<Runnable> tasks) throws Exception {
        LocalLog log = LocalLog.open("alone", state, loop, parts(), tasks::add);
        return log;
    }

    private Journals.Parts parts() throws Exception {
        return new Journals.Parts(new FileDisk(directory), loop.clock(), Chance.seeded(1), new Stats(), Log.NONE);
    }

    @Test
    void tooManyOutstandingAreRefusedAtOnceAsNotCommitted() throws Exception {
        Texts state = new Texts();
        List<Runnable> tasks = new ArrayList<>();
        Journals.Parts parts = parts();
        LocalLog log = LocalLog.open("alone", state, loop, parts, tasks::add);
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int i = 0; i < LocalLog.OUTSTANDING; i++) {
            all.add(log.submit(text("t" + i)));
        }
        assertThat(all).noneMatch(CompletableFuture::isDone);
        assertThat(kind(log.submit(text("one too many")))).isEqualTo(LogFault.Kind.NOT_COMMITTED);
        List.copyOf(tasks).forEach(Runnable::run);
        assertThat(answer(all.getLast())).isEqualTo("answer to t" + (LocalLog.OUTSTANDING - 1));
        assertThat(state.texts).hasSize(LocalLog.OUTSTANDING);
        assertThat(parts.stats().value(ClusterStats.SUBMITTED, "busy")).isEqualTo(1);
        assertThat(parts.stats().value(ClusterStats.SUBMITTED, "committed")).isEqualTo(LocalLog.OUTSTANDING);
    }

    @Test
    void whatTheDiskDoesNotAnswerIsUnknownAfterTheTimeOutAndMayStillCommit() throws Exception {
        Texts state = new Texts();
        List<Runnable> tasks = new ArrayList<>();
        LocalLog log = stuck(state, tasks);
        CompletableFuture<byte[]> f = log.submit(text("slow"));
        loop.pass(Duration.ofSeconds(9));
        assertThat(f).isNotDone();
        loop.pass(Duration.ofSeconds(3));
        assertThat(kind(f)).isEqualTo(LogFault.Kind.UNKNOWN);
        List.copyOf(tasks).forEach(Runnable::run);
        assertThat(state.texts).containsExactly("slow");
    }

    private static LogFault.Kind kind(CompletableFuture<byte[]> future) throws Exception {
        try {
            future.get(3, TimeUnit.MINUTES);
            throw new AssertionError("answered");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LogFault f) {
                return f.kind();
            }
            throw e;
        }
    }
}
