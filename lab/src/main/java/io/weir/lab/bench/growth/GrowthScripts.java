package io.weir.lab.bench.growth;

import io.weir.lab.bench.peer.GrowthConfigs;
import io.weir.lab.bench.peer.WeirConfigs;
import java.util.Locale;

/**
 * wrk's scripts: what is requested next. Random orders are even over all targets and repeat with their seed; targets of
 * one growth have the same length in all of its steps. Immutable.
 */
final class GrowthScripts {
    private static final String END = " HTTP/1.1\\r\\nHost: bench.test\\r\\n\\r\\n";

    private final long count;
    private final String format;

    /**
     * Requests.
     *
     * @param count how many there are
     * @param format in Lua, of {@code string.format} with the expressions after it, of the number {@code i}
     */
    private GrowthScripts(long count, String format) {
        this.count = count;
        this.format = format;
    }

    /** So many objects. */
    static GrowthScripts objects(long count) {
        return new GrowthScripts(count, "\"GET /o/%07d" + END + "\", i");
    }

    /** So many variants of one URI, which belongs to this number alone. */
    static GrowthScripts variants(long count) {
        return new GrowthScripts(
                count,
                String.format(Locale.ROOT, "\"GET /v/%05d", count) + END.substring(0, END.length() - 4)
                        + "X-Variant: %07d\\r\\n\\r\\n\", i");
    }

    /**
     * Always as many objects, spread evenly over the rules: so many of them, at {@link WeirConfigs#rulePath}.
     *
     * @param rules a power of ten, at most the number of objects
     */
    static GrowthScripts routes(long rules) {
        String path = WeirConfigs.rulePath(0).replace("00000", "%05d");
        return new GrowthScripts(
                GrowthConfigs.ROUTED_OBJECTS,
                "\"GET " + path + "/%05d" + END + "\", i % " + rules + ", math.floor(i / " + rules + ")");
    }

    /** So many origins, each with its route. */
    static GrowthScripts origins(long count) {
        return new GrowthScripts(count, "\"GET /m/%05d/o" + END + "\", i");
    }

    /** How many different requests there are. */
    long count() {
        return count;
    }

    /** The script of all requests in order, from one on and around. */
    String inOrder(long from) {
        return "local i = " + (from - 1) + "\nrequest = function()\n  i = (i + 1) % " + count
                + "\n  return string.format(" + format + ")\nend\n";
    }

    /** The script of requests in a random order. */
    String atRandom(long seed) {
        return "math.randomseed(" + seed + ")\nlocal random = math.random\nrequest = function()\n  local i = random(0, "
                + (count - 1) + ")\n  return string.format(" + format + ")\nend\n";
    }

    /**
     * The script of one request with so many fields, Host among them.
     *
     * @param fields at least 1
     */
    static String fields(long fields) {
        StringBuilder text = new StringBuilder("GET /f HTTP/1.1\\r\\nHost: bench.test\\r\\n");
        for (int i = 1; i < fields; i++) {
            text.append(String.format(Locale.ROOT, "X-Field-%03d: value-%03d-0123456789\\r\\n", i, i));
        }
        return "local text = \"" + text + "\\r\\n\"\nrequest = function()\n  return text\nend\n";
    }
}
