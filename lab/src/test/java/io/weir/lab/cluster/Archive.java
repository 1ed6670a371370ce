package io.weir.lab.cluster;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Archives of a singleton {@code shop} that differ in their class, as a developer's builds do. Stateless. */
final class Archive {
    private static final String DESCRIPTOR = """
            <weblogic-application>
              <singleton-service><class-name>shop.Shop</class-name><name>shop</name></singleton-service>
            </weblogic-application>
            """;

    /** Tells {@link Shops} who became active: member, version and fence. */
    private static final String SOURCE = """
            package shop;
            public final class Shop implements io.weir.cluster.SingletonService, io.weir.lab.cluster.Version {
                private final int port;
                public Shop(java.util.Map<String, String> properties) {
                    port = Integer.parseInt(properties.get("port"));
                }
                public int version() {
                    return VERSION;
                }
                public void activate(io.weir.base.Fence fence) throws java.io.IOException {
                    try (var s = new java.net.Socket("127.0.0.1", port);
                            var out = new java.io.DataOutputStream(s.getOutputStream())) {
                        out.writeUTF(System.getProperty("weir.test.member"));
                        out.writeInt(version());
                        out.writeLong(fence.counter());
                    }
                }
                public void deactivate() {}
            }
            """;

    private Archive() {}

    /** The one of this version, {@code shop.jar} in a folder of its own. */
    static Path of(Path folder, int version) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("shop" + version));
        StringWriter said = new StringWriter();
        List<String> options = List.of(
                "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
        if (!ToolProvider.getSystemJavaCompiler()
                .getTask(
                        said,
                        null,
                        null,
                        options,
                        null,
                        List.of(source(SOURCE.replace("VERSION", String.valueOf(version)))))
                .call()) {
            throw new IOException(said.toString());
        }
        Path jar = classes.resolve("shop.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes.resolve("shop"))) {
            out.putNextEntry(new JarEntry("META-INF/weblogic-application.xml"));
            out.write(DESCRIPTOR.getBytes(StandardCharsets.UTF_8));
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(f).toString()));
                Files.copy(f, out);
            }
            out.putNextEntry(new JarEntry(Version.class.getName().replace('.', '/') + ".class"));
            try (var in = Version.class.getResourceAsStream("Version.class")) {
                in.transferTo(out);
            }
        }
        return jar;
    }

    private static JavaFileObject source(String text) {
        return new SimpleJavaFileObject(URI.create("string:///shop/Shop.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreErrors) {
                return text;
            }
        };
    }
}
