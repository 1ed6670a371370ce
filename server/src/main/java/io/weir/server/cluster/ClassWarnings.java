package io.weir.server.cluster;

import io.weir.base.ConfigProblem;
import io.weir.cluster.config.SingletonConfig;
import io.weir.server.config.LoadedConfig;
import io.weir.server.config.WeirConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Classes of services and timers that are not in the jars of {@code cluster.lib-dir}: a server starts without them,
 * because they may be added before they are needed. Stateless.
 */
public final class ClassWarnings {
    private ClassWarnings() {}

    /** The missing classes that this server would have to run. */
    public static List<ConfigProblem> of(LoadedConfig loaded, Path dataDir) {
        WeirConfig config = loaded.value();
        LibClasses lib = new LibClasses(dataDir.resolve(config.cluster().libDir()));
        String own = config.cluster().memberName(config.server().name());
        List<ConfigProblem> found = new ArrayList<>();
        config.singletons().forEach((name, c) -> {
            if (concerns(c, own)) {
                look(lib, "singletons." + name + ".class-name", c.className(), loaded, found);
            }
        });
        config.timers().forEach((name, c) -> look(lib, "timers." + name + ".class-name", c.className(), loaded, found));
        return found;
    }

    private static boolean concerns(SingletonConfig c, String member) {
        return c.candidateServers().isEmpty() || c.candidateServers().contains(member);
    }

    private static void look(
            LibClasses lib, String key, String className, LoadedConfig loaded, List<ConfigProblem> found) {
        if (!className.isEmpty() && !lib.has(className)) {
            found.add(new ConfigProblem(
                    loaded.tree().nearestPlace(key),
                    key,
                    "there is no class " + className + " in the jars of " + lib
                            + ": it cannot run here until it is there"));
        }
    }
}
