package io.weir.proxy.program.destination;

import java.util.BitSet;
import java.util.List;

/** A set of ports, written {@code 443} and {@code 8000-8999}. Immutable. */
public final class PortRules {
    /** The ports that tunnels may reach unless configured otherwise. */
    public static final PortRules TLS = of(List.of("443"));

    private final BitSet ports = new BitSet(65536);

    /**
     * Reads the list.
     *
     * @throws IllegalArgumentException naming the entry
     */
    public static PortRules of(List<String> texts) {
        PortRules rules = new PortRules();
        for (String text : texts) {
            int dash = text.indexOf('-');
            int low = port(dash < 0 ? text : text.substring(0, dash), text);
            int high = dash < 0 ? low : port(text.substring(dash + 1), text);
            if (low > high) {
                throw new IllegalArgumentException("the range of ports \"" + text + "\" is empty");
            }
            rules.ports.set(low, high + 1);
        }
        return rules;
    }

    private static int port(String number, String text) {
        if (number.trim().matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(number.trim());
            if (port >= 1 && port <= 65535) {
                return port;
            }
        }
        throw new IllegalArgumentException(
                "expected a port 1 to 65535 or a range such as 8000-8999, found \"" + text + "\"");
    }

    public boolean contains(int port) {
        return ports.get(port);
    }
}
