package io.weir.server.migrate.squid;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A set of IP addresses of both families, as ranges. Immutable. */
final class AddressSet {
    private static final int V4 = 32;
    private static final int V6 = 128;

    /** A range of one family, both ends included. */
    private record Range(int bits, BigInteger low, BigInteger high) {}

    static final AddressSet NONE = new AddressSet(List.of());
    static final AddressSet ALL = new AddressSet(List.of(whole(V4), whole(V6)));

    /** Sorted by family and start, without overlaps. */
    private final List<Range> ranges;

    private AddressSet(List<Range> ranges) {
        this.ranges = ranges;
    }

    private static Range whole(int bits) {
        return new Range(bits, BigInteger.ZERO, BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE));
    }

    /**
     * An address, a network with bits or a mask, or a range {@code a-b}, with or without a mask; null: it is none.
     *
     */
    static @Nullable AddressSet parse(String text) {
        if (text.equals("all")) {
            return ALL;
        }
        int slash = text.indexOf('/');
        String range = slash < 0 ? text : text.substring(0, slash);
        int dash = range.indexOf('-');
        byte[] low = literal(dash < 0 ? range : range.substring(0, dash));
        byte[] high = literal(dash < 0 ? range : range.substring(dash + 1));
        if (low == null || high == null || low.length != high.length) {
            return null;
        }
        int bits = low.length * 8;
        int prefix = slash < 0 ? bits : prefix(text.substring(slash + 1), bits);
        if (prefix < 0) {
            return null;
        }
        BigInteger from = new BigInteger(1, low).shiftRight(bits - prefix).shiftLeft(bits - prefix);
        BigInteger to = new BigInteger(1, high)
                .or(BigInteger.ONE.shiftLeft(bits - prefix).subtract(BigInteger.ONE));
        return from.compareTo(to) > 0 ? null : new AddressSet(List.of(new Range(bits, from, to)));
    }

    private static byte @Nullable [] literal(String text) {
        boolean four = text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
        if (!four && (text.indexOf(':') < 0 || text.indexOf('%') >= 0)) {
            return null;
        }
        try {
            return InetAddress.ofLiteral(text).getAddress();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static int prefix(String text, int bits) {
        if (text.matches("[0-9]{1,3}")) {
            int n = Integer.parseInt(text);
            return n <= bits ? n : -1;
        }
        byte[] mask = literal(text);
        if (mask == null || mask.length * 8 != bits) {
            return -1;
        }
        BigInteger value = new BigInteger(1, mask);
        int ones = value.bitCount();
        BigInteger good =
                BigInteger.ONE.shiftLeft(ones).subtract(BigInteger.ONE).shiftLeft(bits - ones);
        return value.equals(good) ? ones : -1;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    AddressSet union(AddressSet other) {
        List<Range> all = new ArrayList<>(ranges);
        all.addAll(other.ranges);
        all.sort(Comparator.comparingInt(Range::bits).thenComparing(Range::low));
        List<Range> merged = new ArrayList<>();
        for (Range r : all) {
            Range last = merged.isEmpty() ? null : merged.getLast();
            boolean joins = last != null
                    && last.bits() == r.bits()
                    && r.low().compareTo(last.high().add(BigInteger.ONE)) <= 0;
            if (joins && last != null) {
                merged.set(
                        merged.size() - 1,
                        new Range(r.bits(), last.low(), last.high().max(r.high())));
            } else {
                merged.add(r);
            }
        }
        return new AddressSet(List.copyOf(merged));
    }

    AddressSet without(AddressSet other) {
        List<Range> left = new ArrayList<>(ranges);
        for (Range cut : other.ranges) {
            List<Range> next = new ArrayList<>();
            for (Range r : left) {
                if (r.bits() != cut.bits()
                        || cut.high().compareTo(r.low()) < 0
                        || cut.low().compareTo(r.high()) > 0) {
                    next.add(r);
                    continue;
                }
                if (r.low().compareTo(cut.low()) < 0) {
                    next.add(new Range(r.bits(), r.low(), cut.low().subtract(BigInteger.ONE)));
                }
                if (r.high().compareTo(cut.high()) > 0) {
                    next.add(new Range(r.bits(), cut.high().add(BigInteger.ONE), r.high()));
                }
            }
            left = next;
        }
        return new AddressSet(List.copyOf(left));
    }

    AddressSet and(AddressSet other) {
        return without(ALL.without(other));
    }

    boolean contains(AddressSet other) {
        return other.without(this).isEmpty();
    }

    /** As networks. */
    List<String> networks() {
        List<String> networks = new ArrayList<>();
        for (Range r : ranges) {
            BigInteger from = r.low();
            while (from.compareTo(r.high()) <= 0) {
                int free = from.signum() == 0 ? r.bits() : from.getLowestSetBit();
                BigInteger left = r.high().subtract(from).add(BigInteger.ONE);
                int size = Math.min(free, left.bitLength() - 1);
                networks.add(text(from, r.bits()) + "/" + (r.bits() - size));
                from = from.add(BigInteger.ONE.shiftLeft(size));
            }
        }
        return networks;
    }

    private static String text(BigInteger value, int bits) {
        byte[] bytes = new byte[bits / 8];
        byte[] written = value.toByteArray();
        for (int i = 0; i < Math.min(written.length, bytes.length); i++) {
            bytes[bytes.length - 1 - i] = written[written.length - 1 - i];
        }
        if (bits == V6) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < bytes.length; i += 2) {
                text.append(i == 0 ? "" : ":")
                        .append(Integer.toHexString(((bytes[i] & 0xff) << 8) | (bytes[i + 1] & 0xff)));
            }
            return text.toString().replaceFirst("(^|:)0(:0)+(:|$)", "::");
        }
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressSet a && a.ranges.equals(ranges);
    }

    @Override
    public int hashCode() {
        return Objects.hash(ranges);
    }

    @Override
    public String toString() {
        return String.join(" ", networks());
    }
}
