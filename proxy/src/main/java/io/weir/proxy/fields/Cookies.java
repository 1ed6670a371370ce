package io.weir.proxy.fields;

import io.weir.http.Fields;
import org.jspecify.annotations.Nullable;

/** Finds cookies in requests (RFC 6265 section 4.2). Stateless. */
public final class Cookies {
    private Cookies() {}

    /** The value of the first cookie of this name, case-sensitive; null if there is none. */
    public static @Nullable String value(Fields fields, String name) {
        for (int i = fields.indexOf("cookie", 0); i >= 0; i = fields.indexOf("cookie", i + 1)) {
            String found = value(fields.value(i), name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable String value(String cookies, String name) {
        int from = 0;
        while (from < cookies.length()) {
            int end = cookies.indexOf(';', from);
            end = end < 0 ? cookies.length() : end;
            while (from < end && cookies.charAt(from) == ' ') {
                from++;
            }
            if (cookies.startsWith(name, from) && cookies.startsWith("=", from + name.length())) {
                return cookies.substring(Math.min(end, from + name.length() + 1), end)
                        .stripTrailing();
            }
            from = end + 1;
        }
        return null;
    }
}
