package io.weir.server.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.server.history.SeriesKey.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ring outlives kills in a write, a full disk, clocks that are set, and what other versions declare. */
class RingTest {
    private static final long TEN = 10_000;
    private static final long BEGIN = 1_700_000_000_000L;
    private static final Ring.Bounds DAY = new Ring.Bounds(24 * 3_600_000L, 64 << 20);

    @TempDir
    Path dataDir = Path.of("");

    private final AtomicLong room = new AtomicLong(Long.MAX_VALUE);
    private int damaged;
    private int dropped;
    private Path folder = Path.of("");
    private Ring ring = fresh();

    @BeforeEach
    void begin() throws IOException {
        folder = Files.createDirectories(dataDir.resolve(Recorder.FOLDER));
        ring = fresh();
    }

    /** That of another process. */
    private Ring fresh() {
        return new Ring(folder, Recorder.SHORT, () -> dropped++, () -> damaged++, file -> new FullDisk(file, room));
    }

    private static SeriesKey counted(String metric) {
        return new SeriesKey(metric, Part.COUNT, 0, List.of());
    }

    private void append(long millis, long value) throws IOException {
        append(millis, Map.of(counted("a"), value, counted("b"), value * 3));
    }

    private void append(long millis, Map<SeriesKey, Long> row) throws IOException {
        ring.append(millis, TEN, row, DAY);
    }

    private List<Ring.Part> files() throws IOException {
        return Ring.files(folder, Recorder.SHORT);
    }

    private double[] rates(String metric, long from, long to) throws IOException {
        return new HistoryArchive(dataDir)
                .answer(new Question(metric, Map.of(), from, to, TEN))
                .getFirst()
                .points()[0];
    }

    @Test
    void killAnywhereInAWriteCostsThatRowAtMost() throws IOException {
        for (int i = 0; i < 4; i++) {
            append(BEGIN + i * TEN, 50L * i);
        }
        ring.close();
        Path file = files().getFirst().file();
        long before = Files.size(file);
        ring = fresh();
        // another series, too: a definition and a row
        append(BEGIN + 4 * TEN, Map.of(counted("a"), 200L, counted("b"), 600L, counted("c"), 1L));
        ring.close();
        byte[] whole = Files.readAllBytes(file);
        for (int cut = (int) before; cut < whole.length; cut++) {
            Files.write(file, Arrays.copyOf(whole, cut));
            ring = fresh();
            append(BEGIN + 5 * TEN, 250);
            ring.close();
            assertThat(files()).as("it goes on, cut at %d", cut).hasSize(1);
            assertThat(rates("a", BEGIN + 1, BEGIN + 5 * TEN + 1))
                    .as("cut at %d", cut)
                    .containsExactly(5, 5, 5, Double.NaN, 5);
        }
        assertThat(damaged).as("counted, but for a cut between records").isEqualTo(whole.length - (int) before - 2);
    }

    @Test
    void rowThatTheDiskHasNoRoomForIsTakenOffAndNothingIsLeftBehind() throws IOException {
        append(BEGIN, 0);
        append(BEGIN + TEN, 50);
        room.set(7);
        for (int i = 2; i < 20; i++) {
            long millis = BEGIN + i * TEN;
            assertThatThrownBy(() -> append(millis, 1000)).hasMessageContaining("No space");
        }
        assertThat(files()).hasSize(1);
        room.set(Long.MAX_VALUE);
        append(BEGIN + 20 * TEN, 1000);
        append(BEGIN + 21 * TEN, 1100);
        double[] rates = rates("a", BEGIN + 1, BEGIN + 21 * TEN + 1);
        assertThat(rates[0]).isEqualTo(5);
        assertThat(rates[10]).isNaN();
        assertThat(rates[20]).isEqualTo(10);
        ring.close();
        try (var all = Files.list(folder)) {
            all.forEach(f -> assertThat(f.toFile().delete()).isTrue());
        }
        room.set(5);
        ring = fresh();
        assertThatThrownBy(() -> append(BEGIN + 22 * TEN, 1)).hasMessageContaining("No space");
        assertThat(folder).as("no file without a whole head").isEmptyDirectory();
    }

    @Test
    void clockThatWasAheadHidesNothingThatCameAfterItWasSetRight() throws IOException {
        append(BEGIN, 0);
        append(BEGIN + TEN, 50);
        append(BEGIN + TEN + 1_800_000, 60);
        append(BEGIN + 2 * TEN, 100);
        append(BEGIN + 3 * TEN, 150);
        assertThat(rates("a", BEGIN + 1, BEGIN + 3 * TEN + 1)).containsExactly(5, 5, 5);
        // far ahead: a file of its own, which is the last one and stays, as does the one that is written
        append(BEGIN + 400L * 24 * 3_600_000, 160);
        assertThat(dropped).as("by their time, which is not counted").isZero();
        for (int i = 4; i < 40; i++) {
            append(BEGIN + i * TEN, 50L * i);
        }
        double[] rates = rates("a", BEGIN + 6 * TEN, BEGIN + 39 * TEN);
        assertThat(rates).containsOnly(5);
        ring.close();
        ring = fresh();
        append(BEGIN + 40 * TEN, 2000);
        assertThat(rates("a", BEGIN + 39 * TEN + 1, BEGIN + 40 * TEN + 1)).containsExactly(5);
    }

