package io.weir.server.config;

import io.weir.base.ConfigProblem;
import java.util.Comparator;

/** The order in which problems of several files are reported. Stateless. */
public final class ProblemOrder {
    /**
     * File by file, each in its order: options, the configuration, {@code magnus.conf}, {@code server.xml}, then all that
     * they name.
     */
    public static final Comparator<ConfigProblem> FILE_BY_FILE = Comparator.comparingInt(ProblemOrder::rank)
            .thenComparing(p -> p.at().source())
            .thenComparing(ConfigProblem.IN_ORDER);

    private ProblemOrder() {}

    private static int rank(ConfigProblem p) {
        String source = p.at().source();
        if (source.endsWith("magnus.conf")) {
            return 2;
        }
        if (source.endsWith("server.xml")) {
            return 3;
        }
        return p.at().line() == 0 ? 0 : source.endsWith(".yaml") ? 1 : 4;
    }
}
