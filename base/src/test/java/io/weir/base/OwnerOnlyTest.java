package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
    @TempDir
    private Path dir = Path.of("");

    @AfterEach
    void clear() {
        System.clearProperty(OwnerOnly.UMASK);
    }

    private static String of(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static Path loose(Path path, String permissions) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void whatIsMadeIsItsOwners() throws IOException {
        Path file = OwnerOnly.folder(dir.resolve("a/b")).resolve("c");
        OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .close();
        OwnerOnly.write(dir.resolve("d"), new byte[] {1});
        assertThat(of(dir.resolve("a"))).isEqualTo("rwx------");
        assertThat(of(dir.resolve("a/b"))).isEqualTo("rwx------");
        assertThat(of(file)).isEqualTo("rw-------");
        assertThat(of(dir.resolve("d"))).isEqualTo("rw-------");
    }

    @Test
    void allInAFolderIsTightenedAndNothingBehindALink() throws IOException {
        Path outside = loose(Files.createDirectories(dir.resolve("outside")), "rwxr-xr-x");
        Path theirs = loose(Files.createFile(outside.resolve("file")), "rw-r--r--");
        Path own = dir.resolve("own");
        loose(Files.createDirectories(own.resolve("inner")), "rwxrwxrwx");
        loose(own, "rwxr-xr-x");
        Path file = loose(Files.createFile(own.resolve("inner/file")), "rw-rw-r--");
        Path locked = loose(Files.createFile(own.resolve("locked")), "r--r--r--");
        Files.createSymbolicLink(own.resolve("folder"), outside);
        Files.createSymbolicLink(own.resolve("link"), theirs);
        OwnerOnly.tightenAll(own);
        assertThat(of(own)).isEqualTo("rwx------");
        assertThat(of(own.resolve("inner"))).isEqualTo("rwx------");
        assertThat(of(file)).isEqualTo("rw-------");
        assertThat(of(locked)).as("nothing is given").isEqualTo("r--------");
        assertThat(of(outside)).isEqualTo("rwxr-xr-x");
        assertThat(of(theirs)).isEqualTo("rw-r--r--");
        OwnerOnly.tightenAll(Files.createSymbolicLink(dir.resolve("linked"), outside));
        assertThat(of(outside)).isEqualTo("rwxr-xr-x");
        OwnerOnly.tightenAll(dir.resolve("nowhere"));
    }

    @Test
    void aLogIsItsOwnersInTheDataDirectoryAndElsewhereWhatTheOperatorsUmaskAllows() throws IOException {
        System.setProperty(OwnerOnly.UMASK, "0027");
        Path data = Files.createDirectories(dir.resolve("data"));
        OwnerOnly.log(data.resolve("logs/access"), data);
        OwnerOnly.log(dir.resolve("var/log/access"), data);
        assertThat(of(data.resolve("logs"))).isEqualTo("rwx------");
        assertThat(of(data.resolve("logs/access"))).isEqualTo("rw-------");
        assertThat(of(dir.resolve("var"))).isEqualTo("rwxr-x---");
        assertThat(of(dir.resolve("var/log"))).isEqualTo("rwxr-x---");
        assertThat(of(dir.resolve("var/log/access"))).isEqualTo("rw-r-----");
        loose(data.resolve("logs/access"), "rw-r--r--");
        loose(dir.resolve("var/log/access"), "rw-rw-rw-");
        OwnerOnly.log(data.resolve("logs/access"), data);
        OwnerOnly.log(dir.resolve("var/log/access"), data);
        assertThat(of(data.resolve("logs/access"))).isEqualTo("rw-------");
        assertThat(of(dir.resolve("var/log/access")))
                .as("what is there stays as it is")
                .isEqualTo("rw-rw-rw-");
    }
}
