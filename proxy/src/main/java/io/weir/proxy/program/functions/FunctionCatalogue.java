package io.weir.proxy.program.functions;

import io.weir.proxy.program.run.ServerFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The functions that directives may name; {@code -} and {@code _} are the same in a name. Immutable. */
public final class FunctionCatalogue {
    /** The function that runs when a pool is full; the only one that a jar may replace. */
    public static final String TOO_BUSY = "service-toobusy";

    private final Map<String, ServerFunction> functions = new TreeMap<>();

    public FunctionCatalogue(List<ServerFunction> all) {
        for (ServerFunction f : all) {
            if (functions.put(key(f.name()), f) != null) {
                throw new IllegalArgumentException("two functions are called " + f.name());
            }
        }
    }

    /** The built-in functions. */
    public static FunctionCatalogue builtin() {
        return builtinAnd(List.of());
    }

    /**
     * The built-in functions, and others, of which one may replace {@link #TOO_BUSY}.
     *
     * @throws IllegalArgumentException if two have the same name
     */
    public static FunctionCatalogue builtinAnd(List<ServerFunction> others) {
        List<ServerFunction> all = new ArrayList<>(NameFunctions.all());
        all.addAll(MapFunctions.all());
        all.addAll(VariableFunctions.all());
        all.addAll(LoginFunctions.all());
        all.addAll(AuthFunctions.all());
        all.addAll(CheckFunctions.all());
        all.addAll(FilterFunctions.all());
        all.addAll(SettingFunctions.all());
        all.addAll(TypeFunctions.all());
        all.addAll(ClientFunctions.all());
        all.addAll(OriginFunctions.all());
        all.addAll(ServiceFunctions.all());
        all.addAll(DumpFunctions.all());
        if (others.stream().noneMatch(f -> key(f.name()).equals(TOO_BUSY))) {
            all.addAll(BusyFunctions.all());
        }
        all.addAll(others);
        return new FunctionCatalogue(all);
    }

    /** The form of a name in which all ways to write it are the same. */
    public static String key(String name) {
        return name.replace('_', '-');
    }

    public @Nullable ServerFunction find(String name) {
        return functions.get(key(name));
    }

    public List<String> names() {
        return List.copyOf(functions.keySet());
    }

    public Collection<ServerFunction> all() {
        return List.copyOf(functions.values());
    }
}
