package io.weir.proxy.program.run;

import io.weir.proxy.function.Stage;
import io.weir.proxy.program.server.VirtualServers;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of a program: directives by stage, found by name or by partial path. Immutable. */
public final class ProgramObject {
    private final String name;
    private final @Nullable String ppath;
    private final @Nullable Guard selects;
    private final Map<Stage, DirectiveList> stages = new EnumMap<>(Stage.class);
    private final boolean routes;
    private final boolean retrieves;
    private final boolean shows;

    /** @param selects which requests it applies to by its ppath; null: the ppath is a wildcard over their paths */
    public ProgramObject(
            String name,
            @Nullable String ppath,
            @Nullable Guard selects,
            Map<Stage, List<Directive>> directives,
            VirtualServers virtualServers) {
        this.name = name;
        this.ppath = ppath;
        this.selects = selects;
        directives.forEach((stage, some) -> {
            if (!some.isEmpty()) {
                stages.put(stage, new DirectiveList(some, virtualServers));
            }
        });
        this.routes = list(Stage.ROUTE).all().stream()
                .anyMatch(d -> !ServerFunction.NO_ORIGIN.contains(d.function().name()));
        this.shows = !list(Stage.SERVICE).all().isEmpty()
                && list(Stage.SERVICE).all().stream()
                        .allMatch(
                                d -> ServerFunction.VIEWS.contains(d.function().name()));
        this.retrieves = list(Stage.SERVICE).all().stream()
                .anyMatch(d -> d.function().name().equals(ServerFunction.RETRIEVE));
    }

    /** Whether it may configure origins. */
    boolean routes() {
        return routes;
    }

    /** Whether it may have the answer retrieved: from those origins, else from the host that the client requested. */
    boolean retrieves() {
        return retrieves;
    }

    /** Whether it only shows views of the server's state: no request waits for what another one sees. */
    boolean shows() {
        return shows;
    }

    /** Whether it may refuse requests. */
    boolean checks() {
        return stages.containsKey(Stage.PATH_CHECK);
    }

    public String name() {
        return name;
    }

    @Nullable
    Guard selects() {
        return selects;
    }

    /** Pattern of the requests that this object applies to, or null. */
    public @Nullable String ppath() {
        return ppath;
    }

    /** The directives of a stage in the order in which they were written. */
    public List<Directive> directives(Stage stage) {
        return list(stage).all();
    }

    DirectiveList list(Stage stage) {
        DirectiveList list = stages.get(stage);
        return list == null ? DirectiveList.EMPTY : list;
    }
}
