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
 * What all workers derive the keys of TLS session tickets from, so that a session resumes at any of them, also at those
 * that come after a crash or an upgrade: keys in a file, drawn at the supervisor's start and turned as often as the
 * listener says that turns most often. Confined to one thread at a time; lives as long as the supervisor.
 */
final class Tickets {
    /** Name, HMAC key and AES key of a ticket key, 16 bytes each. */
    private static final int KEY = 48;

    /** As many as a listener takes. */
    private static final int MOST = 8;

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

    /** How often a new one is due. */
    Duration rotation() {
        return listeners.stream()
                .map(l -> l.tls().ticketRotation())
                .min(Comparator.naturalOrder())
                .orElse(Duration.ofHours(12));
    }

    /** Forgets what an earlier supervisor had; draws the first one where one is needed. */
    void begin() throws IOException {
        Files.deleteIfExists(file);
        if (wanted()) {
            PrivateFiles.write(file, draw());
        }
    }

    /** Puts a new one before those that sessions may still need. */
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
        return (int) Math.min(MOST - 1, (most + rotation - 1) / rotation);
    }

    private byte[] draw() {
        byte[] key = new byte[KEY];
        random.nextBytes(key);
        return key;
    }
}
