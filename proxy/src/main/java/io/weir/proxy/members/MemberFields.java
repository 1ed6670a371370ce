package io.weir.proxy.members;

import io.weir.http.Fields;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of requests and answers between members' caches (docs/cluster-cache.md). Requests of clients and answers of
 * origins may contain fields of these names, which mean nothing there and are not passed to members. Stateless.
 */
public final class MemberFields {
    static final String PREFIX = "weir-member-";

    /** The client's address. */
    public static final String CLIENT = "Weir-Member-Client";
    /** https or http: how the client asked. */
    public static final String SCHEME = "Weir-Member-Scheme";
    /** yes: the client is a trusted proxy. */
    public static final String TRUSTED = "Weir-Member-Trusted";
    /** Name of the listener that the client used. */
    public static final String LISTENER = "Weir-Member-Listener";
    /** Name of the virtual server that this listener is configured for. */
    public static final String VIRTUAL_SERVER = "Weir-Member-Virtual-Server";
    /** Hash of the key, in hexadecimal digits. */
    public static final String KEY = "Weir-Member-Key";
    /** How far the asking member has followed the cluster's purges. */
    public static final String PURGES = "Weir-Member-Purges";
    /**
     * In the answer: that it is the cache's or the origin's, and the addresses that it was fetched from: see
     * {@link OwnerMark}.
     */
    public static final String FROM = "Weir-Member-From";

    /** In the answer: names of fields that are for the client that asks alone, and not to be stored. */
    public static final String WITHHELD = "Weir-Member-Withheld";

    private MemberFields() {}

    /** The names of fields, for {@link #WITHHELD}. */
    public static String names(Fields withheld) {
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < withheld.size(); i++) {
            names.add(withheld.name(i).toLowerCase(Locale.ROOT));
        }
        return String.join(",", names);
    }

    /** Takes the fields that {@link #WITHHELD} names out of an answer; null: there are none. */
    public static @Nullable Fields takeWithheld(Fields fields) {
        String named = last(fields, WITHHELD);
        if (named == null) {
            return null;
        }
        Set<String> names = Set.copyOf(Arrays.asList(named.split(",", -1)));
        Fields taken = new Fields();
        for (int i = 0; i < fields.size(); i++) {
            if (names.contains(fields.name(i).toLowerCase(Locale.ROOT))) {
                taken.addFrom(fields, i);
            }
        }
        for (int i = fields.size() - 1; i >= 0; i--) {
            if (names.contains(fields.name(i).toLowerCase(Locale.ROOT))) {
                fields.removeAt(i);
            }
        }
        return taken.size() == 0 ? null : taken;
    }

    /** The last value of a field; null: there is none. */
    public static @Nullable String last(Fields fields, String name) {
        String found = null;
        for (int i = fields.indexOf(name, 0); i >= 0; i = fields.indexOf(name, i + 1)) {
            found = fields.value(i);
        }
        return found;
    }

    /** Whether a field is one of these. */
    public static boolean own(Fields fields, int i) {
        return fields.id(i) == null && fields.name(i).regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /** Removes all of these. */
    public static void removeFrom(Fields fields) {
        for (int i = fields.size() - 1; i >= 0; i--) {
            if (own(fields, i)) {
                fields.removeAt(i);
            }
        }
    }
}
