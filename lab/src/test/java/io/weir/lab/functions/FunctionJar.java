package io.weir.lab.functions;

import io.weir.proxy.function.RequestFunction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;

/** Packs functions of this package as a user packs theirs. Stateless. */
public final class FunctionJar {
    private FunctionJar() {}

    /** Writes a jar with the functions of the tests. */
    public static Path write(Path jar) {
        return write(
                jar,
                List.of(
                        Hang.class,
                        Mood.class,
                        TestmodService.class,
                        NsapiTest.class,
                        UriCleanInit.class,
                        MyBusyFunction.class));
    }

    /** Writes a jar whose function takes the place of the server's busy function. */
    public static Path writeBusy(Path jar) {
        return write(jar, List.of(MyBusyFunction.class, ServiceTooBusy.class));
    }

    private static Path write(Path jar, List<Class<?>> functions) {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : functions) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = FunctionJar.class.getClassLoader().getResourceAsStream(name)) {
                    if (in == null) {
                        throw new IOException(name + " is not compiled");
                    }
                    in.transferTo(out);
                }
                out.closeEntry();
            }
            out.putNextEntry(new JarEntry("META-INF/services/" + RequestFunction.class.getName()));
            out.write(functions.stream()
                    .map(Class::getName)
                    .collect(Collectors.joining("\n"))
                    .getBytes(StandardCharsets.UTF_8));
            out.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return jar;
    }
}
