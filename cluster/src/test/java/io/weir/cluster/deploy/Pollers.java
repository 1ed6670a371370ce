package io.weir.cluster.deploy;

import io.weir.cluster.kit.Jars;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Archives with a service that tells which version of it is active, in a system property of the test's own. */
final class Pollers {
    static final String DESCRIPTOR = Jars.descriptor("users.Poller", "poller");

    private Pollers() {}

    /** The property, for a test with this folder. */
    static String property(Path folder) {
        return "weir.test." + folder.getFileName();
    }

    static Path jar(Path folder, String version) throws IOException {
        String source = """
                package users;

                public class Poller implements io.weir.cluster.weblogic.SingletonService {
                    public void activate() {
                        System.setProperty("%s", "%s");
                    }

                    public void deactivate() {
                        System.setProperty("%s", "off");
                    }
                }
                """.formatted(property(folder), version, property(folder));
        Path to = Files.createDirectories(folder.resolve("jar-" + version));
        return Jars.jar(to, Map.of("users.Poller", source), DESCRIPTOR);
    }

    /**
     * One that has its class in APP-INF/classes and what that needs in APP-INF/lib and lib.
     *
     * @param whole false: what is in lib lacks
     */
    static Path ear(Path folder, boolean whole) throws IOException {
        Path to = Files.createDirectories(folder.resolve("ear"));
        Path classes = Jars.compile(
                to,
                Map.of(
                        "app.Names",
                                "package app; public class Names { public static String part() { return \"app\"; } }",
                        "lib.Names",
                                "package lib; public class Names { public static String part() { return \"lib\"; } }",
                        "users.Poller",
                                "package users; public class Poller implements io.weir.cluster.weblogic.SingletonService {"
                                        + " public void activate() { System.setProperty(\"" + property(folder)
                                        + "\", app.Names.part() + lib.Names.part()); }"
                                        + " public void deactivate() { System.setProperty(\"" + property(folder)
                                        + "\", \"off\"); } }"));
        Map<String, byte[]> ear = new LinkedHashMap<>();
        ear.put(Jars.DESCRIPTOR, DESCRIPTOR.getBytes(StandardCharsets.UTF_8));
        ear.put("APP-INF/classes/users/Poller.class", Files.readAllBytes(classes.resolve("users/Poller.class")));
        ear.put("APP-INF/lib/names.jar", library(to, classes, "app/Names.class"));
        if (whole) {
            ear.put("lib/names.jar", library(to, classes, "lib/Names.class"));
        }
        return Jars.zip(to.resolve(whole ? "shop.ear" : "lacking.ear"), ear);
    }

    private static byte[] library(Path to, Path classes, String file) throws IOException {
        return Files.readAllBytes(Jars.zip(
                to.resolve(file.replace('/', '-') + ".jar"), Map.of(file, Files.readAllBytes(classes.resolve(file)))));
    }
}
