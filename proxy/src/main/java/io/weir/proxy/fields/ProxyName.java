package io.weir.proxy.fields;

import io.netty.buffer.ByteBuf;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.semantics.Via;
import io.weir.http.structured.StructuredSerializer;
import java.nio.charset.StandardCharsets;

/** The name of this proxy: in Via (RFC 9110 section 7.6.3) and in Cache-Status (RFC 9211). Immutable, shared. */
public final class ProxyName {
    private final String pseudonym;
    private final byte[] via10;
    private final byte[] via11;
    private final byte[] via2;
    private final byte[] cacheStatusStart;

    public ProxyName(String pseudonym) {
        this.pseudonym = pseudonym;
        this.via10 = viaLine(Version.HTTP_1_0, pseudonym);
        this.via11 = viaLine(Version.HTTP_1_1, pseudonym);
        this.via2 = viaLine(Version.HTTP_2, pseudonym);
        this.cacheStatusStart = ascii("Cache-Status: " + StructuredSerializer.name(pseudonym));
    }

    private static byte[] viaLine(Version received, String pseudonym) {
        return ascii("Via: " + via(received) + ' ' + pseudonym + "\r\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A version as written in Via (RFC 9110 section 7.6.3). */
    private static String via(Version received) {
        return switch (received) {
            case HTTP_1_0 -> "1.0";
            case HTTP_1_1 -> "1.1";
            case HTTP_2 -> "2";
        };
    }

    /** The name alone. */
    public String pseudonym() {
        return pseudonym;
    }

    /** Writes Via: the received value, with this proxy appended. */
    public void writeVia(ByteBuf out, Fields fields, Version received) {
        String before = fields.combined(FieldName.VIA);
        if (before == null) {
            out.writeBytes(viaLine(received));
        } else {
            Encoder.field(out, FieldName.VIA, Via.append(before, via(received), pseudonym));
        }
    }

    /** The line for a message received in this version without a Via. */
    public byte[] viaLine(Version received) {
        return switch (received) {
            case HTTP_1_0 -> via10;
            case HTTP_1_1 -> via11;
            case HTTP_2 -> via2;
        };
    }

    /** {@code Cache-Status: } and the name. */
    public byte[] cacheStatusStart() {
        return cacheStatusStart;
    }
}
