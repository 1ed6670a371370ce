package io.weir.proxy.members;

import io.weir.http.Fields;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a member tells about its client with a request to the owner of a key, which then decides as for this client.
 * Immutable.
 *
 * @param listener name of the listener that the client used
 * @param virtualServer that the listener is configured for; empty: none
 * @param hash of the key, as the asking member computed it
 * @param purges how far that member's cache has followed the cluster's purges
 */
public record MemberRequest(
        InetAddress client,
        boolean https,
        boolean trusted,
        String listener,
        String virtualServer,
        long hash,
        String purges) {
    /**
     * Reads and removes it.
     *
     * @return null if it is missing or malformed
     */
    public static @Nullable MemberRequest take(Fields fields) {
        String client = fields.combined(MemberFields.CLIENT);
        String scheme = fields.combined(MemberFields.SCHEME);
        String listener = fields.combined(MemberFields.LISTENER);
        String server = fields.combined(MemberFields.VIRTUAL_SERVER);
        String hash = fields.combined(MemberFields.KEY);
        String purges = fields.combined(MemberFields.PURGES);
        boolean trusted = fields.combined(MemberFields.TRUSTED) != null;
        MemberFields.removeFrom(fields);
        if (client == null || scheme == null || listener == null || hash == null || purges == null) {
            return null;
        }
        try {
            return new MemberRequest(
                    OwnerMark.address(client),
                    scheme.equals("https"),
                    trusted,
                    decoded(listener),
                    server == null ? "" : decoded(server),
                    Long.parseUnsignedLong(hash, 16),
                    purges);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** A configured name as a field value. */
    public static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private static String decoded(String value) {
        return URLDecoder.decode(value, StandardCharsets.UTF_8);
    }
}
