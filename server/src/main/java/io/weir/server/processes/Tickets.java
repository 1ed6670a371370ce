package io.weir.server.processes;

import io.weir.kernel.listen.ListenerConfig;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.PrivateFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * The keys from which all workers derive the keys of TLS session tickets, so that a session resumes at any of them,
 * also after a crash or an upgrade: keys in a file, generated at the supervisor's start and rotated with the shortest
 * interval of all listeners. Confined to one thread at a time; lives as long as the supervisor.
 */
final class Tickets {
    /** Name, HMAC key and AES key of a ticket key, 16 bytes each. */
    private static final int KEY = 48;

    /** Maximum number of keys of a listener. */
    private static final int MAX_KEYS = 8;

    private final SecureRandom random = new SecureRandom();
    private final Path file;
    private final List<ListenerConfig> listeners;

    Tickets(Path file, WeirConfig config) {
        this.file = file;
        this.listeners = config.listeners().values().stream()
                .filter(l -> l.secure() && l.tls().ticketKeyFile() == null)
                .toList();
    }

    /** Whether there is a listener that needs them. */
    boolean wanted() {
        return !listeners.isEmpty();
    }

    /** How often a new key is due. */
    Duration rotation() {
        return listeners.stream()
                .map(l -> l.tls().ticketRotation())
                .min(Comparator.naturalOrder())
                .orElse(Duration.ofHours(12));
    }

    /** Deletes the keys of an earlier supervisor; generates the first one if needed. */
    void begin() throws IOException {
        Files.deleteIfExists(file);
        if (wanted()) {
            PrivateFiles.write(file, draw());
        }
    }

    /** Adds a new key before those that sessions may still need. */
    void turn() throws IOException {
        byte[] old = Files.readAllBytes(file);
        ByteArrayOutputStream next = new ByteArrayOutputStream();
        next.writeBytes(draw());
        next.write(old, 0, Math.min(old.length, kept() * KEY));
        PrivateFiles.write(file, next.toByteArray());
    }

    private int kept() {
        long most = listeners.stream()
                .mapToLong(l -> l.tls().sessionTimeOut().toNanos())
                .max()
                .orElse(0);
        long rotation = rotation().toNanos();
        return (int) Math.min(MAX_KEYS - 1, (most + rotation - 1) / rotation);
    }

    private byte[] draw() {
        byte[] key = new byte[KEY];
        random.nextBytes(key);
        return key;
    }
}
