package io.weir.proxy.cache.fill;

import io.netty.buffer.ByteBuf;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.caching.CacheControl;
import io.weir.http.caching.StoredFields;
import io.weir.http.semantics.Conditionals;
import io.weir.http.semantics.Hops;
import io.weir.http.semantics.HttpDate;
import io.weir.proxy.cache.store.StoredHead;
import io.weir.proxy.cache.store.StoredObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes the head of a stored response, once. The fields that a 304 repeats come first, so that one stored text serves
 * both; the order of fields with different names has no meaning (RFC 9110 5.3). Stateless.
 */
final class StoredHeadWriter {
    /** Room for the Content-Length line of a body whose length is known only at its end. */
    static final int LENGTH_ROOM = 36;

    private StoredHeadWriter() {}

    /**
     * Writes a head of the fields that may be stored.
     *
     * @param contentLength written instead of the origin's; negative for none
     * @param received HTTP version of the response
     * @param receivedMillis becomes Date if the origin sent none (RFC 9110 6.6.1)
     */
    static StoredHead write(
            ByteBuf out,
            int status,
            Fields fields,
            CacheControl control,
            long contentLength,
            Version received,
            long receivedMillis) {
        Encoder.statusLine(out, Version.HTTP_1_1, status);
        int fieldsStart = out.writerIndex();
        Hops hops = Hops.in(fields);
        if (!fields.has(FieldName.DATE)) {
            Encoder.field(out, FieldName.DATE, HttpDate.format(Math.floorDiv(receivedMillis, 1000)));
        }
        Encoder.fields(out, fields, (f, i) -> kept(f, i, hops, control, true));
        int notModifiedEnd = out.writerIndex();
        Encoder.fields(out, fields, (f, i) -> kept(f, i, hops, control, false));
        if (contentLength >= 0 && status != 204) {
            Encoder.field(out, FieldName.CONTENT_LENGTH, contentLength);
        }
        return new StoredHead(status, fieldsStart, notModifiedEnd, out.writerIndex(), received);
    }

    private static boolean kept(Fields fields, int i, Hops hops, CacheControl control, boolean in304) {
        FieldName id = fields.id(i);
        if (id == FieldName.CONTENT_LENGTH) {
            return false;
        }
        String name = id != null ? id.lower() : fields.name(i).toLowerCase(Locale.ROOT);
        return Conditionals.belongsIn304(name) == in304 && StoredFields.isStored(name, hops, control);
    }

    /**
     * The fields of an answer that are not stored but are sent to the client whose request was fetched: those that
     * private or no-cache name (RFC 9111 5.2.2.7, 5.2.2.4), and the cookies of a 304, which are not merged. Null when
     * there are none.
     *
     * @param control of what is stored, after a 304 that of the merged fields
     */
    static @Nullable Fields withheld(int status, Fields fields, CacheControl control) {
        boolean cookies = status == 304 && fields.has(FieldName.SET_COOKIE);
        if (!cookies
                && control.privateFields().isEmpty()
                && control.noCacheFields().isEmpty()) {
            return null;
        }
        Hops hops = Hops.in(fields);
        Fields withheld = new Fields();
        for (int i = 0; i < fields.size(); i++) {
            FieldName id = fields.id(i);
            String name = id != null ? id.lower() : fields.name(i).toLowerCase(Locale.ROOT);
            boolean own = id == FieldName.CONTENT_LENGTH || id == FieldName.AGE || hops.removes(name);
            boolean named = control.privateFields().contains(name)
                    || control.noCacheFields().contains(name)
                    || (cookies && id == FieldName.SET_COOKIE);
            if (named && !own) {
                withheld.addFrom(fields, i);
            }
        }
        return withheld.size() == 0 ? null : withheld;
    }

    /** Adds the Content-Length line to a head that was written without one; space was reserved for it. */
    static StoredHead addLength(ByteBuf block, StoredHead head, long contentLength) {
        if (head.status() == 204) {
            return head;
        }
        byte[] line =
                ("Content-Length: " + contentLength + "\r\n").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        block.setBytes(head.length(), line);
        int length = head.length() + line.length;
        return new StoredHead(head.status(), head.fieldsStart(), head.notModifiedEnd(), length, head.received());
    }

    /**
     * The fields of a stored response after a 304 (RFC 9111 3.2, 4.3.4): its own, replaced by those of the 304.
     *
     * @param control of the 304
     */
    static Fields merge(StoredObject stored, Fields update, CacheControl control) {
        Hops hops = Hops.in(update);
        Fields merged = new Fields();
        Fields before = stored.fields();
        for (int i = 0; i < before.size(); i++) {
            String name = before.name(i).toLowerCase(Locale.ROOT);
            if (update.indexOf(name, 0) < 0 || !StoredFields.isUpdated(name, hops, control)) {
                merged.addFrom(before, i);
            }
        }
        for (int i = 0; i < update.size(); i++) {
            if (StoredFields.isUpdated(update.name(i).toLowerCase(Locale.ROOT), hops, control)) {
                merged.addFrom(update, i);
            }
        }
        return merged;
    }
}
