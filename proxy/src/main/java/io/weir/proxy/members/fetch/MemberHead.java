package io.weir.proxy.members.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.FieldNames;
import io.weir.http.Fields;
import io.weir.http.RequestHead;
import io.weir.http.Version;
import io.weir.http.caching.Validators;
import io.weir.http.semantics.Hops;
import io.weir.proxy.members.MemberFields;
import io.weir.proxy.members.MemberRequest;
import io.weir.proxy.pool.Attempts;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.upstream.FetchRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request to the owner of a key: end-to-end fields as received, and what is told of the client. Credentials
 * for this proxy are kept, since the owner checks them too. Made for one fetch; confined to its muxer.
 */
final class MemberHead implements FetchRequest.HeadWriter {
    private static final int HEAD_BYTES = 1024;

    /** Fields of the connection, and those that are written here. */
    private static final FieldNames OWN = FieldNames.of(
            FieldName.HOST,
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TE,
            FieldName.TRANSFER_ENCODING,
            FieldName.CONTENT_LENGTH,
            FieldName.UPGRADE,
            FieldName.EXPECT,
            FieldName.HTTP2_SETTINGS,
            FieldName.IF_MATCH,
            FieldName.IF_UNMODIFIED_SINCE,
            FieldName.IF_RANGE,
            FieldName.RANGE);

    private final OwnerQuestion question;
    private final @Nullable Validators stored;
    private final boolean conditions;
    private boolean conditional;

    /**
     * For the store.
     *
     * @param stored its object to validate
     * @param conditions whether the client's If-None-Match and If-Modified-Since are sent
     */
    MemberHead(OwnerQuestion question, @Nullable Validators stored, boolean conditions) {
        this.question = question;
        this.stored = stored;
        this.conditions = conditions;
    }

    @Override
    public boolean conditional() {
        return conditional;
    }

    @Override
    public ByteBuf head(OriginKey origin, @Nullable Attempts attempts) {
        ByteBuf out = question.proxy().allocator().directBuffer(HEAD_BYTES);
        boolean done = false;
        try {
            write(out, origin);
            done = true;
            return out;
        } finally {
            if (!done) {
                out.release();
            }
        }
    }

    private void write(ByteBuf out, OriginKey origin) {
        RequestHead head = question.head();
        Fields fields = head.fields();
        Hops hops = Hops.in(fields);
        Encoder.requestLine(out, "GET", head.target(), Version.HTTP_1_1);
        String host = head.host();
        Encoder.field(out, FieldName.HOST, host == null ? origin.authority() : host);
        conditional = false;
        Encoder.fields(out, fields, (f, i) -> {
            boolean goes = relayed(f, i, hops);
            conditional = conditional || (goes && isCondition(f.id(i)));
            return goes;
        });
        if (question.changed() != null) {
            Encoder.field(out, FieldName.CACHE_CONTROL, "no-cache");
        }
        client(out);
        validators(out);
        Encoder.endOfHead(out);
    }

    private boolean relayed(Fields fields, int i, Hops hops) {
        FieldName id = fields.id(i);
        if (id != null && (OWN.contains(id) || (!conditions && isCondition(id)))) {
            return false;
        }
        return !MemberFields.own(fields, i)
                && (hops.nominated().isEmpty() || !hops.removes(fields.name(i).toLowerCase(Locale.ROOT)));
    }

    private static boolean isCondition(@Nullable FieldName field) {
        return field == FieldName.IF_NONE_MATCH || field == FieldName.IF_MODIFIED_SINCE;
    }

    private void client(ByteBuf out) {
        MemberRequest client = question.client();
        line(out, MemberFields.CLIENT, client.client().getHostAddress());
        line(out, MemberFields.SCHEME, client.https() ? "https" : "http");
        if (client.trusted()) {
            line(out, MemberFields.TRUSTED, "yes");
        }
        line(out, MemberFields.LISTENER, MemberRequest.encoded(client.listener()));
        if (!client.virtualServer().isEmpty()) {
            line(out, MemberFields.VIRTUAL_SERVER, MemberRequest.encoded(client.virtualServer()));
        }
        line(out, MemberFields.KEY, Long.toHexString(client.hash()));
        line(out, MemberFields.PURGES, client.purges());
    }

    private static void line(ByteBuf out, String name, String value) {
        ByteBufUtil.writeAscii(out, name + ": " + value + "\r\n");
    }

    private void validators(ByteBuf out) {
        Validators s = stored;
        if (s == null) {
            return;
        }
        conditional = conditional || s.any();
        String tag = s.ifNoneMatch();
        if (tag != null) {
            Encoder.field(out, FieldName.IF_NONE_MATCH, tag);
        }
        String since = s.ifModifiedSince();
        if (since != null) {
            Encoder.field(out, FieldName.IF_MODIFIED_SINCE, since);
        }
    }
}
