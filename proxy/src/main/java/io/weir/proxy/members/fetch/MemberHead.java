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
import io.weir.proxy.upstream.WrittenHead;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request to the owner of a key: end-to-end fields as received, and what is told of the client. Credentials
 * for this proxy are kept, since the owner checks them too. Made for one fetch; confined to its muxer.
 */
final class MemberHead extends WrittenHead {
    private static final FieldNames OWN = CONNECTION.and(FieldName.EXPECT);

    private final OwnerQuestion question;
    private final @Nullable Validators stored;
    private final boolean conditions;

    /**
     * As the question wants it.
     *
     * @param stored its object to validate
     * @param conditions whether the client's If-None-Match and If-Modified-Since are sent
     */
    MemberHead(OwnerQuestion question, @Nullable Validators stored, boolean conditions) {
        super(question.proxy().allocator());
        this.question = question;
        this.stored = stored;
        this.conditions = conditions;
    }

    @Override
    protected void write(ByteBuf out, OriginKey origin, @Nullable Attempts attempts) {
        RequestHead head = question.head();
        Fields fields = head.fields();
        Hops hops = Hops.in(fields);
        String method = question.storedOnly() ? head.method() : "GET";
        Encoder.requestLine(out, method, head.target(), Version.HTTP_1_1);
        String host = head.host();
        Encoder.field(out, FieldName.HOST, host == null ? origin.authority() : host);
        Encoder.fields(out, fields, (f, i) -> {
            boolean goes = relayed(f, i, hops);
            conditional = conditional || (goes && isCondition(f.id(i)));
            return goes;
        });
        if (question.changed() != null) {
            Encoder.field(out, FieldName.CACHE_CONTROL, "no-cache");
        }
        client(out);
        validators(out, stored);
        Encoder.endOfHead(out);
    }

    private boolean relayed(Fields fields, int i, Hops hops) {
        FieldName id = fields.id(i);
        if (id != null
                && (OWN.contains(id)
                        || (!question.storedOnly() && PRECONDITIONS.contains(id))
                        || (!conditions && isCondition(id)))) {
            return false;
        }
        return !MemberFields.own(fields, i)
                && (hops.nominated().isEmpty() || !hops.removes(fields.name(i).toLowerCase(Locale.ROOT)));
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
}
