package io.weir.proxy.program.functions;

import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.ServerFunction;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Loads the functions in jars. Their class loader sees Weir's classes and lives as long as the functions, until the
 * process ends. Stateless.
 */
public final class UserFunctions {
    private static final Set<Stage> OPEN =
            EnumSet.of(Stage.PATH_CHECK, Stage.OBJECT_TYPE, Stage.SERVICE, Stage.ERROR, Stage.FILTER, Stage.OUTPUT);

    private UserFunctions() {}

    /**
     * The result of loading the jars.
     *
     * @param catalogue the built-in functions and those of the jars without problems
     * @param problems problems of the others
     */
    public record Loaded(FunctionCatalogue catalogue, List<String> problems) {
        public Loaded {
            problems = List.copyOf(problems);
        }
    }

    /** Reads the jars of {@code proxy.function-jars}; without any, nothing is loaded. */
    public static Loaded load(List<String> jars) {
        if (jars.isEmpty()) {
            return new Loaded(FunctionCatalogue.builtin(), List.of());
        }
        List<String> problems = new ArrayList<>();
        URL[] urls = jars.stream()
                .map(Path::of)
                .filter(jar -> readable(jar, problems))
                .map(UserFunctions::url)
                .toArray(URL[]::new);
        List<ServerFunction> found = new ArrayList<>();
        if (problems.isEmpty()) {
            find(new URLClassLoader("functions", urls, UserFunctions.class.getClassLoader()), found, problems);
        }
        return new Loaded(FunctionCatalogue.builtinAnd(found), problems);
    }

    private static boolean readable(Path jar, List<String> problems) {
        boolean readable = Files.isRegularFile(jar) && Files.isReadable(jar);
        if (!readable) {
            problems.add("the file " + jar.toAbsolutePath() + " does not exist or cannot be read");
        }
        return readable;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void find(ClassLoader loader, List<ServerFunction> found, List<String> problems) {
        Map<String, String> takenBy = new LinkedHashMap<>();
        FunctionCatalogue.builtin().names().forEach(name -> takenBy.put(name, "Weir"));
        takenBy.remove(FunctionCatalogue.TOO_BUSY);
        try {
            for (RequestFunction function : ServiceLoader.load(RequestFunction.class, loader)) {
                String type = function.getClass().getName();
                try {
                    add(new UserFunction(function), type, takenBy, found, problems);
                } catch (IllegalArgumentException e) {
                    problems.add(type + ": " + e.getMessage());
                }
            }
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            Throwable cause = e.getCause();
            problems.add("a function cannot be loaded: " + e.getMessage() + (cause == null ? "" : ": " + cause));
        }
        if (problems.isEmpty() && found.isEmpty()) {
            problems.add("no function is listed in META-INF/services/" + RequestFunction.class.getName());
        }
    }

    private static void add(
            UserFunction function,
            String type,
            Map<String, String> takenBy,
            List<ServerFunction> found,
            List<String> problems) {
        String name = function.name();
        String other = takenBy.putIfAbsent(name, type);
        if (!name.matches("[A-Za-z][A-Za-z0-9-]{0,63}")) {
            problems.add(type + ": the name \"" + name + "\" is not a letter followed by letters, digits and dashes");
        } else if (other != null) {
            problems.add(type + ": the name \"" + name + "\" is taken by " + other);
        } else if (function.stages().isEmpty() || !OPEN.containsAll(function.stages())) {
            problems.add(type + ": a function needs one or more stages of "
                    + String.join(", ", OPEN.stream().map(Stage::word).toList()));
        } else {
            found.add(function);
        }
    }
}
