package io.weir.journal.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.journal.Bench;
import io.weir.journal.Group;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.segment.Records;
import io.weir.journal.segment.SegmentHeader;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import io.weir.journal.settings.JournalStats;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage, and what was lost with it, is reported until it is acknowledged. */
class DamageTest {
    private static final int STEPS = 10_000;

    @TempDir
    Path directory = Path.of(".");

    private Bench bench = new Bench(directory);

    @BeforeEach
    void make() {
        bench = new Bench(directory);
        bench.clock = new SteppedClock(1_700_000_000_000L);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private List<Damage> open() {
        return bench.journal().damages().open();
    }

    private Damage only() {
        assertThat(open()).hasSize(1);
        return open().getFirst();
    }

    @Test
    void aFlippedBitInAPayloadSaysWhichEntryIsLost() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one~", "two~ and more", "three~");
        bench.close();
        Path file = bench.segments().getFirst();
        bench.flip(file, " and more");
        bench.open();
        Damage d = only();
        assertThat(d.lost()).containsExactly("entry " + ids.get(1) + ": text two is gone");
        assertThat(d.file()).isEqualTo(file.getFileName().toString());
        assertThat(d.cause()).isEqualTo("the checksum does not match");
        assertThat(d.by()).isEqualTo("start");
        assertThat(d.found()).isEqualTo(1_700_000_000_000L);
        assertThat(d.length()).isEqualTo(64);
        assertThat(bench.stats.value(JournalStats.DAMAGE, "test")).isEqualTo(1);
        assertThat(bench.log.count(JournalMessages.DAMAGE_OPEN)).isEqualTo(1);
    }

