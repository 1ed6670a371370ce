package io.weir.lab.samples;

import io.weir.lab.house.House;
import io.weir.proxy.function.RequestFunction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles and packs the functions of the sample {@code thread-pools}, as its README tells a user to. Stateless. */
public final class ReportsJar {
    private ReportsJar() {}

    /**
     * Makes the jar.
     *
     * @param folder gets the classes and the jar
     */
    public static Path write(Path folder) {
        Path source = House.root().resolve("samples/obj-conf/thread-pools/Reports.java");
        Path classes = folder.resolve("reports");
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        String path = System.getProperty("java.class.path");
        int status =
                compiler.run(null, null, null, "-proc:none", "-cp", path, "-d", classes.toString(), source.toString());
        if (status != 0) {
            throw new IllegalStateException(source + " does not compile");
        }
        Path jar = folder.resolve("reports.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> made = Files.list(classes)) {
            for (Path file : made.toList()) {
                out.putNextEntry(new JarEntry(String.valueOf(file.getFileName())));
                Files.copy(file, out);
            }
            out.putNextEntry(new JarEntry("META-INF/services/" + RequestFunction.class.getName()));
            List<String> functions = List.of("Reports$WriteReport", "Reports$ReportsBusy");
            out.write(String.join("\n", functions).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return jar;
    }
}
