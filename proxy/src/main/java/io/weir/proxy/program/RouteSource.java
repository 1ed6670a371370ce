package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import org.jspecify.annotations.Nullable;

/** The language {@code proxy.routes}: compiles each route to an object and the rule that names it. Immutable. */
public final class RouteSource implements ProgramSource {
    private final ProxyConfig config;
    private final ConfigNode.@Nullable Mapping tree;

    /**
     * The routes of a configuration; those of the embedded default when it has none.
     *
     * @param tree the whole configuration as written, for places; null where there is none
     */
    public RouteSource(ProxyConfig config, ConfigNode.@Nullable Mapping tree) {
        this.config = config;
        this.tree = tree;
    }

    @Override
    public void compile(ProgramBuilder into) {
        if (tree == null && config.routes().isEmpty()) {
            into.object(Program.DEFAULT_OBJECT, null);
        }
    }
}
