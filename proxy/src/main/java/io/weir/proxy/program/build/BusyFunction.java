package io.weir.proxy.program.build;

import io.weir.base.Nearest;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.ParameterCheck;
import io.weir.proxy.program.run.ServerFunction;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What runs instead of a function whose pool is full: {@code busy=}, else {@code service-toobusy}, which a jar may
 * replace (the tuning guide, "Using Busy Functions"). It gets those parameters of the directive that it declares.
 * Immutable, used once.
 *
 * @param function null: there is none, the answer is 503
 */
record BusyFunction(@Nullable ServerFunction function) {
    static BusyFunction of(FunctionCatalogue functions, @Nullable String named, Consumer<String> problem) {
        ServerFunction found = functions.find(named == null ? FunctionCatalogue.TOO_BUSY : named);
        if (found == null && named != null) {
            problem.accept("unknown function \"" + named + "\" in busy" + Nearest.known(named, functions.names()));
        } else if (found != null && found.blocks()) {
            problem.accept("function \"" + found.name()
                    + "\" cannot stand in busy: it blocks, and busy functions run on the request's loop");
        }
        return new BusyFunction(found);
    }

    /** The parameters without those that only this function knows. */
    Map<String, List<String>> without(ServerFunction other, Map<String, List<String>> parameters) {
        Set<String> own = names(function);
        own.removeAll(names(other));
        Map<String, List<String>> rest = new LinkedHashMap<>(parameters);
        rest.keySet().removeAll(own);
        return rest;
    }

    /** Prepares the function with those of the parameters that it knows; null: there is none, or it was reported why. */
    ServerFunction.@Nullable Step prepare(Map<String, List<String>> parameters, BiConsumer<String, String> problem) {
        ServerFunction f = function;
        if (f == null) {
            return null;
        }
        Map<String, List<String>> known = new LinkedHashMap<>(parameters);
        known.keySet().retainAll(names(f));
        boolean[] wrong = new boolean[1];
        Parameters checked = ParameterCheck.of(f, known, (name, what) -> {
            wrong[0] = true;
            problem.accept(name, "busy: " + what);
        });
        try {
            return wrong[0] ? null : f.prepare(checked);
        } catch (IllegalArgumentException e) {
            problem.accept("busy", "busy: " + f.name() + ": " + e.getMessage());
            return null;
        }
    }

    private static Set<String> names(@Nullable ServerFunction f) {
        Set<String> names = new HashSet<>();
        if (f != null) {
            f.parameters().forEach(spec -> names.add(spec.name()));
        }
        return names;
    }
}
