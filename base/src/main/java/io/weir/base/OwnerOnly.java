package io.weir.base;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files and folders that only their owner may read and write (0600, 0700), regardless of the process's umask and of the
 * enclosing folder. Needs a file system with POSIX permissions. Stateless.
 */
public final class OwnerOnly {
    /** The operator's umask, in octal digits: the launcher sets a stricter one for the server. */
    public static final String UMASK = "weir.umask";

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private OwnerOnly() {}

    /** Opens a file; if it is created, it is accessible to its owner only. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), PosixFilePermissions.asFileAttribute(FILE));
    }

    /** Creates a file that does not exist yet. */
    public static Path create(Path file) throws IOException {
        return Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
    }

    /** Writes a file, creating it if it does not exist. */
    public static void write(Path file, byte[] bytes) throws IOException {
        try (OutputStream out = Channels.newOutputStream(open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE))) {
            out.write(bytes);
        }
    }

    /** Creates a folder and its parents; an existing one is not changed. */
    public static Path folder(Path folder) throws IOException {
        return Files.isDirectory(folder) ? folder : Files.createDirectories(folder, ofFolders());
    }

    /** The attributes for new folders. */
    public static FileAttribute<?> ofFolders() {
        return PosixFilePermissions.asFileAttribute(FOLDER);
    }

    /**
     * Removes the permissions of group and others on a file or folder; a symbolic link and its target are not changed.
     *
     * @return whether they had any before
     */
    public static boolean tighten(Path path) throws IOException {
        BasicFileAttributes about = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!about.isDirectory() && !about.isRegularFile()) {
            return false;
        }
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> own = about.isDirectory() ? FOLDER : FILE;
        if (own.containsAll(now)) {
            return false;
        }
        now.retainAll(own);
        Files.setPosixFilePermissions(path, now);
        return true;
    }

    /**
     * Tightens a folder and everything in it. Files that disappear in the meantime are ignored.
     *
     * @throws IOException if a file cannot be changed because it belongs to another user
     */
    public static void tightenAll(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes about) throws IOException {
                return visitFile(dir, about);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) throws IOException {
                try {
                    tighten(file);
                } catch (NoSuchFileException e) {
                    // deleted in the meantime
                    return FileVisitResult.CONTINUE;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }

    /**
     * Creates a log file and its folders if they do not exist: accessible to the owner only within a folder of Weir's,
     * elsewhere according to the operator's umask.
     *
     * @param within absolute
     */
    public static void log(Path file, Path within) throws IOException {
        Path whole = file.toAbsolutePath().normalize();
        Path folder = whole.getParent();
        if (whole.startsWith(within.toAbsolutePath().normalize())) {
            if (folder != null) {
                folder(folder);
            }
            if (Files.exists(whole)) {
                tighten(whole);
            } else {
                touch(whole);
            }
        } else if (!Files.exists(whole)) {
            String umask = System.getProperty(UMASK);
            if (umask == null) {
                // the umask was not changed
                Files.createDirectories(Objects.requireNonNullElse(folder, whole));
                return;
            }
            outside(folder, umask);
            touch(whole);
            Files.setPosixFilePermissions(whole, allowed("rw-rw-rw-", umask));
        }
    }

    private static void touch(Path file) throws IOException {
        open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    }

    private static void outside(@Nullable Path folder, String umask) throws IOException {
        if (folder != null && !Files.isDirectory(folder)) {
            outside(folder.getParent(), umask);
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, allowed("rwxrwxrwx", umask));
        }
    }

    private static Set<PosixFilePermission> allowed(String all, String octal) {
        Set<PosixFilePermission> allowed = EnumSet.copyOf(PosixFilePermissions.fromString(all));
        int umask = Integer.parseInt(octal, 8);
        PosixFilePermission[] bits = {
            PosixFilePermission.OTHERS_EXECUTE, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_READ,
            PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_READ,
            PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_READ
        };
        for (int i = 0; i < bits.length; i++) {
            if ((umask >> i & 1) != 0) {
                allowed.remove(bits[i]);
            }
        }
        return allowed;
    }
}
