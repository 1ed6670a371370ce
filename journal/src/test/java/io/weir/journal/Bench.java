package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ByteSize;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.journal.damage.Describer;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.disk.ScriptedDisk;
import io.weir.journal.recovery.Replay;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.WritePolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A journal in a directory of the test's, opened and closed at will. */
public final class Bench implements AutoCloseable {
    final Path directory;
    public final RecordingLog log = new RecordingLog();
    public Stats stats = new Stats();
    WritePolicy policy = WritePolicy.CACHE_FLUSH;
    long segment = 64 << 10;
    int queueGroups = 10_000;
    long total = 64 << 20;
    public boolean tolerate;
    public Clock clock = SystemClock.INSTANCE;
    ScriptedDisk.Script script = _ -> {};
    public final Map<Long, String> replayed = new LinkedHashMap<>();
    private @Nullable Journal journal;

    public Bench(Path directory) {
        this.directory = directory;
    }

    public JournalConfig config() {
        return new JournalConfig(
                policy,
                new ByteSize(segment),
                new ByteSize(total),
                new ByteSize(32 << 10),
                new ByteSize(512),
                new ByteSize(256 << 10),
                queueGroups,
                new ByteSize(1 << 20),
                0.3,
                new ByteSize(8 << 10),
                Duration.ofMillis(1),
                true,
                tolerate);
    }

    public Journal open() throws JournalFault, IOException {
        replayed.clear();
        Disk disk = new ScriptedDisk(new FileDisk(directory), script);
        Journal j = Journals.open(
                "test", config(), new Journals.Parts(disk, clock, Chance.seeded(1), stats, log), new Texts());
        journal = j;
        return j;
    }

    public Journal reopen() throws JournalFault, IOException {
        close();
        return open();
    }

    /** Appends texts one by one, each durable before the next; their ids. */
    public List<Long> append(String... texts) throws Exception {
        List<Long> ids = new ArrayList<>();
        for (String text : texts) {
            CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
            ids.add(journal().append(1, text(text), done::complete));
            assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
        }
        return ids;
    }

    public void remove(List<Long> ids) throws Exception {
        Group g = journal().group();
        ids.forEach(g::remove);
        assertThat(submit(g)).isNull();
    }

    @Nullable
    public JournalFault submit(Group g) throws Exception {
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        journal().submit(g, done::complete);
        return done.get(3, TimeUnit.MINUTES);
    }

    public void checkpoint() throws Exception {
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        journal().checkpoint(done::complete);
        assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
    }

    public Journal journal() {
        Journal j = journal;
        if (j == null) {
            throw new IllegalStateException("not open");
        }
        return j;
    }

    /** Why, or null where nothing failed. */
    static JournalFault.@Nullable Reason reason(@Nullable JournalFault fault) {
        return fault == null ? null : fault.reason();
    }

    /** Throws it, whatever it is. */
    static void sneak(Throwable t) {
        if (t instanceof Error e) {
            throw e;
        }
        throw (RuntimeException) t;
    }

    public static Payload text(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Names of segment files, ascending. */
    public List<Path> segments() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(f -> f.toString().endsWith(".journal")).sorted().toList();
        }
    }

    /** Changes one byte of a text in a file. */
    public void flip(Path file, String text) throws IOException {
        byte[] all = Files.readAllBytes(file);
        int at = new String(all, StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(at).as("place of " + text).isPositive();
        all[at] ^= 1;
        Files.write(file, all);
    }

    @Override
    public void close() {
        Journal j = journal;
        if (j != null) {
            journal = null;
            Thread closing = Thread.ofPlatform().daemon().start(j::close);
            try {
                assertThat(closing.join(Duration.ofSeconds(60))).as("closed").isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Keeps what is replayed; entries are texts. */
    private final class Texts implements Replay, Describer {
        @Override
        public void entry(long id, int type, ByteBuffer payload) {
            replayed.put(id, StandardCharsets.UTF_8.decode(payload).toString());
        }

        @Override
        public Describer describer() {
            return this;
        }

        @Override
        public String name(int type, ByteBuffer payload) {
            String text = StandardCharsets.ISO_8859_1.decode(payload).toString();
            return "text " + text.split("~", -1)[0];
        }

        @Override
        public String loss(int type, ByteBuffer payload) {
            return name(type, payload) + " is gone";
        }
    }
}
