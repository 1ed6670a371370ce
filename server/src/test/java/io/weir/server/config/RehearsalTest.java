package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import io.weir.proxy.cache.disk.files.Identity;
import io.weir.proxy.cache.disk.files.RealFolder;
import io.weir.server.files.OwnTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start would stumble over in files and folders, whoever runs the test: root may write everywhere. */
class RehearsalTest {
    @TempDir
    private Path dir = Path.of("");

    private LoadedConfig loaded(String more) throws IOException {
        Path file =
                Files.writeString(dir.resolve("weir.yaml"), "listeners: {http: {port: 0}}\nadmin: {port: 0}\n" + more);
        return new ConfigLoader(file, List.of(), dir).load();
    }

    private List<ConfigProblem> problems(Path data, String more, Predicate<Path> isWritable) throws IOException {
        LoadedConfig loaded = loaded(more);
        assertThat(loaded.problems()).isEmpty();
        return Rehearsal.of(loaded, data, isWritable).problems();
    }

    /** What a server would run with. */
    private void warned(Path data, String more, Predicate<Path> isWritable, String key, String what)
            throws IOException {
        assertThat(problems(data, more, isWritable)).isEmpty();
        LoadedConfig loaded = new ConfigLoader(dir.resolve("weir.yaml"), List.of(), dir).load();
        one(
                Rehearsal.of(loaded, data, isWritable).warnings(),
                key,
                what + ". A server would run, and nothing would be written there");
    }

    private void one(List<ConfigProblem> problems, String key, String what) {
        assertThat(problems).singleElement().satisfies(p -> {
            assertThat(p.key()).isEqualTo(key);
            assertThat(p.what()).isEqualTo(what);
        });
    }

    @Test
    void folderThatCannotBeWrittenIsFoundBeforeItsDataDirectoryIsMadeInIt() throws IOException {
        Path data = dir.resolve("deep/data");
        one(
                problems(data, "", p -> !p.equals(dir)),
                "server.data-dir",
                "the folder " + dir + " cannot be written by this user");
        assertThat(problems(data, "", _ -> true)).isEmpty();
    }

    @Test
    void folderWithinTheDataDirectoryThatCannotBeWrittenIsFound() throws IOException {
        Path messages = Files.createDirectories(dir.resolve("data/messages"));
        one(
                problems(dir.resolve("data"), "", p -> !p.equals(messages)),
                "server.data-dir",
                "the folder " + messages + " cannot be written by this user");
    }

    @Test
    void foldersOfTheDiskTierThatCannotBeUsedAreFound() throws IOException {
        Path data = Files.createDirectories(dir.resolve("data"));
        Path file = Files.writeString(dir.resolve("afile"), "x");
        for (String path : List.of(file.toString(), file + "/sub/sub")) {
            one(
                    problems(data, "cache: {disk: {path: \"" + path + "\"}}\n", _ -> true),
                    "cache.disk.path",
                    file + " is a file, but must be a folder: move it away, or name another folder");
        }
        Path closed = Files.createDirectories(dir.resolve("closed"));
        one(
                problems(
                        data,
                        "cache: {disk: {partitions: {p: {path: cache}, q: {path: \"" + closed + "/new\"}}}}\n",
                        p -> !p.equals(closed)),
                "cache.disk.partitions.q.path",
                "the folder " + closed + " cannot be written by this user");
    }

    /** The loader has said what is wrong with it. */
    @Test
    void aPartitionWithoutAPathIsNotTried() throws IOException {
        Path data = Files.createDirectories(dir.resolve("data"));
        LoadedConfig loaded = loaded("cache: {disk: {partitions: {a: {size: 1GiB}}}}\n");
        assertThat(loaded.problems()).hasSize(1);
        assertThat(Rehearsal.of(loaded, data, _ -> true).problems()).isEmpty();
    }

    @Test
    void foldersThatAreNotTheDiskTiersAreFound() throws IOException {
        Path data = Files.createDirectories(dir.resolve("data"));
        Path own = Files.createDirectories(dir.resolve("own"));
        String disk = "cache: {disk: {path: \"%s\"}}\n";
        String own1 = disk.formatted(own);
        assertThat(problems(data, own1, _ -> true)).isEmpty();
        Files.writeString(own.resolve("a.iso"), "x");
        String what = own + " has what is not the disk tier's (a.iso): name a folder of its own, such as "
                + own.resolve("weir-cache") + ", which is made if it is not there";
        one(problems(data, own1, _ -> true), "cache.disk.path", what);
        one(problems(data, own1 + "server: {processes: 3}\n", _ -> true), "cache.disk.path", what);
        Path third = Files.createDirectories(data.resolve("workers/3/cache"));
        Files.writeString(third.resolve("a.iso"), "x");
        assertThat(problems(data, disk.formatted("cache") + "server: {processes: 2}\n", _ -> true))
                .isEmpty();
        assertThat(problems(data, disk.formatted("cache") + "server: {processes: 3}\n", _ -> true))
                .singleElement()
                .satisfies(p -> assertThat(p.what()).startsWith(third + " has what is not"));
        assertThat(problems(data, disk.formatted("/proc/cache"), _ -> true))
                .singleElement()
                .satisfies(p -> assertThat(p.what()).startsWith("nothing can be made in the folder /proc: "));
    }