    @Test
    void aFlippedBitInAHeaderSaysWhatStoodThereAllTheSame() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one~", "two~", "three~");
        bench.close();
        change(bench.segments().getFirst(), "two~", -Records.HEADER + Records.AT_SEQUENCE + 7, 1);
        bench.open();
        assertThat(only().lost())
                .containsExactly("entry " + ids.get(1) + ": text two is gone (its header has a flipped bit)");
    }

    @Test
    void whatCannotBeReadAtAllIsTrappedBetweenItsNeighbours() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one~", "two~", "three~");
        bench.close();
        change(bench.segments().getFirst(), "two~", -Records.HEADER, 0xff);
        bench.open();
        assertThat(only().cause()).isEqualTo("no readable header");
        assertThat(only().lost())
                .containsExactly("unknown: " + only().length() + " bytes between entry " + ids.get(0)
                        + " (text one) and entry " + ids.get(2) + " (text three)");
    }

    @Test
    void ofAGroupThatIsNotWholeEachPartIsTold() throws Exception {
        bench.open();
        List<Long> ids = bench.append("zero~");
        Group g = bench.journal().group();
        ids.add(g.add(1, Bench.text("one~")));
        ids.add(g.add(1, Bench.text("two~ and more")));
        g.remove(ids.getFirst());
        assertThat(bench.submit(g)).isNull();
        bench.append("three~");
        bench.close();
        bench.flip(bench.segments().getFirst(), " and more");
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("zero~", "three~");
        assertThat(only().cause()).isEqualTo("a group is incomplete");
        assertThat(only().lost())
                .containsExactly(
                        "entry " + ids.get(1) + ": text one is gone",
                        "entry " + ids.get(2) + ": text two is gone",
                        "removals of 1 entries, these reappear: entry " + ids.get(0) + ", text zero");
    }

    @Test
    void aLostRemovalSaysWhatComesBack() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one~", "two~");
        long before = Files.size(bench.segments().getFirst());
        bench.remove(ids.subList(0, 1));
        bench.append("three~");
        bench.close();
        assertThat(before).isPositive();
        removalOf(ids.getFirst());
        bench.open();
        assertThat(bench.replayed.values()).contains("one~");
        assertThat(only().lost())
                .containsExactly("removals of 1 entries, these reappear: entry " + ids.get(0) + ", text one");
    }

    @Test
    void whatHadBeenRemovedIsNoLoss() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one~", "two~ and more", "three~");
        bench.remove(ids.subList(1, 2));
        bench.append("four~");
        bench.close();
        bench.flip(bench.segments().getFirst(), " and more");
        bench.open();
        assertThat(only().lost()).containsExactly("nothing: entry " + ids.get(1) + " had been removed");
    }

    @Test
    void itIsToldAtEachStartUntilItIsAcknowledgedAndThenNoMoreThoughItIsStillThere() throws Exception {
        bench.open();
        bench.append("one~", "two~ and more", "three~");
        bench.close();
        bench.flip(bench.segments().getFirst(), " and more");
        bench.open();
        long number = only().number();
        bench.reopen();
        assertThat(only().number()).as("the same place is no news").isEqualTo(number);
        assertThat(bench.journal().damages().acknowledge(number - 1, "early")).isZero();
        assertThat(bench.journal().damages().acknowledge(number, "anna")).isEqualTo(1);
        assertThat(open()).isEmpty();
        assertThat(bench.stats.value(JournalStats.DAMAGE, "test")).isZero();
        assertThat(bench.log.count(JournalMessages.DAMAGE_ACKNOWLEDGED)).isEqualTo(1);
        assertThat(Files.readString(directory.resolve("test.damage"))).contains("anna, 2023-11-14T22:13:20Z");
        long told = bench.log.count(JournalMessages.DAMAGED);
        assertThat(told).as("at each of two starts").isEqualTo(2);
        bench.reopen();
        assertThat(open()).isEmpty();
        assertThat(bench.log.count(JournalMessages.DAMAGED))
                .as("somebody has seen it: it is not told again")
                .isEqualTo(told);
        bench.remove(List.copyOf(bench.replayed.keySet()));
        bench.append("new");
        bench.checkpoint();
        assertThat(bench.log.count(JournalMessages.DAMAGED))
                .as("nor by compaction")
                .isEqualTo(told);
        bench.reopen();
        bench.reopen();
        assertThat(Files.readString(directory.resolve("test.damage")))
                .as("what is gone with its segment is forgotten")
                .doesNotContain("anna");
    }

    @Test
    void whatCompactionFindsIsKeptToo() throws Exception {
        bench.open();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            ids.addAll(bench.append("kept-" + i + "~" + "x".repeat(1000)));
        }
        // while it is open: only compaction reads the segment again
        bench.flip(bench.segments().getFirst(), "kept-3~");
        bench.remove(ids.subList(5, 100));
        bench.append("more");
        // it goes through a segment in steps, each with a batch
        for (int i = 0; i < STEPS && open().isEmpty(); i++) {
            bench.checkpoint();
        }
        assertThat(only().by()).isEqualTo("compaction");
        assertThat(only().lost()).hasSize(1).first().asString().contains("entry " + ids.get(3));
        bench.reopen();
        assertThat(only().by()).as("found again by the start, and known").isEqualTo("compaction");
    }

    @Test
    void aMissingSegmentThatIsToleratedIsDamage() throws Exception {
        bench.open();
        for (int i = 0; i < 200; i++) {
            bench.append("x".repeat(1000));
        }
        bench.close();
        Path gone = bench.segments().get(1);
        Files.delete(gone);
        assertThatThrownBy(bench::open).isInstanceOf(JournalFault.class);
        assertThat(directory.resolve("test.damage")).doesNotExist();
        bench.tolerate = true;
        bench.open();
        assertThat(only().file()).isEqualTo(gone.getFileName().toString());
        assertThat(only().cause()).isEqualTo("the file is missing");
        assertThat(only().lost())
                .hasSize(1)
                .first()
                .asString()
                .matches("unknown: its entire content, mostly entries above \\d+, up to \\d+");
        bench.tolerate = false;
        bench.reopen();
        assertThat(open()).hasSize(1);
    }

    @Test
    void aFileThatWasCutIsDamageAndNoTornTail() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one~", "two~", "three~" + "x".repeat(1000));
        bench.close();
        Path file = bench.segments().getFirst();
        int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf("three~");
        cut(file, at + 500);
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("one~", "two~");
        assertThat(only().cause()).isEqualTo("the file was truncated");
        assertThat(only().lost())
                .containsExactly(
                        "unknown: everything between entry " + ids.get(1) + " (text two) and the segment's end");
        assertThat(bench.log.count(JournalMessages.TORN_TAIL)).isZero();
        bench.append("four~");
        bench.reopen();
        assertThat(open()).hasSize(1);
    }

    @Test
    void unusedRoomThatWasCutIsNoDamage() throws Exception {
        bench.open();
        bench.append("one~");
        bench.close();
        Path file = bench.segments().getFirst();
        cut(file, Files.size(file) - 8);
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("one~");
        assertThat(open()).isEmpty();
    }

    @Test
    void aSealedFileThatWasCutIsDamage() throws Exception {
        bench.open();
        for (int i = 0; i < 200; i++) {
            bench.append("text-" + i + "~" + "x".repeat(1000));
        }
        bench.close();
        Path first = bench.segments().getFirst();
        cut(first, Files.size(first) / 2 + 100);
        bench.open();
        assertThat(open()).hasSizeBetween(1, 2);
        assertThat(open().getLast().cause()).isEqualTo("the file was truncated");
        assertThat(open().getLast().lost())
                .hasSize(1)
                .first()
                .asString()
                .matches("unknown: everything between entry \\d+ \\(text text-\\d+\\) and the segment's end");
        int places = open().size();
        bench.reopen();
        assertThat(open()).hasSize(places);
    }

    private static void cut(Path file, long size) throws IOException {
        try (FileChannel c = FileChannel.open(file, StandardOpenOption.WRITE)) {
            c.truncate(size);
        }
    }

    @Test
    void aSegmentWhoseHeaderIsUnreadableIsSetAsideAndNotDeleted() throws Exception {
        bench.open();
        for (int i = 0; i < 40; i++) {
            bench.append("x".repeat(1000));
        }
        bench.close();
        // a second segment, the last one, which no table of another names
        bench.open();
        bench.append("two~");
        bench.close();
        Path last = bench.segments().getLast();
        byte[] all = Files.readAllBytes(last);
        all[3] ^= 1;
        all[SegmentHeader.SECOND_COPY + 3] ^= 1;
        Files.write(last, all);
        bench.open();
        assertThat(bench.replayed.values()).hasSize(40).doesNotContain("two~");
        assertThat(only().cause())
                .isEqualTo("its header cannot be read; set aside as " + last.getFileName() + ".damaged");
        assertThat(Files.readAllBytes(last.resolveSibling(last.getFileName() + ".damaged")))
                .isEqualTo(all);
    }

    @Test
    void aListThatCannotBeReadIsPutAsideAndSaidSo() throws Exception {
        bench.open();
        bench.append("one~", "two~ and more", "three~");
        bench.close();
        bench.flip(bench.segments().getFirst(), " and more");
        bench.reopen();
        bench.close();
        Files.writeString(directory.resolve("test.damage"), "weir-damage 1\t2\t0\nnonsense\nend 0\n");
        bench.open();
        assertThat(open()).hasSize(2);
        assertThat(open().getFirst().cause()).startsWith("the list of damage cannot be read");
        assertThat(open().getLast().lost())
                .as("found again")
                .hasSize(1)
                .first()
                .asString()
                .contains("text two");
        assertThat(directory.resolve("test.damage.unreadable")).exists();
        bench.reopen();
        assertThat(open()).hasSize(2);
    }

    @Test
    void theListIsBoundedAndCountsWhatItDoesNotTake() throws IOException {
        DamageBook book = new DamageBook("test", new FileDisk(directory), bench.clock, bench.log);
        List<Damage> many = new ArrayList<>();
        for (int i = 0; i < DamageBook.MOST + 5; i++) {
            many.add(book.of("start", "file\twith\nall\\", i, 8, "cause", List.of("a\tb", "c\\n")));
        }
        book.add(many);
        assertThat(book.open()).hasSize(DamageBook.MOST);
        assertThat(book.beyond()).isEqualTo(5);
        DamageBook again = new DamageBook("test", new FileDisk(directory), bench.clock, bench.log);
        again.read();
        assertThat(again.open()).isEqualTo(book.open());
        assertThat(again.beyond()).isEqualTo(5);
        assertThat(again.acknowledge(Long.MAX_VALUE, "token")).isEqualTo(DamageBook.MOST);
        assertThat(again.isClear()).isTrue();
        again.add(many);
        assertThat(again.open()).as("what the list did not take is found again").hasSize(5);
        assertThat(again.acknowledge(Long.MAX_VALUE, "token")).isEqualTo(5);
        assertThat(again.beyond()).isZero();
        assertThat(again.open()).isEmpty();
    }

    @Test
    void aListThatCannotBeWrittenDoesNotStopAStart() throws Exception {
        bench.open();
        bench.append("one~", "two~ and more", "three~");
        bench.close();
        bench.flip(bench.segments().getFirst(), " and more");
        Files.createDirectories(directory.resolve("test.damage.new/x"));
        bench.open();
        assertThat(only().lost()).hasSize(1);
        assertThat(bench.log.count(JournalMessages.DAMAGE_NOT_KEPT)).isPositive();
        assertThatThrownBy(() -> bench.journal().damages().acknowledge(Long.MAX_VALUE, "token"))
                .isInstanceOf(IOException.class);
        assertThat(open()).isNotEmpty();
        bench.append("four~");
        Files.delete(directory.resolve("test.damage.new/x"));
        Files.delete(directory.resolve("test.damage.new"));
    }

    private void removalOf(long id) throws IOException {
        Path file = bench.segments().getFirst();
        byte[] all = Files.readAllBytes(file);
        for (int i = SegmentHeader.AREA; i + Records.HEADER <= all.length; i += 8) {
            boolean removal = java.nio.ByteBuffer.wrap(all).getInt(i) == Records.MAGIC
                    && all[i + Records.AT_KIND] == Records.REMOVAL
                    && java.nio.ByteBuffer.wrap(all).getLong(i + Records.HEADER) == id;
            if (removal) {
                all[i + Records.HEADER + 15] ^= 1;
            }
        }
        Files.write(file, all);
    }

    /** Changes a byte at a distance from where a text stands. */
    private static void change(Path file, String text, int distance, int mask) throws IOException {
        byte[] all = Files.readAllBytes(file);
        int at = new String(all, StandardCharsets.ISO_8859_1).indexOf(text);
        all[at + distance] ^= (byte) mask;
        Files.write(file, all);
    }
}
