package io.weir.server.migrate.squid;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of ports. Immutable. */
final class PortSet {
    private static final int END = 65_536;

    static final PortSet ALL = new PortSet(all());
    static final PortSet NONE = new PortSet(new BitSet());

    private final BitSet ports;

    private PortSet(BitSet ports) {
        this.ports = ports;
    }

    private static BitSet all() {
        BitSet all = new BitSet();
        all.set(1, END);
        return all;
    }

    /**
     * A port or a range {@code a-b}; null: it is none.
     *
     */
    static @Nullable PortSet parse(String text) {
        if (!text.matches("[0-9]{1,5}(-[0-9]{1,5})?")) {
            return null;
        }
        int dash = text.indexOf('-');
        int low = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
        int high = dash < 0 ? low : Integer.parseInt(text.substring(dash + 1));
        if (low > high || high >= END) {
            return null;
        }
        BitSet set = new BitSet();
        set.set(Math.max(1, low), high + 1);
        return new PortSet(set);
    }

    PortSet union(PortSet other) {
        BitSet set = (BitSet) ports.clone();
        set.or(other.ports);
        return new PortSet(set);
    }

    PortSet and(PortSet other) {
        BitSet set = (BitSet) ports.clone();
        set.and(other.ports);
        return new PortSet(set);
    }

    PortSet without(PortSet other) {
        BitSet set = (BitSet) ports.clone();
        set.andNot(other.ports);
        return new PortSet(set);
    }

    boolean isEmpty() {
        return ports.isEmpty();
    }

    boolean contains(PortSet other) {
        return other.without(this).isEmpty();
    }

    /** As ports and ranges. */
    List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (int from = ports.nextSetBit(0); from >= 0; from = ports.nextSetBit(from)) {
            int to = ports.nextClearBit(from);
            texts.add(to - 1 == from ? String.valueOf(from) : from + "-" + (to - 1));
            from = to;
        }
        return texts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PortSet p && p.ports.equals(ports);
    }

    @Override
    public int hashCode() {
        return ports.hashCode();
    }
}
