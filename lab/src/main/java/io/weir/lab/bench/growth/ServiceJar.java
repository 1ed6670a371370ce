package io.weir.lab.bench.growth;

import io.weir.lab.bench.process.BenchFailure;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A jar with a singleton and a listener of timers that do nothing, for a server's folder of services. They are compiled
 * against the server's libraries, on which this room does not depend. Stateless.
 */
final class ServiceJar {
    /** The singleton's class. */
    static final String SINGLETON = "growth.Still";

    /** The listener's class. */
    static final String LISTENER = "growth.Tick";

    private static final Map<String, String> SOURCES = Map.of("Still", """
            package growth;

            public final class Still implements io.weir.cluster.SingletonService {
                public void activate(io.weir.base.Fence fence) {}

                public void deactivate() {}
            }
            """, "Tick", """
            package growth;

            public final class Tick implements io.weir.cluster.timer.TimerListener {
                public void timerExpired(io.weir.cluster.timer.Firing firing) {}
            }
            """);

    private ServiceJar() {}

    /**
     * Writes it into a folder of its own.
     *
     * @param classPath with the server's libraries
     */
    static Path into(Path folder, String classPath) throws IOException, BenchFailure {
        Path lib = Files.createDirectories(folder.resolve("lib"));
        Path sources = Files.createDirectories(folder.resolve("growth"));
        for (Map.Entry<String, String> each : SOURCES.entrySet()) {
            Path file = Files.writeString(sources.resolve(each.getKey() + ".java"), each.getValue());
            compile(file, folder, classPath);
        }
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(lib.resolve("growth.jar")))) {
            for (String name : SOURCES.keySet()) {
                out.putNextEntry(new JarEntry("growth/" + name + ".class"));
                Files.copy(sources.resolve(name + ".class"), out);
                out.closeEntry();
            }
        }
        return lib;
    }

    private static void compile(Path source, Path into, String classPath) throws BenchFailure {
        @Nullable JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new BenchFailure("a JDK is needed, which has a compiler");
        }
        StringWriter said = new StringWriter();
        boolean done = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-cp", classPath, "-d", into.toString()),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        if (!done) {
            throw new BenchFailure("a service cannot be compiled: " + said);
        }
    }
}
