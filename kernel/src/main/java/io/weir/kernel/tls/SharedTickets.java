package io.weir.kernel.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Session ticket keys shared by several processes: derived from the keys in a file, which one of the processes rotates.
 * The listener's name and its trusted authorities are part of each derivation, because a session must not be resumed at
 * a listener that would not have accepted its client. Owned by {@link TicketKeys}.
 */
final class SharedTickets {
    private final String file;
    private final String listener;
    private final TlsConfig config;
    private FileMarks seen;

    SharedTickets(Path file, String listener, TlsConfig config) {
        this.file = file.toString();
        this.listener = listener;
        this.config = config;
        this.seen = FileMarks.of(List.of(this.file));
    }

    /** Whether the file has changed since its keys were last read. */
    boolean changed() {
        return FileMarks.of(List.of(file)).differ(seen, List.of(file));
    }

    /**
     * The keys, the newest first.
     *
     * @throws TlsFault if the file cannot be used
     */
    List<byte[]> keys() throws TlsFault {
        FileMarks now = FileMarks.of(List.of(file));
        List<byte[]> derived = new ArrayList<>();
        try {
            byte[] trust = trust();
            for (byte[] key : TicketKeys.read(file)) {
                // HMAC-SHA384 yields as many bytes as a ticket key has
                Mac mac = Mac.getInstance("HmacSHA384");
                mac.init(new SecretKeySpec(key, "HmacSHA384"));
                mac.update(listener.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) 0);
                derived.add(mac.doFinal(trust));
            }
        } catch (GeneralSecurityException e) {
            throw new TlsFault("The keys of " + file + " cannot be used: " + e, e);
        }
        seen = now;
        return List.copyOf(derived);
    }

    private byte[] trust() throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String trusted : TlsSetup.trustFiles(config)) {
            try {
                digest.update(Files.readAllBytes(Path.of(trusted)));
            } catch (IOException e) {
                // other readers of the file report that it is missing
                digest.update((byte) 0);
            }
        }
        return digest.digest();
    }
}
