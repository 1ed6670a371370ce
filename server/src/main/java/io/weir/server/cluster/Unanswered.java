package io.weir.server.cluster;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why the cluster gave no answer, as readable text: class names and stacks of a library's exceptions do not help
 * operators. Stateless.
 */
final class Unanswered {
    /** From the first class name of a library's exception on, with the peer before it. */
    private static final Pattern FOREIGN =
            Pattern.compile("(; |: )?(\\S+: )?\\b(org\\.apache|java|javax)\\.[\\w.$]+.*", Pattern.DOTALL);

    private Unanswered() {}

    /** The fault's text if it is Weir's own; instead of a library's text, what this member knows. */
    static String text(ClusterAccess cluster, @Nullable String fault) {
        String failure = fault == null ? "" : fault;
        String ours = FOREIGN.matcher(failure).replaceFirst("");
        if (ours.equals(failure) && !ours.isEmpty()) {
            return ours;
        }
        return ours.isEmpty() ? known(cluster) : ours + "; " + known(cluster);
    }

    private static String known(ClusterAccess cluster) {
        Outage outage = cluster.outage();
        if (outage != null) {
            return outage.since();
        }
        String leader = cluster.log().leader();
        return leader == null ? "no leader of the log is known here" : leader + " leads the log and did not answer";
    }
}
