package io.weir.server.users;

import io.weir.base.Chance;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The random token that is required for changes and remote reads on the admin listener; generated at the first start.
 * Immutable.
 */
public final class AdminToken {
    /** Its name in the data directory. */
    public static final String FILE = "admin.token";

    private final String text;
    private final boolean created;

    private AdminToken(String text, boolean created) {
        this.text = text;
        this.created = created;
    }

    /**
     * Reads the token, or generates and writes one.
     *
     * @throws IOException if it cannot be read or written, or if others may read it
     */
    public static AdminToken openOrCreate(Path dataDir) throws IOException {
        Path file = dataDir.resolve(FILE);
        if (Files.exists(file)) {
            return read(dataDir);
        }
        String fresh = HexFormat.of().formatHex(Chance.secret(32));
        PrivateFiles.write(file, fresh + "\n");
        return new AdminToken(fresh, true);
    }

    /** Reads the token of a data directory. */
    public static AdminToken read(Path dataDir) throws IOException {
        Path file = dataDir.resolve(FILE);
        if (!PrivateFiles.isPrivate(file)) {
            throw new IOException(
                    file + " may be read by others than its owner: chmod 600 it, or delete it for a new one");
        }
        String text = Files.readString(file).strip();
        if (text.length() < 16) {
            throw new IOException(file + " holds no usable token: delete it and start the server again");
        }
        return new AdminToken(text, false);
    }

    /** Whether this call generated it. */
    public boolean created() {
        return created;
    }

    public String text() {
        return text;
    }

    /** Compares in a time that does not depend on where the texts differ. */
    public boolean matches(String candidate) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), candidate.getBytes(StandardCharsets.UTF_8));
    }
}
