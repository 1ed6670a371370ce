package io.weir.wire.invoke;

import io.weir.base.Fence;
import io.weir.wire.client.WireUrl;
import io.weir.wire.naming.NamingEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The location of a service: the meaning of a name of the kind {@value #KIND}. It never contains an object. Immutable.
 *
 * @param service the name under which it is bound
 * @param fence of its owner, carried by calls
 * @param member the owner's name
 * @param address of the owner, host and port; null for the member that the reference came from
 * @param interfaces names and hashes of the interfaces that it implements
 * @param members addresses at which to look it up again
 */
public record ServiceReference(
        String service,
        Fence fence,
        String member,
        WireUrl.@Nullable Address address,
        Map<String, Long> interfaces,
        List<WireUrl.Address> members) {
    /** The kind of names bound to services. */
    public static final String KIND = "service";

    /** Copies the map and the list. */
    public ServiceReference {
        interfaces = Map.copyOf(interfaces);
        members = List.copyOf(members);
    }

    /** A service at a member whose address is not known: at the member that the reference comes from. */
    public static ServiceReference unaddressed(
            String service, Fence fence, String member, Map<String, Long> interfaces) {
        return new ServiceReference(service, fence, member, null, interfaces, List.of());
    }

    /** A copy with addresses at which to look it up again. */
    public ServiceReference knowing(List<WireUrl.Address> others) {
        return new ServiceReference(service, fence, member, address, interfaces, others);
    }

    /** A copy for the same service at another member. */
    public ServiceReference at(WireUrl.Address newer, Fence newest) {
        return new ServiceReference(service, newest, member, newer, interfaces, members);
    }

    /** The reference as a naming entry. */
    public NamingEntry entry() {
        Map<String, String> a = new TreeMap<>();
        a.put("fence", fence.toString());
        a.put("member", member);
        if (address != null) {
            a.put("address", address.toString());
        }
        List<String> types = new ArrayList<>();
        new TreeMap<>(interfaces).forEach((name, hash) -> types.add(name + "=" + Long.toHexString(hash)));
        a.put("interfaces", String.join(" ", types));
        a.put("members", String.join(",", members.stream().map(Object::toString).toList()));
        return new NamingEntry(KIND, service, a);
    }

    /**
     * Parses a naming entry.
     *
     * @throws IllegalArgumentException if it is not of the form that {@link #entry} produces
     */
    public static ServiceReference of(NamingEntry entry) {
        Map<String, String> a = entry.attributes();
        Map<String, Long> types = new LinkedHashMap<>();
        for (String type : a.getOrDefault("interfaces", "").split(" ", -1)) {
            int equals = type.indexOf('=');
            if (equals > 0) {
                types.put(type.substring(0, equals), Long.parseUnsignedLong(type.substring(equals + 1), 16));
            }
        }
        String address = a.getOrDefault("address", "");
        return new ServiceReference(
                entry.name(),
                fence(a.getOrDefault("fence", "0.0")),
                a.getOrDefault("member", ""),
                address.isEmpty() ? null : addresses(address).get(0),
                types,
                addresses(a.getOrDefault("members", "")));
    }

    /**
     * Parses addresses separated by commas; empty for an empty text.
     *
     * @throws IllegalArgumentException if one is invalid
     */
    public static List<WireUrl.Address> addresses(String text) {
        return text.isEmpty() ? List.of() : WireUrl.parse("weir://" + text).addresses();
    }

    private static Fence fence(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("not a fence: " + text);
        }
        return new Fence(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
    }
}
