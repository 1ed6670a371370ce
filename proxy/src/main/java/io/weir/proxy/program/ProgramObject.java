package io.weir.proxy.program;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of a program: directives by stage, found by name or by partial path. Immutable. */
public final class ProgramObject {
    private final String name;
    private final @Nullable String ppath;
    private final DirectiveList[] stages = new DirectiveList[Stage.values().length];

    ProgramObject(
            String name,
            @Nullable String ppath,
            Map<Stage, List<Directive>> directives,
            VirtualServers virtualServers) {
        this.name = name;
        this.ppath = ppath;
        for (Stage stage : Stage.values()) {
            List<Directive> some = directives.getOrDefault(stage, List.of());
            stages[stage.ordinal()] = some.isEmpty() ? DirectiveList.EMPTY : new DirectiveList(some, virtualServers);
        }
    }

    public String name() {
        return name;
    }

    /** Wildcard over the partial path that brings this object in, or null. */
    public @Nullable String ppath() {
        return ppath;
    }

    /** The directives of a stage in the order in which they were written. */
    public List<Directive> directives(Stage stage) {
        return list(stage).all();
    }

    DirectiveList list(Stage stage) {
        return stages[stage.ordinal()];
    }
}
