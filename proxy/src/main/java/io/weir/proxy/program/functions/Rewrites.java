package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.FLAG;

import io.weir.http.Fields;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters {@code rewrite-} and a field's name, of functions that map URLs in answers back. Stateless. */
final class Rewrites {
    private static final String PREFIX = "rewrite-";

    /** Declared by the functions themselves. */
    private static final Set<String> OWN = Set.of("location", "content-location", "host", "field");

    private Rewrites() {}

    static @Nullable ParameterSpec declared(String name) {
        return name.startsWith(PREFIX) && name.length() > PREFIX.length()
                ? ParameterSpec.optional(name, FLAG, "map the URL in this field back")
                : null;
    }

    /** The fields of {@code rewrite-field}, and those of {@link #fields}. */
    static List<String> all(Parameters p) {
        List<String> all = new ArrayList<>(p.all("rewrite-field"));
        all.addAll(fields(p));
        return all;
    }

    /**
     * The fields that are mapped back.
     *
     * @throws IllegalArgumentException if one is no field of an answer
     */
    static List<String> fields(Parameters p) {
        List<String> fields = new ArrayList<>();
        for (String name : p.names()) {
            String field =
                    name.startsWith(PREFIX) ? name.substring(PREFIX.length()).toLowerCase(Locale.ROOT) : "";
            if (field.isEmpty() || OWN.contains(field) || !p.on(name)) {
                continue;
            }
            if (field.equals("set-cookie")) {
                throw new IllegalArgumentException("\"" + name
                        + "\" is off: domains of cookies are not mapped; have the origin set cookies without a domain");
            }
            new Fields().add(field, "");
            fields.add(field);
        }
        return fields;
    }
}
