package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may read what Ratis writes. */
class RatisFilesTest {
    @TempDir
    Path directory = Path.of(".");

    @Test
    void whatWasWrittenUnderAnotherUmaskIsItsOwnersAfterTheNextStart() throws Exception {
        List<Path> before = new ArrayList<>();
        try (Members members = new Members(directory, Members.TIMES, Members.OPEN)) {
            RatisPeer alone = members.peer("alpha", false);
            RatisLog log = members.open(alone, List.of(alone));
            assertThat(log.submit("x".getBytes(StandardCharsets.UTF_8)).get(60, TimeUnit.SECONDS))
                    .isNotNull();
            log.close();
            try (Stream<Path> all = Files.walk(directory)) {
                before.addAll(all.filter(f -> !f.equals(directory)).toList());
            }
            for (Path p : before) {
                Files.setPosixFilePermissions(
                        p, PosixFilePermissions.fromString(Files.isDirectory(p) ? "rwxr-xr-x" : "rw-r--r--"));
            }
            members.open(alone, List.of(alone)).close();
        }
        List<String> open = new ArrayList<>();
        for (Path p : before) {
            if (Files.exists(p) && !permissions(p).equals(Files.isDirectory(p) ? "rwx------" : "rw-------")) {
                open.add(p + " " + permissions(p));
            }
        }
        assertThat(before).hasSizeGreaterThan(4);
        assertThat(open).isEmpty();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
