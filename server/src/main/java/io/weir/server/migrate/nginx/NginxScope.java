package io.weir.server.migrate.nginx;

import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block of an {@code nginx.conf} with those around it: what is not said in it is inherited. What was looked up counts as
 * understood. Confined to one migration.
 */
final class NginxScope {
    private final @Nullable NginxScope around;
    private final List<Directive> directives;
    private final Set<Directive> used;
    private final Path folder;
    /** A block with many locations is asked by each of them. */
    private final Map<String, List<Directive>> byName = new HashMap<>();

    private NginxScope(@Nullable NginxScope around, List<Directive> directives, Set<Directive> used, Path folder) {
        this.around = around;
        this.folder = folder;
        this.directives = directives;
        this.used = used;
        directives.forEach(
                d -> byName.computeIfAbsent(d.name(), _ -> new ArrayList<>()).add(d));
    }

    /**
     * The outermost one.
     *
     * @param folder of the file, to which the names of files are relative
     */
    static NginxScope of(List<Directive> directives, Path folder) {
        return new NginxScope(null, directives, Collections.newSetFromMap(new IdentityHashMap<>()), folder);
    }

    /** The block of a directive in this scope. */
    NginxScope within(Directive block) {
        used.add(block);
        List<Directive> inner = block.block();
        return new NginxScope(this, inner == null ? List.of() : inner, used, folder);
    }

    @Nullable
    NginxScope around() {
        return around;
    }

    /** A file that a directive names. */
    String file(String name) {
        try {
            return folder.resolve(name).toString();
        } catch (InvalidPathException e) {
            return name;
        }
    }

    List<Directive> directives() {
        return directives;
    }

    boolean understood(Directive d) {
        return used.contains(d);
    }

    void understand(Directive d) {
        used.add(d);
    }

    /** The directives of that name in this block alone. */
    List<Directive> here(String name) {
        List<Directive> found = byName.getOrDefault(name, List.of());
        used.addAll(found);
        return found;
    }

    /** Those of the innermost block that has any. */
    List<Directive> all(String name) {
        List<Directive> found = here(name);
        return !found.isEmpty() || around == null ? found : around.all(name);
    }

    /** The last one of the innermost block that has any. */
    @Nullable
    Directive one(String name) {
        List<Directive> found = all(name);
        return found.isEmpty() ? null : found.getLast();
    }

    /** Its first argument, or the default. */
    String value(String name, String otherwise) {
        Directive d = one(name);
        return d == null || d.arguments().isEmpty() ? otherwise : d.argument(0);
    }
}
