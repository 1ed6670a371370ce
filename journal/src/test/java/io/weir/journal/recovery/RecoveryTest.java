package io.weir.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.journal.Bench;
import io.weir.journal.Group;
import io.weir.journal.Payload;
import io.weir.journal.segment.Records;
import io.weir.journal.segment.SegmentHeader;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import io.weir.journal.settings.JournalStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start finds, cuts, skips, reports or refuses. */
class RecoveryTest {
    @TempDir
    Path directory = Path.of(".");

    private Bench bench = new Bench(directory);

    @BeforeEach
    void make() {
        bench = new Bench(directory);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aTornTailIsCutAndReported() throws Exception {
        bench.open();
        bench.append("first", "second", "torn-in-half " + "z".repeat(3000));
        bench.close();
        Path last = bench.segments().getLast();
        cutBehind(last, "torn-in-half");
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("first", "second");
        assertThat(logged(JournalMessages.TORN_TAIL)).isEqualTo(1);
        assertThat(logged(JournalMessages.DAMAGED)).isZero();
        assertThat(bench.stats.value(JournalStats.TORN, "test")).isEqualTo(1);
        bench.append("third");
        bench.reopen();
        assertThat(bench.replayed.values()).containsExactly("first", "second", "third");
        assertThat(logged(JournalMessages.TORN_TAIL)).as("cut, not met again").isEqualTo(1);
    }

    @Test
    void aTailThatWasNeverUsedIsNoTornOne() throws Exception {
        bench.open();
        bench.append("first");
        bench.reopen();
        assertThat(logged(JournalMessages.TORN_TAIL)).isZero();
    }

    @Test
    void aFlippedBitInTheMiddleIsReportedWithItsPlaceAndWhatFollowsIsKept() throws Exception {
        bench.open();
        List<Long> ids = bench.append("first", "middle", "last");
        bench.close();
        bench.flip(bench.segments().getLast(), "middle");
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("first", "last");
        assertThat(bench.log.entries())
                .filteredOn(e -> e.message() == JournalMessages.DAMAGED)
                .hasSize(1)
                .allMatch(e -> e.arguments().get(2).equals(ids.get(1)));
        assertThat(bench.stats.value(JournalStats.DAMAGED, "test")).isEqualTo(1);
    }

    @Test
    void aDamagedHeaderHidesOnlyItsRecord() throws Exception {
        bench.open();
        bench.append("first", "middle", "last");
        bench.close();
        Path file = bench.segments().getLast();
        byte[] all = Files.readAllBytes(file);
        int at = new String(all, StandardCharsets.ISO_8859_1).indexOf("middle");
        all[at - Records.HEADER + Records.AT_LENGTH] ^= 0x40;
        Files.write(file, all);
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("first", "last");
        assertThat(bench.stats.value(JournalStats.DAMAGED, "test")).isEqualTo(1);
    }

    @Test
    void aFlippedBitInASegmentsHeaderIsBorneByItsSecondCopy() throws Exception {
        bench.open();
        bench.append("first");
        bench.close();
        Path file = bench.segments().getLast();
        byte[] all = Files.readAllBytes(file);
        all[30] ^= 1;
        Files.write(file, all);
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("first");
    }

    @Test
    void aGroupOfWhichAPartIsDamagedIsNotReplayedAtAll() throws Exception {
        bench.open();
        List<Long> before = bench.append("before");
        Group g = bench.journal().group();
        g.add(1, Bench.text("part one"));
        g.add(1, Bench.text("part two"));
        g.remove(before.get(0));
        assertThat(bench.submit(g)).isNull();
        bench.append("after");
        bench.close();
        bench.flip(bench.segments().getLast(), "part two");
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("before", "after");
        assertThat(bench.stats.value(JournalStats.DAMAGED, "test")).isEqualTo(1);
    }

    @Test
    void membersOfAGroupWithoutItsHeadDoNotCount() throws Exception {
        bench.open();
        Group g = bench.journal().group();
        g.add(1, Bench.text("part one"));
        g.add(1, Bench.text("part two"));
        assertThat(bench.submit(g)).isNull();
        bench.append("after");
        bench.close();
        Path file = bench.segments().getLast();
        byte[] all = Files.readAllBytes(file);
        int member = new String(all, StandardCharsets.ISO_8859_1).indexOf("part one") - Records.HEADER;
        all[member - 56] ^= 1;
        Files.write(file, all);
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("after");
    }

    @Test
    void aRecordInsideAMessageIsNoRecord() throws Exception {
        bench.open();
        bench.append("genuine");
        bench.close();
        byte[] all = Files.readAllBytes(bench.segments().getLast());
        int at = new String(all, StandardCharsets.ISO_8859_1).indexOf("genuine") - Records.HEADER;
        String forged = new String(all, at, Records.HEADER + 8, StandardCharsets.ISO_8859_1);
        bench.open();
        Group g = bench.journal().group();
        g.add(1, Payload.of(("carrier " + forged.repeat(3)).getBytes(StandardCharsets.ISO_8859_1)));
        assertThat(bench.submit(g)).isNull();
        bench.append("after");
        bench.close();
        Path last = bench.segments().getLast();
        byte[] damaged = Files.readAllBytes(last);
        int carrier = new String(damaged, StandardCharsets.ISO_8859_1).indexOf("carrier ") - Records.HEADER;
        damaged[carrier] ^= 1;
        Files.write(last, damaged);
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("genuine", "after");
    }

    @Test
    void aMissingSegmentStopsTheStartUnlessTheLossIsAccepted() throws Exception {
        bench.open();
        for (int i = 0; i < 200; i++) {
            bench.append("x".repeat(1000));
        }
        bench.close();
        Path second = bench.segments().get(1);
        Files.delete(second);
        assertThatThrownBy(bench::open)
                .isInstanceOfSatisfying(
                        JournalFault.class, f -> assertThat(f.reason()).isEqualTo(JournalFault.Reason.SEGMENT_MISSING))
                .hasMessageContaining(second.getFileName().toString())
                .hasMessageContaining("tolerate-missing-files");
        bench.tolerate = true;
        bench.open();
        assertThat(bench.replayed).hasSizeBetween(100, 190);
        bench.append("goes on");
        bench.tolerate = false;
        bench.reopen();
    }

    @Test
    void aSealedSegmentThatBecameShorterIsReportedAsDamage() throws Exception {
        bench.open();
        for (int i = 0; i < 200; i++) {
            bench.append("x".repeat(1000));
        }
        bench.close();
        try (FileChannel c = FileChannel.open(bench.segments().get(0), StandardOpenOption.WRITE)) {
            c.truncate(30_000);
        }
        bench.open();
        assertThat(bench.stats.value(JournalStats.DAMAGED, "test")).isPositive();
        assertThat(logged(JournalMessages.TORN_TAIL)).isZero();
        assertThat(bench.replayed).hasSizeBetween(150, 190);
    }

    @Test
    void aVersionFromTheFutureIsNotTouched() throws Exception {
        bench.open();
        bench.append("first");
        bench.close();
        Path file = bench.segments().getLast();
        byte[] all = Files.readAllBytes(file);
        for (int copy : new int[] {0, SegmentHeader.SECOND_COPY}) {
            ByteBuffer b = ByteBuffer.wrap(all);
            b.putInt(copy + 8, 2);
            CRC32C crc = new CRC32C();
            crc.update(b.slice(copy, 60));
            b.putInt(copy + 60, (int) crc.getValue());
        }
        Files.write(file, all);
        assertThatThrownBy(bench::open)
                .isInstanceOfSatisfying(
                        JournalFault.class, f -> assertThat(f.reason()).isEqualTo(JournalFault.Reason.VERSION));
        assertThat(Files.readAllBytes(file)).isEqualTo(all);
    }

    @Test
    void damageInASegmentThatIsBeingEmptiedKeepsTheSegment() throws Exception {
        bench.open();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            ids.addAll(bench.append("kept-" + i + "-" + "x".repeat(1000)));
        }
        bench.close();
        Path first = bench.segments().get(0);
        bench.flip(first, "kept-3-");
        bench.open();
        bench.remove(ids.subList(5, 100));
        bench.append("more");
        bench.checkpoint();
        bench.reopen();
        assertThat(bench.replayed.values().stream().map(v -> v.split("-x", -1)[0]))
                .contains("kept-0", "kept-4", "kept-110", "more")
                .doesNotContain("kept-3", "kept-50");
    }

    private long logged(JournalMessages message) {
        return bench.log.count(message);
    }

    /** Ends the file within the record in which a text stands, as a write that was not finished. */
    private static void cutBehind(Path file, String text) throws IOException {
        byte[] all = Files.readAllBytes(file);
        int at = new String(all, StandardCharsets.ISO_8859_1).indexOf(text);
        for (int i = at + 100; i < all.length; i++) {
            all[i] = 0;
        }
        Files.write(file, all);
    }
}
