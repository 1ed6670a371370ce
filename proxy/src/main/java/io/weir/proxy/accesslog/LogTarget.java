package io.weir.proxy.accesslog;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * Which exchanges a log records. Immutable.
 *
 * @param name of the log
 * @param virtualServers their names; empty: all
 * @param statuses recorded statuses, 0 for exchanges without one; empty: all
 */
record LogTarget(String name, List<String> virtualServers, BitSet statuses) {
    private static final int STATUSES = 1000;

    /**
     * The target of a configuration.
     *
     * @throws IllegalArgumentException if a status is invalid
     */
    static LogTarget of(String name, AccessLogConfig config) {
        BitSet statuses = new BitSet(STATUSES);
        for (String status : config.statuses()) {
            add(status.toLowerCase(Locale.ROOT), statuses);
        }
        return new LogTarget(name, List.copyOf(config.virtualServers()), statuses);
    }

    private static void add(String status, BitSet into) {
        if (status.equals("none")) {
            into.set(0);
        } else if (status.matches("[1-5]xx")) {
            int first = (status.charAt(0) - '0') * 100;
            into.set(first, first + 100);
        } else if (status.matches("[1-5][0-9][0-9]")) {
            into.set(Integer.parseInt(status));
        } else {
            throw new IllegalArgumentException("expected statuses such as 404, 5xx or none, found \"" + status + "\"");
        }
    }

    boolean serves(String virtualServer) {
        return virtualServers.isEmpty() || virtualServers.contains(virtualServer);
    }

    boolean filters() {
        return !statuses.isEmpty();
    }

    boolean wants(int status) {
        return statuses.get(status);
    }
}
