package io.weir.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The jar that the build made, in this module's target, and the API that it needs beside it. Stateless. */
final class OneJar {
    private OneJar() {}

    static Path path() {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            List<Path> jars = files.filter(
                            p -> p.getFileName().toString().matches("weir-jms-client-\\d[^-]*(-SNAPSHOT)?\\.jar"))
                    .toList();
            if (jars.size() != 1) {
                throw new IllegalStateException("one jar of the client is expected in client/target, found " + jars
                        + ": run mvn clean after a change of the version");
            }
            return jars.getFirst().toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Names and contents of all files in it. */
    static Map<String, byte[]> files() {
        Map<String, byte[]> found = new TreeMap<>();
        try (JarFile jar = new JarFile(path().toFile())) {
            for (ZipEntry entry : jar.stream().filter(e -> !e.isDirectory()).toList()) {
                found.put(entry.getName(), jar.getInputStream(entry).readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** The jar of jakarta.jms-api. */
    static Path api() {
        return Path.of(jakarta.jms.Message.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }
}
