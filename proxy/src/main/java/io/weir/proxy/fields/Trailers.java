package io.weir.proxy.fields;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import java.util.List;
import java.util.Locale;

/**
 * The trailer fields that are forwarded, in both directions ({@code proxy.trailers}). Unfiltered, a sender could inject
 * any field into a receiver that merges them into the head (RFC 9110 section 6.5.1). Immutable, shared.
 */
public final class Trailers {
    public static final Fields NONE = new Fields();

    private final List<String> names;
    private final List<String> starts;

    /**
     * @param allowed names, and prefixes of names that end in {@code *}; a prefix matches no field that HTTP defines
     */
    public Trailers(List<String> allowed) {
        List<String> lower =
                allowed.stream().map(n -> n.toLowerCase(Locale.ROOT)).toList();
        this.names = lower.stream().filter(n -> !n.endsWith("*")).toList();
        this.starts = lower.stream()
                .filter(n -> n.endsWith("*"))
                .map(n -> n.substring(0, n.length() - 1))
                .toList();
    }

    /** The permitted trailers: a copy unless all are. */
    public Fields passing(Fields trailers) {
        int passed = 0;
        for (int i = 0; i < trailers.size(); i++) {
            passed += allows(trailers, i) ? 1 : 0;
        }
        if (passed == trailers.size()) {
            return trailers;
        }
        if (passed == 0) {
            return NONE;
        }
        Fields copy = new Fields();
        for (int i = 0; i < trailers.size(); i++) {
            if (allows(trailers, i)) {
                copy.addFrom(trailers, i);
            }
        }
        return copy;
    }

    private boolean allows(Fields trailers, int i) {
        FieldName id = trailers.id(i);
        String name = id == null ? trailers.name(i).toLowerCase(Locale.ROOT) : id.lower();
        return names.contains(name)
                || (id == null
                        && !Forwarding.names(trailers, i)
                        && starts.stream().anyMatch(name::startsWith));
    }
}
