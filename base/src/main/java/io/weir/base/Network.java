package io.weir.base;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** A network in CIDR notation. Immutable. */
public final class Network {
    private final byte[] prefix;
    private final int bits;

    private Network(byte[] prefix, int bits) {
        this.prefix = prefix;
        this.bits = bits;
    }

    /**
     * Parses {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or an address, which is a network of one. Names are not
     * resolved.
     *
     * @throws IllegalArgumentException with the expected form
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        String literal = slash < 0 ? text : text.substring(0, slash);
        byte[] address = literal(literal, text);
        int bits = slash < 0 ? address.length * 8 : bits(text.substring(slash + 1), address.length * 8, text);
        for (int i = bits; i < address.length * 8; i++) {
            if (((address[i / 8] >> (7 - i % 8)) & 1) != 0) {
                throw new IllegalArgumentException("\"" + text + "\" has bits set after its " + bits
                        + " bits of prefix: clear them, or use a longer prefix");
            }
        }
        return new Network(address, bits);
    }

    private static byte[] literal(String literal, String text) {
        if (literal.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
            return four(literal.split("\\."), text);
        }
        if (literal.indexOf(':') >= 0 && literal.indexOf('%') < 0) {
            try {
                // in brackets: what is not an address is refused, never looked up
                return InetAddress.getByName("[" + literal + "]").getAddress();
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(expected(text), e);
            }
        }
        throw new IllegalArgumentException(expected(text));
    }

    private static byte[] four(String[] parts, String text) {
        byte[] address = new byte[4];
        for (int i = 0; i < 4; i++) {
            int part = Integer.parseInt(parts[i]);
            if (part > 255) {
                throw new IllegalArgumentException(expected(text));
            }
            address[i] = (byte) part;
        }
        return address;
    }

    private static int bits(String number, int max, String text) {
        if (number.matches("[0-9]{1,3}") && Integer.parseInt(number) <= max) {
            return Integer.parseInt(number);
        }
        throw new IllegalArgumentException(expected(text));
    }

    private static String expected(String text) {
        return "expected a network such as 10.0.0.0/8 or 2001:db8::/32, found \"" + text + "\"";
    }

    /** Parses a list. */
    public static List<Network> all(List<String> texts) {
        List<Network> networks = new ArrayList<>();
        for (String text : texts) {
            networks.add(parse(text));
        }
        return List.copyOf(networks);
    }

    public static boolean anyContains(List<Network> networks, byte[] address) {
        for (int i = 0; i < networks.size(); i++) {
            if (networks.get(i).contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an address of 4 or 16 bytes is in this network; an address of the other family never is. */
    public boolean contains(byte[] address) {
        if (address.length != prefix.length) {
            return false;
        }
        int whole = bits / 8;
        for (int i = 0; i < whole; i++) {
            if (address[i] != prefix[i]) {
                return false;
            }
        }
        int rest = bits % 8;
        return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0;
    }
}
