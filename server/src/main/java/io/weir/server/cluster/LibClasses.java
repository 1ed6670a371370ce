package io.weir.server.cluster;

import io.weir.cluster.singleton.ServiceFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of {@code cluster.lib-dir}: one class loader over all of its jars, created when the first class is
 * needed, that lives until the process ends. It looks up users' classes in Weir's own first. Shared.
 */
public final class LibClasses {
    private final Path folder;
    private @Nullable ClassLoader loader;

    /** @param folder absolute; may be missing */
    public LibClasses(Path folder) {
        this.folder = folder;
    }

    /** Sees the jars that were in the folder when this was first called, and Weir's classes. */
    public synchronized ClassLoader loader() {
        ClassLoader made = loader;
        if (made == null) {
            made = new URLClassLoader(folder.toString(), jars(), LibClasses.class.getClassLoader());
            loader = made;
        }
        return made;
    }

    private URL[] jars() {
        if (!Files.isDirectory(folder)) {
            return new URL[0];
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".jar"))
                    .sorted()
                    .map(LibClasses::url)
                    .toArray(URL[]::new);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folder, e);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Whether there is a class of that name; does not initialise it. For callers that do not load classes afterwards.
     */
    boolean has(String className) {
        try (URLClassLoader jars = new URLClassLoader(jars(), LibClasses.class.getClassLoader())) {
            return Class.forName(className, false, jars) != null;
        } catch (ClassNotFoundException e) {
            return false;
        } catch (IOException | LinkageError e) {
            // the class exists; what is wrong with it shows when it runs
            return true;
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    /**
     * Creates an object of a class without properties.
     *
     * @throws ServiceFault if there is no such class, it is of another type, or it cannot be created
     */
    public <T> T create(String className, Class<T> type) throws ServiceFault {
        try {
            Class<?> found = Class.forName(className, true, loader());
            if (!type.isAssignableFrom(found)) {
                throw new ServiceFault(className + " does not implement " + type.getName());
            }
            return type.cast(found.getConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new ServiceFault("there is no class " + className + " in the jars of " + folder, e);
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e.getCause();
            throw new ServiceFault(className + " cannot be made: " + (cause == null ? e : cause), e);
        }
    }
}
