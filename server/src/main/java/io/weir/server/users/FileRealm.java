package io.weir.server.users;

import io.weir.base.SystemClock;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Users, their groups and password hashes in one file of the data directory, a line each: {@code
 * name:group,group:hash}. The file is read again when it has changed, so that {@code ./weir passwd} works while the
 * server runs. Checking a password takes a tenth of a second by design: never on an event loop. Shared.
 */
public final class FileRealm {
    /** Its name in the data directory. */
    public static final String FILE = "users";

    private static final String NAME = "[A-Za-z0-9._@-]{1,64}";

    /** A user without its hash. */
    public record User(String name, List<String> groups) {
        public User {
            groups = List.copyOf(groups);
        }
    }

    private record Entry(User user, String hash) {}

    /**
     * A file system's clock may have a resolution of some milliseconds: a file read this soon after a change is read
     * again.
     */
    private static final long SETTLED_MILLIS = 100;

    /** The identity of the file's content; each change replaces the file. */
    private record Mark(long modified, long size, int key) {
        private static final Mark NONE = new Mark(0, 0, 0);

        static Mark of(Path file) throws IOException {
            try {
                BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
                return new Mark(a.lastModifiedTime().toMillis(), a.size(), Objects.hashCode(a.fileKey()));
            } catch (NoSuchFileException e) {
                return NONE;
            }
        }
    }

    private record Loaded(Mark mark, long atMillis, Map<String, Entry> entries) {
        boolean still(Mark now) {
            return mark.equals(now) && atMillis - mark.modified() > SETTLED_MILLIS;
        }
    }

    private final Path file;
    private final int iterations;
    private volatile Loaded loaded = new Loaded(Mark.NONE, 0, Map.of());

    public FileRealm(Path dataDir) {
        this(dataDir, Passwords.ITERATIONS);
    }

    /** With cheaper hashes, for tests. */
    FileRealm(Path dataDir, int iterations) {
        this.iterations = iterations;
        this.file = dataDir.resolve(FILE);
    }

    /** The user if name and password are correct, otherwise null; takes as long for a name that does not exist. */
    public @Nullable User check(String name, char[] password) throws IOException {
        Entry entry = entries().get(name);
        boolean right = Passwords.matches(password, entry == null ? Passwords.unmatchable(iterations) : entry.hash());
        return right && entry != null ? entry.user() : null;
    }

    /** A number that changes with the file; cheap. */
    public long version() {
        try {
            Mark now = Mark.of(file);
            return now.equals(Mark.NONE) ? 0 : (now.modified() * 31 + now.size()) * 31 + now.key();
        } catch (IOException e) {
            // not readable now: the next login tries again
            return -1;
        }
    }

    /** All users by name. */
    public Collection<User> users() throws IOException {
        return entries().values().stream().map(Entry::user).toList();
    }

    /**
     * Adds a user or replaces its password; groups are replaced when any are given.
     *
     * @throws IllegalArgumentException for an invalid name or group, or an empty password
     */
    public void set(String name, char[] password, List<String> groups) throws IOException {
        requireName("user", name);
        groups.forEach(g -> requireName("group", g));
        if (password.length == 0 || password.length > 1024) {
            throw new IllegalArgumentException("a password has 1 to 1024 characters");
        }
        Map<String, Entry> all = read();
        Entry old = all.get(name);
        List<String> kept = groups.isEmpty() && old != null ? old.user().groups() : groups;
        all.put(name, new Entry(new User(name, kept), Passwords.hash(password, iterations)));
        write(all);
    }

    /** Removes a user; returns false if there is none with that name. */
    public boolean remove(String name) throws IOException {
        Map<String, Entry> all = read();
        boolean had = all.remove(name) != null;
        if (had) {
            write(all);
        }
        return had;
    }

    private static void requireName(String what, String name) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException(
                    "a " + what + "'s name has 1 to 64 letters, digits and the signs . _ @ -, not \"" + name + "\"");
        }
    }

    private void write(Map<String, Entry> all) throws IOException {
        StringBuilder text = new StringBuilder("# name:groups:hash, written by weir passwd\n");
        for (Entry e : all.values()) {
            text.append(e.user().name())
                    .append(':')
                    .append(String.join(",", e.user().groups()))
                    .append(':')
                    .append(e.hash())
                    .append('\n');
        }
        PrivateFiles.write(file, text.toString());
    }

    private Map<String, Entry> entries() throws IOException {
        Mark mark = Mark.of(file);
        Loaded now = loaded;
        if (!now.still(mark)) {
            now = new Loaded(mark, SystemClock.INSTANCE.millis(), read());
            loaded = now;
        }
        return now.entries();
    }

    /** The file's current content; empty if there is no file. */
    private Map<String, Entry> read() throws IOException {
        Map<String, Entry> all = new TreeMap<>();
        if (!Files.exists(file)) {
            return all;
        }
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] f = line.split(":", -1);
            if (f.length != 3 || !f[0].matches(NAME)) {
                throw new IOException(file + ":" + number + ": expected name:groups:hash");
            }
            List<String> groups = f[1].isEmpty() ? List.of() : List.of(f[1].split(",", -1));
            all.put(f[0], new Entry(new User(f[0], groups), f[2]));
        }
        return all;
    }
}
