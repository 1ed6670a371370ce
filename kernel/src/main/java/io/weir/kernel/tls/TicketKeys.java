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
 * The keys that a listener's session tickets are sealed with, the newest first: tickets are what lets TLS 1.3 sessions
 * resume (RFC 8446 section 2.2, RFC 5077). Drawn keys die with the process; of several processes all derive the same from
 * what their supervisor draws. Owned by {@link ServerTls}, under its lock.
 */
final class TicketKeys {
    /** Name, HMAC key and AES key, 16 bytes each. */
    static final int KEY_BYTES = OpenSslSessionTicketKey.TICKET_KEY_SIZE;

    static final int MOST = 8;

    private final TlsConfig config;
    private final SecureRandom random = new SecureRandom();
    private final @Nullable SharedTickets shared;
    private List<byte[]> keys;
    private long turned;

    /**
     * Reads or draws them.
     *
     * @param others what other processes have, too; null where there are none
     * @param now nanoseconds of the kernel's clock
     * @throws TlsFault when the file cannot be used
     */
    TicketKeys(TlsConfig config, @Nullable SharedTickets others, long now) throws TlsFault {
        this.config = config;
        this.shared = config.ticketKeyFile() == null ? others : null;
        this.turned = now;
        String file = config.ticketKeyFile();
        if (shared != null) {
            this.keys = shared.keys();
        } else {
            this.keys = file == null ? List.of(draw()) : read(file);
        }
    }

    /** A new key when it is time for one; says whether there is one. */
    boolean turn(long now) {
        if (shared != null) {
            return shared.changed() && reread(shared);
        }
        if (config.ticketKeyFile() != null
                || now - turned < config.ticketRotation().toNanos()) {
            return false;
        }
        turned = now;
        List<byte[]> next = new ArrayList<>();
        next.add(draw());
        next.addAll(keys.subList(0, Math.min(keys.size(), kept())));
        keys = List.copyOf(next);
        return true;
    }

    private boolean reread(SharedTickets from) {
        try {
            keys = from.keys();
            return true;
        } catch (TlsFault e) {
            // it is being replaced: the keys of before serve until it is looked at again
            return false;
        }
    }

    /** Old keys that sessions may still need. */
    private int kept() {
        long rotation = config.ticketRotation().toNanos();
        long spans = (config.sessionTimeOut().toNanos() + rotation - 1) / rotation;
        return (int) Math.min(MOST - 1, spans);
    }

    /** The file's keys as they are now. */
    void read() throws TlsFault {
        String file = config.ticketKeyFile();
        if (file != null) {
            keys = read(file);
        }
    }

    /** No session that was begun before is resumed any more. Keys of a file are its owner's to change. */
    void forget(long now) {
        if (shared != null) {
            // whom to trust is part of what they are derived from
            reread(shared);
        } else if (config.ticketKeyFile() == null) {
            turned = now;
            keys = List.of(draw());
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

    private byte[] draw() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return key;
    }

    static List<byte[]> read(@Nullable String file) throws TlsFault {
        byte[] all;
        try {
            all = Files.readAllBytes(Path.of(String.valueOf(file)));
        } catch (IOException e) {
            throw new TlsFault(file + " cannot be read as ticket keys: " + e + ". Correct path and permissions.", e);
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
