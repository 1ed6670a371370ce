package io.weir.server.admin;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A complete request to the admin listener: decoded, within its limits and past the access rules. Immutable.
 *
 * @param method as on the wire; HEAD reaches handlers as GET
 * @param path decoded, beginning with a slash, free of dot segments
 * @param query decoded parameters in order; of equal names the first, in requests that only read; a name without a
 * value has an empty one
 * @param fields by name in lower case; repeated ones joined with a comma
 * @param body at most {@code admin.max-body} bytes of valid UTF-8; empty when there is none
 * @param remote the client's address
 * @param author the author: a user's name, {@code token}, or {@code anonymous} for open reads
 */
public record AdminRequest(
        String method,
        String path,
        Map<String, String> query,
        Map<String, String> fields,
        String body,
        InetSocketAddress remote,
        String author) {
    /** The author of reads where they need no credentials. */
    public static final String ANONYMOUS = "anonymous";

    /** The parameter's value; null when the query does not name it. */
    public @Nullable String parameter(String name) {
        return query.get(name);
    }

    /** Whether a parameter is true: its value is true, or it has none. */
    public boolean isTrue(String name) {
        String value = query.get(name);
        return value != null && !value.equals("false");
    }

    /** The field's value; null when absent. */
    public @Nullable String field(String name) {
        return fields.get(name.toLowerCase(Locale.ROOT));
    }

    /** Whether its client has not shown who it is. */
    public boolean anonymous() {
        return author.equals(ANONYMOUS);
    }

    AdminRequest by(String who) {
        return new AdminRequest(method, path, query, fields, body, remote, who);
    }

    AdminRequest as(String otherMethod) {
        return new AdminRequest(otherMethod, path, query, fields, body, remote, author);
    }
}
