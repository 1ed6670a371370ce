package io.weir.server.siblings;

import io.weir.cluster.purge.PurgePosition;

/** How far a cache has followed purges, as text between caches. Stateless. */
public final class Positions {
    private Positions() {}

    /** As text for {@link #reached}. */
    public static String text(PurgePosition p) {
        return Long.toHexString(p.log()) + "-" + p.number();
    }

    /** Whether a cache is as far as the one that asks. */
    public static boolean reached(String asked, PurgePosition here) {
        int dash = asked.indexOf('-');
        try {
            long log = Long.parseUnsignedLong(asked.substring(0, Math.max(dash, 0)), 16);
            long number = Long.parseLong(asked.substring(dash + 1));
            return log == 0 || (log == here.log() && number <= here.number());
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
