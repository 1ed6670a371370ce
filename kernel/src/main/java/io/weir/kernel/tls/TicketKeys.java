package io.weir.kernel.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a listener's session tickets, the newest first: tickets allow TLS 1.3 sessions to be resumed (RFC 8446
 * section 2.2, RFC 5077). Generated keys are lost with the process; several processes derive the same keys from those
 * that their supervisor generates. Owned by {@link ServerTls}, under its lock.
 */
final class TicketKeys {
    /** Name, HMAC key and AES key, 16 bytes each. */
    static final int KEY_BYTES = OpenSslSessionTicketKey.TICKET_KEY_SIZE;

    static final int MOST = 8;

    private final TlsConfig config;
    private final SecureRandom random = new SecureRandom();
    private final @Nullable SharedTickets shared;
    private List<byte[]> keys;
    private long rotated;

    /**
     * Reads or generates the keys.
     *
     * @param others keys shared with other processes; null if there are none
     * @param now nanoseconds of the kernel's clock
     * @throws TlsFault if the file cannot be used
     */
    TicketKeys(TlsConfig config, @Nullable SharedTickets others, long now) throws TlsFault {
        this.config = config;
        this.shared = config.ticketKeyFile() == null ? others : null;
        this.rotated = now;
        String file = config.ticketKeyFile();
        if (shared != null) {
            this.keys = shared.keys();
        } else {
            this.keys = file == null ? List.of(generate()) : read(file);
        }
    }

    /** Rotates the keys if it is due; returns whether they changed. */
    boolean rotate(long now) {
        if (shared != null) {
            return shared.changed() && reread(shared);
        }
        if (config.ticketKeyFile() != null
                || now - rotated < config.ticketRotation().toNanos()) {
            return false;
        }
        rotated = now;
        List<byte[]> next = new ArrayList<>();
        next.add(generate());
        next.addAll(keys.subList(0, Math.min(keys.size(), kept())));
        keys = List.copyOf(next);
        return true;
    }

    private boolean reread(SharedTickets from) {
        try {
            keys = from.keys();
            return true;
        } catch (TlsFault e) {
            // the file is being replaced: the previous keys are used until the next check
            return false;
        }
    }

    /** Number of old keys that sessions may still need. */
    private int kept() {
        long rotation = config.ticketRotation().toNanos();
        long spans = (config.sessionTimeOut().toNanos() + rotation - 1) / rotation;
        return (int) Math.min(MOST - 1, spans);
    }

    /** Reads the file's current keys. */
    void read() throws TlsFault {
        String file = config.ticketKeyFile();
        if (file != null) {
            keys = read(file);
        }
    }

    /**
     * Replaces the keys so that no earlier session can be resumed. Keys from a file are left to its owner to change.
     */
    void forget(long now) {
        if (shared != null) {
            // the trusted authorities are part of the derivation
            reread(shared);
        } else if (config.ticketKeyFile() == null) {
            rotated = now;
            keys = List.of(generate());
        }
    }

    void apply(SslContext context) {
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setTicketKeys(keys.stream().map(TicketKeys::key).toArray(OpenSslSessionTicketKey[]::new));
        }
    }

    int size() {
        return keys.size();
    }

    private static OpenSslSessionTicketKey key(byte[] bytes) {
        int mac = OpenSslSessionTicketKey.NAME_SIZE;
        int cipher = mac + OpenSslSessionTicketKey.HMAC_KEY_SIZE;
        return new OpenSslSessionTicketKey(
                Arrays.copyOf(bytes, mac),
                Arrays.copyOfRange(bytes, mac, cipher),
                Arrays.copyOfRange(bytes, cipher, KEY_BYTES));
    }

    private byte[] generate() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return key;
    }

    static List<byte[]> read(@Nullable String file) throws TlsFault {
        byte[] all;
        try {
            all = Files.readAllBytes(Path.of(String.valueOf(file)));
        } catch (IOException e) {
            throw new TlsFault(
                    file + " cannot be read as ticket keys: " + e + ". Correct the path or the permissions.", e);
        }
        if (all.length == 0 || all.length % KEY_BYTES != 0 || all.length > MOST * KEY_BYTES) {
            throw new TlsFault(
                    file + " holds " + all.length + " bytes; ticket keys are " + KEY_BYTES + " bytes each, one to "
                            + MOST + " of them. Make one: openssl rand -out " + file + " " + KEY_BYTES);
        }
        List<byte[]> keys = new ArrayList<>();
        for (int at = 0; at < all.length; at += KEY_BYTES) {
            keys.add(Arrays.copyOfRange(all, at, at + KEY_BYTES));
        }
        return List.copyOf(keys);
    }
}
