package io.weir.server.config;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
import io.weir.base.KnobCatalogue;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.functions.UserFunctions;
import io.weir.server.config.sun.SunFiles;
import io.weir.server.config.sun.SunLayer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration with all its overlays: the Sun servers' files beside {@code proxy.objects}, file (or the embedded
 * default), then {@code overrides.yaml} of the data directory (persisted live changes), then {@code --set}. Immutable.
 */
public final class ConfigLoader {
    /** Name of the embedded configuration in messages. */
    public static final String DEFAULT_SOURCE = "default";

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9-]*(\\.([A-Za-z0-9_-]+|\"[A-Za-z0-9._-]+\"))*");
    private static final String FUNCTION_JARS = "proxy.function-jars";
    private static final String DEFAULT_RESOURCE = "/io/weir/server/default.yaml";

    private static final KnobCatalogue KNOBS = KnobCatalogue.of(WeirConfig.class);

    private final @Nullable Path file;
    private final List<String> sets;
    private final @Nullable Path home;
    private final String source;

    /**
     * A loader.
     *
     * @param file the configuration file, or null for the embedded default
     * @param sets {@code key=value} texts of the command line, later ones over earlier ones
     * @param home the folder against which a relative data directory is resolved; null means the working directory
     */
    public ConfigLoader(@Nullable Path file, List<String> sets, @Nullable Path home) {
        this(file, sets, home, file == null ? DEFAULT_SOURCE : file.toString());
    }

    private ConfigLoader(@Nullable Path file, List<String> sets, @Nullable Path home, String source) {
        this.file = file;
        this.sets = List.copyOf(sets);
        this.home = home;
        this.source = source;
    }

    /** The same for a copy of the file: what is told of it names the file that the operator knows. */
    public ConfigLoader shownAs(String original) {
        return new ConfigLoader(file, sets, home, original);
    }

    /** Reads, overlays and checks; never throws because of errors in a configuration. */
    public LoadedConfig load() {
        return load(null);
    }

    /**
     * Reads again for a running server, as {@link #load()} does.
     *
     * @param running the functions for routes until the process ends, whatever the jars are now; null to load the jars
     */
    LoadedConfig load(@Nullable FunctionCatalogue running) {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Mapping own = file == null ? embedded(problems) : readFile(file, source, problems);
        boolean unread = own.entries().isEmpty() && !problems.isEmpty();
        ConfigNode.Mapping sets = commandLine(problems);
        SunLayer sun = SunFiles.below(Overlay.over(own, sets), KNOBS);
        problems.addAll(sun.problems());
        // what stands nowhere is missing in the file itself
        ConfigNode.Mapping base = Overlay.over(sun.tree(), own).movedTo(own.at());
        ConfigNode.Mapping overrides = overrides(Overlay.over(base, sets), problems);
        ConfigNode.Mapping tree = HeldFiles.in(Overlay.over(Overlay.over(base, overrides), sets));
        problems.addAll(sun.unmet(tree));
        // keys missing from a file that could not be read are not reported as problems
        FunctionCatalogue functions = running == null ? functions(tree, problems) : running;
        WeirConfig value = bind(tree, functions, unread ? new ArrayList<>() : problems);
        problems.sort(ProblemOrder.FILE_BY_FILE);
        return new LoadedConfig(
                source, HeldFiles.in(base), overrides, tree, value, functions, this, problems, sun.notes());
    }

    /** Loads the functions for routes; a value that is not a list is reported when it is bound. */
    private static FunctionCatalogue functions(ConfigNode.Mapping tree, List<ConfigProblem> problems) {
        List<String> jars = new ArrayList<>();
        if (tree.find(FUNCTION_JARS) instanceof ConfigNode.Sequence written) {
            for (ConfigNode item : written.items()) {
                if (item instanceof ConfigNode.Scalar s) {
                    jars.add(s.text());
                }
            }
        }
        UserFunctions.Loaded loaded = UserFunctions.load(jars);
        loaded.problems()
                .forEach(
                        what -> problems.add(new ConfigProblem(tree.nearestPlace(FUNCTION_JARS), FUNCTION_JARS, what)));
        return loaded.catalogue();
    }

    /** Binds and checks across sections. */
    static WeirConfig bind(ConfigNode.Mapping tree, FunctionCatalogue functions, List<ConfigProblem> problems) {
        ConfigBinder binder = new ConfigBinder();
        WeirConfig value = binder.bind(tree, WeirConfig.class);
        problems.addAll(binder.problems());
        problems.addAll(CrossChecks.of(value, functions, tree, binder.problems()));
        return value;
    }

    /** The path of a configuration's data directory. */
    public static Path dataDir(WeirConfig config, @Nullable Path home) {
        Path dir = Path.of(config.server().dataDir());
        return (home == null ? dir : home.resolve(dir)).toAbsolutePath().normalize();
    }

    /** The text of the embedded configuration. */
    public static String defaultText() {
        try (InputStream in = ConfigLoader.class.getResourceAsStream(DEFAULT_RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(DEFAULT_RESOURCE + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + DEFAULT_RESOURCE, e);
        }
    }

    private static ConfigNode.Mapping embedded(List<ConfigProblem> problems) {
        return Yaml.read(DEFAULT_SOURCE, defaultText(), problems);
    }

    private static ConfigNode.Mapping readFile(Path file, String name, List<ConfigProblem> problems) {
        try {
            return Yaml.read(name, text(file), problems);
        } catch (NoSuchFileException e) {
            problems.add(new ConfigProblem(Place.of(name), "", "there is no such file"));
        } catch (IOException e) {
            problems.add(new ConfigProblem(Place.of(name), "", "cannot be read: " + IoReason.ofFile(e)));
        }
        return ConfigNode.Mapping.empty(Place.of(name));
    }

    private static String text(Path file) throws IOException {
        if (Files.size(file) > 4L * Yaml.MAX_LENGTH) {
            throw new IOException("the file is larger than a configuration can be");
        }
        return Files.readString(file);
    }

    /** Whether a text has the form {@code key=value}, with a key as keys are written. */
    public static boolean isSetting(String text) {
        int eq = text.indexOf('=');
        return eq > 0 && KEY.matcher(text.substring(0, eq).trim()).matches();
    }

    private ConfigNode.Mapping commandLine(List<ConfigProblem> problems) {
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(Place.of("--set"));
        for (String set : sets) {
            int eq = set.indexOf('=');
            String key = eq < 0 ? "" : set.substring(0, eq).trim();
            if (!isSetting(set)) {
                problems.add(new ConfigProblem(
                        Place.of("--set " + set),
                        key,
                        "expected key=value, such as" + " --set listeners.http.port=8081"));
                continue;
            }
            tree = tree.with(key, Yaml.value("--set " + key, set.substring(eq + 1), problems));
        }
        return tree;
    }

    /** The persisted changes, in the data directory given by file and command line. */
    private ConfigNode.Mapping overrides(ConfigNode.Mapping tree, List<ConfigProblem> problems) {
        ConfigNode dir = tree.find("server.data-dir");
        String name = dir instanceof ConfigNode.Scalar s && !s.text().isEmpty() ? s.text() : "data";
        Path overrides = (home == null ? Path.of(name) : home.resolve(name)).resolve(Overrides.FILE);
        return Files.exists(overrides)
                ? readFile(overrides, overrides.toString(), problems)
                : ConfigNode.Mapping.empty(Place.of(overrides.toString()));
    }
}
