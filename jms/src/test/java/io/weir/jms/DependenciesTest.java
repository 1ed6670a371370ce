package io.weir.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What an application gets on its class path with weir-jms-client: the build writes the resolved tree of the runtime scope,
 * and this list is exactly it. A new dependency is a decision: think of the applications before you add to the list.
 */
class DependenciesTest {
    private static final List<String> ALLOWED = List.of(
            "base",
            "jakarta.jms-api",
            "jspecify",
            "netty-buffer",
            "netty-common",
            "netty-resolver",
            "netty-transport",
            "wire");

    private static List<Path> resolved() throws IOException {
        try (InputStream in = DependenciesTest.class.getResourceAsStream("/runtime-class-path.txt")) {
            assertThat(in).as("the resolved class path, written by the build").isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            return List.of(text.split(File.pathSeparator)).stream()
                    .map(Path::of)
                    .toList();
        }
    }

    /** netty-buffer of …/netty-buffer-4.2.18.Final.jar; wire of …/wire/target/classes or …/weir-wire-0.1.jar. */
    private static String artifact(Path path) {
        String file = path.getFileName().toString();
        if (file.endsWith(".jar")) {
            return file.replaceFirst("-\\d.*", "").replaceFirst("^weir-", "");
        }
        return path.getName(path.getNameCount() - 3).toString();
    }

    @Test
    void theRuntimeClassPathHoldsTheseArtifactsOnly() throws IOException {
        assertThat(resolved().stream().map(DependenciesTest::artifact).sorted().toList())
                .isEqualTo(ALLOWED);
    }

    @Test
    void theDocumentNamesThemAll() throws IOException {
        String document = Files.readString(Path.of("../docs/messaging.md"));
        String sentence =
                document.substring(document.indexOf("Its only dependencies are "), document.indexOf(". It uses Java"));
        assertThat(Pattern.compile("`(?:weir-)?([^`]+)`")
                        .matcher(sentence)
                        .results()
                        .map(r -> r.group(1))
                        .sorted()
                        .toList())
                .isEqualTo(ALLOWED);
    }

    @Test
    void theClientConnectsWithNothingElseOnTheClassPath() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (Path p : resolved()) {
            urls.add(url(p));
        }
        urls.add(WeirConnectionFactory.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation());
        try (URLClassLoader alone =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> factory = alone.loadClass(WeirConnectionFactory.class.getName());
            Object made = factory.getConstructor(String.class).newInstance("weir://127.0.0.1:1");
            assertThat(made).hasToString("WeirConnectionFactory weir://127.0.0.1:1 {}");
            Class<?> exception = alone.loadClass("jakarta.jms.JMSException");
            try {
                factory.getMethod("createConnection").invoke(made);
                throw new AssertionError("something listens at port 1");
            } catch (java.lang.reflect.InvocationTargetException e) {
                assertThat(e.getCause()).isInstanceOf(exception).hasMessageContaining("no connection to");
            }
        }
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }
}