    @Test
    void sizeIsBoundedAlsoWhereTheWrittenFileIsNotTheLastAndByRowsThatAreTooLarge() throws IOException {
        Ring.Bounds small = new Ring.Bounds(24 * 3_600_000L, 8192);
        ring.append(BEGIN + 10_000 * TEN, TEN, row(20, 1), small);
        for (int i = 0; i < 2000; i++) {
            ring.append(BEGIN + i * TEN, TEN, row(20, i * 1000L), small);
            assertThat(ring.size()).isLessThanOrEqualTo(8192);
        }
        assertThat(dropped).isPositive();
        assertThat(rates("m3", BEGIN + 1998 * TEN + 1, BEGIN + 1999 * TEN + 1)).containsExactly(100);
        assertThatThrownBy(() -> ring.append(BEGIN + 2000 * TEN, TEN, row(2000, 5), small))
                .hasMessageContaining("history.max-size");
        ring.append(BEGIN + 2001 * TEN, TEN, row(20, 7), small);
    }

    private static Map<SeriesKey, Long> row(int series, long value) {
        Map<SeriesKey, Long> row = new LinkedHashMap<>();
        for (int i = 0; i < series; i++) {
            row.put(counted("m" + i), value);
        }
        return row;
    }

    @Test
    void valuesThatAnotherVersionDeclaredOtherwiseAreWhatTheyAreNow() throws IOException {
        // a gauge becomes a counter; a counter gets a label; a distribution gets other bounds; one is new and one is
        // gone
        SeriesKey level = new SeriesKey("x", Part.LEVEL, 0, List.of());
        for (int i = 0; i < 3; i++) {
            append(
                    BEGIN + i * TEN,
                    with(bounds(i * 100L, 10, 100), Map.of(level, 5L, counted("y"), 10L * i, counted("gone"), 1L)));
        }
        ring.close();
        ring = fresh();
        SeriesKey labelled = new SeriesKey("y", Part.COUNT, 0, List.of("kind", "z"));
        for (int i = 3; i < 6; i++) {
            append(
                    BEGIN + i * TEN,
                    with(
                            bounds(i * 100L, 20, 200),
                            Map.of(counted("x"), 20L * i, labelled, 10L * i, counted("new"), 10L * i)));
        }
        assertThat(rates("x", BEGIN + 3 * TEN + 2, BEGIN + 5 * TEN + 2)).containsExactly(2, 2);
        assertThat(new HistoryArchive(dataDir).answer(new Question("y", Map.of(), BEGIN, BEGIN + 6 * TEN, TEN)))
                .extracting(Curve::labels)
                .containsExactlyInAnyOrder(List.of(), List.of("kind", "z"));
        assertThat(rates("new", BEGIN + 3 * TEN + 2, BEGIN + 5 * TEN + 2)).containsExactly(1, 1);
        Curve times = new HistoryArchive(dataDir)
                .answer(new Question("d", Map.of(), BEGIN + 3 * TEN + 2, BEGIN + 5 * TEN + 2, 2 * TEN))
                .getFirst();
        assertThat(times.points()[2][0]).as("median by the bounds of now").isEqualTo(10);
    }

    private static Map<SeriesKey, Long> with(Map<SeriesKey, Long> row, Map<SeriesKey, Long> more) {
        row.putAll(more);
        return row;
    }

    /** All values lie evenly below the first bound. */
    private static Map<SeriesKey, Long> bounds(long events, long... bounds) {
        Map<SeriesKey, Long> row = new LinkedHashMap<>();
        row.put(new SeriesKey("d", Part.EVENTS, 0, List.of()), events);
        row.put(new SeriesKey("d", Part.SUM, 0, List.of()), events * 5);
        for (long bound : bounds) {
            row.put(new SeriesKey("d", Part.UP_TO, bound, List.of()), events);
        }
        return row;
    }

    @Test
    void fileOfALaterVersionIsLeftAloneAndAnotherBegun() throws IOException {
        append(BEGIN, 0);
        ring.close();
        Path file = files().getFirst().file();
        byte[] bytes = Files.readAllBytes(file);
        bytes[Rows.MAGIC.length] = Rows.VERSION + 1;
        Files.write(file, bytes);
        ring = fresh();
        append(BEGIN + TEN, 10);
        append(BEGIN + 2 * TEN, 20);
        assertThat(Files.readAllBytes(file)).as("for whoever goes back to it").isEqualTo(bytes);
        assertThat(damaged).isOne();
        assertThat(rates("a", BEGIN + TEN + 1, BEGIN + 2 * TEN + 1)).containsExactly(1);
    }
}
