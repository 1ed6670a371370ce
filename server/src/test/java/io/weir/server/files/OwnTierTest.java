package io.weir.server.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tiers a data directory takes for its own, and for up to date. */
class OwnTierTest {
    @TempDir
    private Path data = Path.of("");

    private OwnTier at(String process, String run) throws IOException {
        Path folder = process.isEmpty() ? data : data.resolve("workers").resolve(process);
        return new OwnTier(data, folder, run);
    }

    /** What the folders of each tier note. */
    private final Map<String, Long> runs = new HashMap<>();

    private long run(String tier) {
        return runs.getOrDefault(tier, 0L);
    }

    /** A start that serves, with a tier in a folder. */
    private void start(String process, String run, String tier) throws IOException {
        OwnTier it = at(process, run);
        it.uses(tier, run(tier) + 1);
        runs.put(tier, run(tier) + 1);
        it.serves();
    }

    @Test
    void theTierOfEachStartIsTheOneOfTheNext() throws IOException {
        assertThat(at("", "r1").is("any")).isTrue();
        assertThat(at("", "r1").tookPart(run("t"))).isTrue();
        start("", "r1", "t");
        for (String run : new String[] {"r2", "r3"}) {
            assertThat(at("", run).is("t")).isTrue();
            assertThat(at("", run).is("u")).isFalse();
            assertThat(at("", run).tookPart(run("t"))).isTrue();
            start("", run, "t");
        }
    }

    @Test
    void aStartWithoutItIsMissed() throws IOException {
        start("", "r1", "t");
        at("", "r2").serves();
        assertThat(at("", "r3").tookPart(run("t"))).isFalse();
        assertThat(at("", "r3").is("t")).isTrue();
    }

    @Test
    void startsThatFailBeforeTheyServeCostNothing() throws IOException {
        start("", "r1", "t");
        for (String failed : new String[] {"r2", "r3", "r4"}) {
            assertThat(at("", failed).tookPart(run("t"))).isTrue();
            at("", failed).uses("t", run("t") + 1);
        }
        at("", "r5");
        assertThat(at("", "r6").tookPart(run("t"))).isTrue();
    }

    @Test
    void processesThatWereNotStartedHaveMissedIt() throws IOException {
        for (String process : new String[] {"1", "2", "3"}) {
            start(process, "r1", "t" + process);
        }
        for (String process : new String[] {"1", "2"}) {
            assertThat(at(process, "r2").tookPart(run("t" + process))).isTrue();
            start(process, "r2", "t" + process);
        }
        assertThat(at("3", "r3").tookPart(run("t3"))).isFalse();
        assertThat(at("2", "r3").tookPart(run("t2"))).isTrue();
        // one process, and three again
        start("", "r3", "t");
        for (String process : new String[] {"1", "2", "3"}) {
            assertThat(at(process, "r4").tookPart(run("t" + process))).isFalse();
        }
    }

    @Test
    void aFailedStartOfAnotherKindDoesNotCountAsTakingPart() throws IOException {
        start("2", "r1", "t2");
        at("2", "r2").uses("t2", run("t2") + 1);
        start("", "r3", "t");
        assertThat(at("2", "r4").tookPart(run("t2"))).isFalse();
    }

    @Test
    void anOlderCopyHasMissedAStart() throws IOException {
        start("", "r1", "t");
        start("", "r2", "t");
        assertThat(at("", "r3").tookPart(2)).isTrue();
        assertThat(at("", "r3").tookPart(1))
                .as("copied before the second start")
                .isFalse();
        assertThat(at("", "r3").tookPart(3))
                .as("used by another data directory since")
                .isFalse();
        // a start that fails: its folders noted it or not
        at("", "r3").uses("t", 3);
        assertThat(at("", "r4").tookPart(2)).isTrue();
        assertThat(at("", "r4").tookPart(3)).isTrue();
        assertThat(at("", "r4").tookPart(1)).isFalse();
        at("", "r4").uses("t", 3);
        assertThat(at("", "r5").tookPart(2)).isTrue();
        assertThat(at("", "r5").tookPart(1)).isFalse();
    }

    @Test
    void successorsOfTheSameStartHaveMissedNothing() throws IOException {
        start("1", "r1", "t1");
        start("2", "r1", "t2");
        start("1", "r2", "t1");
        assertThat(at("2", "r2").tookPart(run("t2")))
                .as("after the first has served")
                .isTrue();
        start("2", "r2", "t2");
        assertThat(at("2", "r2").tookPart(run("t2"))).as("its successor").isTrue();
        assertThat(at("2", "r3").tookPart(run("t2"))).as("of an upgrade").isTrue();
        start("2", "r3", "t2");
        assertThat(at("2", "r2").tookPart(run("t2")))
                .as("of an upgrade that was taken back")
                .isTrue();
    }

    @Test
    void withoutATierNothingIsWritten() throws IOException {
        at("", "r1").serves();
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void anUnknownStartChecksAndChangesNothing() throws IOException {
        start("", "r1", "t");
        at("", "r2").serves();
        String before = Files.readString(data.resolve("cache-tier")) + Files.readString(data.resolve("cache-starts"));
        OwnTier older = at("", "");
        assertThat(older.is("u")).isTrue();
        assertThat(older.tookPart(7)).isTrue();
        older.uses("u", run("u") + 1);
        older.serves();
        assertThat(Files.readString(data.resolve("cache-tier")) + Files.readString(data.resolve("cache-starts")))
                .isEqualTo(before);
    }

    @Test
    void aDamagedNoteIsAsIfThereWereNone() throws IOException {
        start("", "r1", "t");
        Files.writeString(data.resolve("cache-tier"), "t");
        assertThat(at("", "r2").is("u")).isTrue();
        assertThat(at("", "r2").tookPart(run("t"))).isTrue();
    }
}
