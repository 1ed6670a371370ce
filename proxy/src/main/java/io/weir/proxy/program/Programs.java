package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles a configuration to a program. Stateless. */
public final class Programs {
    private Programs() {}

    /**
     * What compiling gave: a program, or problems.
     *
     * @param program null when there are problems
     * @param problems every one, with its place
     */
    public record Compiled(@Nullable Program program, List<ConfigProblem> problems) {
        /** The program. @throws IllegalArgumentException listing the problems when there are any */
        public Program orThrow() {
            if (program == null) {
                throw new IllegalArgumentException(problems.toString());
            }
            return program;
        }
    }

    /**
     * Compiles the routes.
     *
     * @param tree the whole configuration as written, for places; null where there is none
     */
    public static Compiled compile(
            ProxyConfig config,
            Map<String, VirtualServerConfig> virtualServers,
            WorkPools pools,
            ConfigNode.@Nullable Mapping tree) {
        List<ConfigProblem> problems = new ArrayList<>();
        VirtualServers servers = VirtualServers.of(virtualServers);
        Destinations destinations = Destinations.of(config.destinations());
        ProgramBuilder builder = new ProgramBuilder(FunctionCatalogue.builtin(), pools, servers);
        new RouteSource(config, tree).compile(builder);
        Program program = builder.build(destinations, config.restarts());
        problems.addAll(builder.problems());
        return new Compiled(problems.isEmpty() ? program : null, problems);
    }
}
