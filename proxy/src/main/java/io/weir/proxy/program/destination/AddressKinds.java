package io.weir.proxy.program.destination;

import io.netty.util.NetUtil;
import io.weir.base.Network;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The special purpose of an address (RFC 6890 and the IANA registries). IPv4 addresses embedded in IPv6 ones are
 * checked too: a translator or tunnel on the path would reach them. Stateless.
 */
public final class AddressKinds {
    private record Kind(Network network, DestinationRefusal refusal) {}

    private static final List<Kind> KINDS = kinds();
    private static final Network GLOBAL = Network.parse("2000::/3");
    private static final Pattern DOTTED = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,12}){3}");
    private static final Network NAT64 = Network.parse("64:ff9b::/96");

    private AddressKinds() {}

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        add(kinds, DestinationRefusal.METADATA, "169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16");
        add(kinds, DestinationRefusal.METADATA, "192.0.0.192", "fd00:ec2::254", "fd20:ce::254");
        add(kinds, DestinationRefusal.LOOPBACK, "127.0.0.0/8", "::1");
        add(kinds, DestinationRefusal.PRIVATE, "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10");
        add(kinds, DestinationRefusal.PRIVATE, "fc00::/7", "fec0::/10", "64:ff9b:1::/48");
        add(kinds, DestinationRefusal.LINK_LOCAL, "169.254.0.0/16", "fe80::/10");
        add(kinds, DestinationRefusal.MULTICAST, "224.0.0.0/4", "ff00::/8");
        add(kinds, DestinationRefusal.RESERVED, "0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24");
        add(kinds, DestinationRefusal.RESERVED, "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4");
        add(kinds, DestinationRefusal.RESERVED, "::", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20");
        return List.copyOf(kinds);
    }

    private static void add(List<Kind> kinds, DestinationRefusal refusal, String... networks) {
        for (String network : networks) {
            kinds.add(new Kind(Network.parse(network), refusal));
        }
    }

    /** Why an address of 4 or 16 bytes is special, or null if it is an ordinary public one. */
    public static @Nullable DestinationRefusal special(byte[] address) {
        for (int i = 0; i < KINDS.size(); i++) {
            if (KINDS.get(i).network().contains(address)) {
                return KINDS.get(i).refusal();
            }
        }
        boolean elsewhere = address.length == 16 && !GLOBAL.contains(address) && !NAT64.contains(address);
        return elsewhere && !isMapped(address) ? DestinationRefusal.RESERVED : null;
    }

    /**
     * The other texts of an address without brackets, so that a rule for one of them is not bypassed by another: its usual
     * form, the IPv4 address embedded in it, and what numbers with leading zeros may mean. Empty for a name.
     */
    public static List<String> readings(String host) {
        if (host.isEmpty() || (host.indexOf(':') < 0 && !Character.isDigit(host.charAt(host.length() - 1)))) {
            return List.of();
        }
        Set<String> all = new LinkedHashSet<>();
        for (String text :
                DOTTED.matcher(host).matches() ? List.of(numbers(host, 8), numbers(host, 10)) : List.of(host)) {
            byte[] address = NetUtil.createByteArrayFromIpAddressString(text);
            if (address != null) {
                byte[] inner = inside(address);
                all.add(NetUtil.bytesToIpAddress(address));
                if (inner != null) {
                    all.add(NetUtil.bytesToIpAddress(inner));
                }
            }
        }
        return List.copyOf(all);
    }

    /** An IPv4 address whose numbers with leading zeros have this radix; no address if one of them has not. */
    private static String numbers(String dotted, int radix) {
        List<String> parts = new ArrayList<>();
        for (String part : dotted.split("\\.", -1)) {
            boolean zero = part.length() > 1 && part.startsWith("0");
            boolean octal = zero && radix == 8 && part.chars().allMatch(c -> c < '8');
            parts.add(octal ? String.valueOf(Long.parseLong(part, 8)) : part.replaceFirst("^0+(?=.)", ""));
        }
        return String.join(".", parts);
    }

    /**
     * The IPv4 address embedded in an IPv6 one, or null: IPv4-mapped and -compatible (RFC 4291 2.5.5), 6to4 (RFC 3056),
     * NAT64 (RFC 6052, RFC 8215), ISATAP (RFC 5214). Teredo is reserved as a whole.
     */
    public static byte @Nullable [] inside(byte[] a) {
        if (a.length != 16) {
            return null;
        }
        if (a[0] == 0x20 && a[1] == 0x02) {
            return Arrays.copyOfRange(a, 2, 6);
        }
        boolean nat64 = a[0] == 0 && a[1] == 0x64 && a[2] == (byte) 0xff && a[3] == (byte) 0x9b;
        boolean isatap = (a[8] & ~2) == 0 && a[9] == 0 && a[10] == 0x5e && a[11] == (byte) 0xfe;
        return nat64 || isatap || isMapped(a) || isCompatible(a) ? Arrays.copyOfRange(a, 12, 16) : null;
    }

    private static boolean isMapped(byte[] a) {
        return zero(a, 10) && a[10] == (byte) 0xff && a[11] == (byte) 0xff;
    }

    /** {@code ::a.b.c.d}, but not {@code ::} and {@code ::1}. */
    private static boolean isCompatible(byte[] a) {
        return zero(a, 12) && !(a[12] == 0 && a[13] == 0 && a[14] == 0 && (a[15] == 0 || a[15] == 1));
    }

    private static boolean zero(byte[] a, int length) {
        for (int i = 0; i < length; i++) {
            if (a[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
