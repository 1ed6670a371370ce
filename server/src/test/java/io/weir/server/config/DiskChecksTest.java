package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Section {@code cache.disk}: what a start refuses, and what it warns of. */
@Tag("slow")
class DiskChecksTest {
    @TempDir
    private Path home = Path.of("");

    private LoadedConfig load(String disk) throws IOException {
        return loaded("server: {data-dir: \"" + home.resolve("data") + "\"}\ncache:\n  disk: " + disk);
    }

    private LoadedConfig loaded(String sections) throws IOException {
        String text = "listeners: {http: {port: 0}}\n" + sections + "\n";
        return new ConfigLoader(Files.writeString(home.resolve("weir.yaml"), text), List.of(), home).load();
    }

    private void refused(String disk, String... parts) throws IOException {
        assertThat(load(disk).problems())
                .singleElement()
                .extracting(ConfigProblem::toString)
                .asString()
                .contains("weir.yaml:4")
                .contains(parts);
    }

    private List<String> warnings(String disk) throws IOException {
        return warnings(load(disk));
    }

    /** The warnings of a section {@code disk} with other sections after it. */
    private List<String> warningsOf(String diskAndMore) throws IOException {
        return warnings(loaded("cache:\n  disk: " + diskAndMore));
    }

    private List<String> warnings(LoadedConfig loaded) {
        assertThat(loaded.problems()).isEmpty();
        return Warnings.of(loaded, home.resolve("data")).stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    @Test
    void partitionsThatContradictThemselvesAreRefused() throws IOException {
        refused("{path: a, partitions: {p: {path: b}}}", "cache.disk: path and partitions exclude each other");
        refused("{partitions: {p: {path: a}, q: {path: a}}}", "partitions p and q have the same path a");
        refused("{partitions: {p: {size: 1GiB}}}", "cache.disk.partitions.p.path: a value is required");
        refused("{partitions: {\"p.q\": {path: a}}}", "cache.disk.partitions.\"p.q\": a name has");
        assertThat(load("{partitions: {p: {path: a}, q: {path: b, size: 1GiB}}}")
                        .problems())
                .isEmpty();
    }

    @Test
    void pathsThatAreNoFoldersOfTheirOwnAreRefused() throws IOException {
        refused("{path: \".\"}", "cache.disk.path: \".\" is the data directory", "such as cache");
        refused("{path: a/..}", "cache.disk.path: \"a/..\" is the data directory");
        refused("{path: ./cluster/x}", "is a folder of the data directory, which the server uses for something else");
        refused("{path: \"" + home.resolve("data/logs") + "\"}", "is a folder of the data directory");
        refused("{path: \"" + home + "\"}", "contains the data directory");
        refused(
                "{partitions: {p: {path: d}, q: {path: ./d}}}",
                "partitions.q.path: \"./d\" is the folder of partition p");
        refused("{partitions: {p: {path: d/e}, q: {path: d}}}", "\"d\" overlaps the folder of partition p");
        refused("{partitions: {p: {path: messaging}}}", "cache.disk.partitions.p.path: \"messaging\" is a folder");
        refused("{path: \"a\\0b\"}", "cache.disk: path has a NUL character");
        assertThat(load("{path: cache}").problems()).isEmpty();
    }

    @Test
    void collectionsThatCannotBeAreRefused() throws IOException {
        refused("{path: a, gc: {mode: scheduled}}", "cache.disk.gc: mode is scheduled, but schedule has no time");
        refused("{path: a, gc: {schedule: [\"daily 3\"]}}", "\"daily 3\"", "such as daily 03:00 or sat 04:30");
        refused("{path: a, gc: {high-margin: 60}}", "low-margin 70 is above high-margin 60");
        assertThat(load("{path: a, gc: {mode: scheduled, schedule: [\"daily 03:00\", \"Sat 04:30\"]}}")
                        .problems())
                .isEmpty();
    }

    @Test
    void eachWrongTimeIsReportedAtItsPlace() throws IOException {
        assertThat(load("""
                        {path: a, gc: {mode: scheduled, schedule: ["daily 3",
                            "never 03:00"]}}""").problems())
                .extracting(ConfigProblem::toString)
                .satisfiesExactly(
                        one -> assertThat(one)
                                .startsWith(home.resolve("weir.yaml") + ":4:")
                                .contains("cache.disk.gc.schedule[0]: expected a day and hh:mm", "\"daily 3\""),
                        two -> assertThat(two)
                                .startsWith(home.resolve("weir.yaml") + ":5:")
                                .contains("cache.disk.gc.schedule[1]: expected a day and hh:mm", "\"never 03:00\""));
        refused("{path: a, size: 100MB}", "cache.disk.size: MB is", "write 100MiB", "found \"100MB\"");
    }

    @Test
    void moreThanTheHeapOrTheFileSystemHasIsWarnedOf() throws IOException {
        assertThat(warnings("{path: a, max-objects: 500000000, size: 8MiB}"))
                .singleElement()
                .asString()
                .contains("cache.disk.max-objects: is 500000000, which may take 16000000000 of the", "bytes of heap");
        assertThat(warnings("{max-objects: 500000000}"))
                .as("no tier")
                .singleElement()
                .asString()
                .contains("cache.disk: has no effect");
        long there = Files.getFileStore(home).getTotalSpace();
        if (there < 900L << 30) {
            assertThat(warnings("{partitions: {p: {path: a, size: 900GiB}}}"))
                    .singleElement()
                    .asString()
                    .contains("cache.disk.partitions.p.size: is 900GiB, more than the " + there + " bytes");
        }
    }

    @Test
    void whatHasNoEffectIsWarnedOf() throws IOException {
        assertThat(warnings("{size: 1GiB, partitions: {p: {path: a}}}"))
                .singleElement()
                .asString()
                .contains("cache.disk.size: does not apply to partitions");
        assertThat(warnings("{path: cache, gc: {schedule: [\"daily 03:00\"]}}"))
                .singleElement()
                .asString()
                .contains("cache.disk.gc.schedule: has no effect: cache.disk.gc.mode is off. Set it to scheduled");
        assertThat(warnings("{path: cache, gc: {mode: scheduled, schedule: [\"daily 03:00\"]}}"))
                .isEmpty();
        assertThat(warnings("{gc: {mode: automatic}}"))
                .singleElement()
                .asString()
                .contains("cache.disk: has no effect");
        assertThat(warnings("{path: cache, min-space: 500TiB}"))
                .anySatisfy(w -> assertThat(w).contains("cache.disk.min-space", "nothing is ever written there"));
    }

    /** Half of the share of a process, not of the partition: what is said here is what the partition does. */
    @Test
    void largestBodyIsThatOfAProcessesShare() throws IOException {
        String disk = "{path: a, size: 4GiB, max-object-size: %s}\n";
        assertThat(warnings(disk.formatted("1900MiB"))).as("one process").isEmpty();
        String two = "server: {processes: 2, data-dir: \"" + home.resolve("data") + "\"}\n";
        assertThat(warningsOf(disk.formatted("1900MiB") + two))
                .singleElement()
                .asString()
                .contains(
                        "cache.disk.max-object-size: is 1900MiB, but partition part1 keeps bodies of less than half of the"
                                + " share of each of the 2 processes, at most 1006632960 bytes");
        assertThat(warningsOf(disk.formatted("3GiB") + two))
                .singleElement()
                .asString()
                .contains(" 1006632960 bytes");
        assertThat(warningsOf(disk.formatted("960MiB") + two)).isEmpty();
        assertThat(warnings("{path: a, size: 4GiB, max-object-size: 3GiB}"))
                .singleElement()
                .asString()
                .contains("less than half of its size, at most 2013265920 bytes");
        assertThat(warnings(
                        "{partitions: {p: {path: a, size: 100GiB}, q: {path: b, size: 1GiB}}, max-object-size: 2GiB}"))
                .singleElement()
                .asString()
                .contains("partition q keeps bodies");
        assertThat(warningsOf("{path: a, size: 1GiB}\n" + two))
                .as("not set by anybody")
                .isEmpty();
    }
}
