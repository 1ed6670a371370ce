package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a user's class into a jar. Stateless. */
public final class LibJar {
    private LibJar() {}

    /** The jar with this class, which may use the classes of this test's class path. */
    public static Path make(Path jar, String className, String source) throws IOException {
        return make(jar, className, source, "");
    }

    /** The same with a {@code META-INF/weblogic-application.xml}, where it is not empty. */
    public static Path make(Path jar, String className, String source, String descriptor) throws IOException {
        Path classes = Files.createTempDirectory(jar.resolve("../..").normalize(), "classes");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        JavaFileObject file =
                new SimpleJavaFileObject(
                        URI.create("string:///" + className.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreErrors) {
                        return source;
                    }
                };
        List<String> options = List.of(
                "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
        assertThat(compiler.getTask(said, null, null, options, null, List.of(file))
                        .call())
                .as(said.toString())
                .isTrue();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                var files = Files.walk(classes)) {
            if (!descriptor.isEmpty()) {
                out.putNextEntry(new JarEntry("META-INF/weblogic-application.xml"));
                out.write(descriptor.getBytes(StandardCharsets.UTF_8));
            }
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(f).toString()));
                Files.copy(f, out);
            }
        }
        return jar;
    }
}