    @Test
    void aFolderThatAnotherServerUsesIsFoundAndOneThatOthersMayWriteIsWarnedOf() throws IOException {
        Path data = Files.createDirectories(dir.resolve("data"));
        Path own = Files.createDirectories(dir.resolve("own"));
        String disk = "cache: {disk: {path: \"" + own + "\"}}\n";
        try (RealFolder _ = RealFolder.open(own)) {
            one(
                    problems(data, disk, _ -> true),
                    "cache.disk.path",
                    "another server uses " + own + " as its cache: name another folder");
        }
        assertThat(problems(data, disk, _ -> true)).isEmpty();
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(problems(data, disk, _ -> true)).isEmpty();
        LoadedConfig loaded = new ConfigLoader(dir.resolve("weir.yaml"), List.of(), dir).load();
        one(
                Rehearsal.of(loaded, data, _ -> true).warnings(),
                "cache.disk.path",
                "others may write in " + own + " (rwxrwx---), and remove what is stored: chmod 700 " + own);
    }

    @Test
    void whatAnotherServerHasStoredIsWarnedOf() throws IOException {
        Path data = Files.createDirectories(dir.resolve("data"));
        Path folder = Files.createDirectories(dir.resolve("tier"));
        Identity stored = new Identity(1, 2, 3, 4);
        try (RealFolder tier = RealFolder.open(folder)) {
            stored.write(tier);
        }
        assertThat(problems(data, "cache: {disk: {path: \"" + folder + "\"}}\n", _ -> true))
                .isEmpty();
        LoadedConfig loaded = new ConfigLoader(dir.resolve("weir.yaml"), List.of(), dir).load();
        assertThat(Rehearsal.of(loaded, data, _ -> true).warnings())
                .as("it has none of its own")
                .isEmpty();
        new OwnTier(data, data, "1").uses(stored.tier(), 1);
        assertThat(Rehearsal.of(loaded, data, _ -> true).warnings()).isEmpty();
        new OwnTier(data, data, "2").uses(new Identity(5, 6, 7, 8).tier(), 1);
        one(
                Rehearsal.of(loaded, data, _ -> true).warnings(),
                "cache.disk.path",
                folder
                        + " has what another server, or this one with another data directory, has stored: a start removes"
                        + " that, and begins empty");
    }

    @Test
    void logsThatCannotBeWrittenAreFound() throws IOException {
        Path data = Files.createDirectories(dir.resolve("data"));
        Path file = Files.writeString(dir.resolve("there.log"), "");
        String inFile = "server: {log: {file: \"" + file + "\"}}\n";
        warned(data, inFile, p -> !p.equals(file), "server.log.file", "the file " + file + " cannot be written");
        Path logs = Files.createDirectories(dir.resolve("logs"));
        warned(
                data,
                "server: {log: {file: \"" + logs + "\"}}\n",
                _ -> true,
                "server.log.file",
                logs + " is a folder, but must be a file");
        warned(
                data,
                "server: {log: {file: \"" + logs + "/a/b.log\"}}\n",
                p -> !p.equals(logs),
                "server.log.file",
                "the folder " + logs + " cannot be written by this user");
        warned(
                data,
                "server: {log: {file: \"" + file + "/b.log\"}}\n",
                _ -> true,
                "server.log.file",
                file + " is not a folder");
        warned(
                data,
                "proxy: {access-log: {format: json, file: \"" + logs + "\"}}\n",
                _ -> true,
                "proxy.access-log.file",
                logs + " is a folder, but must be a file");
        assertThat(problems(data, "proxy: {access-log: {format: off, file: \"" + logs + "\"}}\n", _ -> true))
                .as("nobody writes it")
                .isEmpty();
    }

    @Test
    void dataDirectoryThatIsTooLongForASocketIsFoundWhereThereIsToBeOne() throws IOException {
        Path data = dir.resolve("d".repeat(100));
        assertThat(problems(data, "server: {processes: 2}\n", _ -> true))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.key()).isEqualTo("server.data-dir");
                    assertThat(p.what()).contains("too long a name");
                });
        assertThat(problems(data, "", _ -> true)).isEmpty();
    }

    @Test
    void filesForTlsToOriginsThatAreNotThereAreFound() throws IOException {
        assertThat(problems(
                        dir.resolve("data"),
                        "proxy: {origin-tls: {trust-file: \"" + dir.resolve("no.pem") + "\"}}\n",
                        _ -> true))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.key()).isEqualTo("proxy.origin-tls.trust-file");
                    assertThat(p.what()).contains("no.pem");
                });
    }
}
