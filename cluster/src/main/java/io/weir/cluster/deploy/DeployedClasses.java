package io.weir.cluster.deploy;

import io.weir.base.Log;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.stats.ClusterMessages;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A class loader for each version of each deployment, closed once the version is no longer current and no object of it
 * is in use. Shared; neither users' code nor disk access runs under its lock.
 */
final class DeployedClasses {
    /** A version of a deployment. */
    record Version(String deployment, long version) {}

    /** A version's loader, created on first use; concurrent callers wait for it. */
    private final class Open {
        final Version version;
        private final Path folder;
        private @Nullable URLClassLoader loader;
        int users;

        Open(Version version) {
            this.version = version;
            this.folder = unpacked.resolve("loader-" + folders.incrementAndGet());
        }

        synchronized URLClassLoader loader(Path jar) throws ServiceFault {
            URLClassLoader l = loader;
            if (l == null) {
                l = open("deployment " + version.deployment() + " version " + version.version(), jar, folder);
                loader = l;
            }
            return l;
        }

        synchronized void close() throws IOException {
            if (loader != null) {
                loader.close();
            }
            ArchivePath.delete(folder);
        }
    }

    private final ClassLoader parent;
    private final Path unpacked;
    private final long mostBytes;
    private final Log log;
    private final AtomicLong folders = new AtomicLong();
    private final Map<Version, Open> open = new HashMap<>();
    private final IdentityHashMap<Object, Open> serving = new IdentityHashMap<>();

    /**
     * Creates an empty set of loaders.
     *
     * @param unpacked folder for unpacked archives
     * @param mostBytes maximum unpacked size of an archive
     */
    DeployedClasses(ClassLoader parent, Path unpacked, long mostBytes, Log log) {
        this.parent = parent;
        this.unpacked = unpacked;
        this.mostBytes = mostBytes;
        this.log = log;
    }

    private URLClassLoader open(String name, Path jar, Path folder) throws ServiceFault {
        try {
            List<URL> urls = new ArrayList<>();
            for (Path p : ArchivePath.of(jar, folder, mostBytes)) {
                urls.add(url(p));
            }
            return new URLClassLoader(name, urls.toArray(URL[]::new), parent);
        } catch (IOException | DeployFault e) {
            throw new ServiceFault(name + " cannot be unpacked: " + e.getMessage(), e);
        }
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("every file has a URL", e);
        }
    }

    /**
     * Loads and links the classes that an archive declares, without executing them, and unloads them.
     *
     * @throws ServiceFault if one cannot be used as a service here; the message says why
     */
    void link(Path jar, List<SingletonSpec> services, String name) throws ServiceFault, IOException {
        Path folder = unpacked.resolve("link-" + folders.incrementAndGet());
        try (URLClassLoader loader = open(name, jar, folder)) {
            for (SingletonSpec s : services) {
                ServiceObject.link(s.className(), loader);
            }
        } finally {
            ArchivePath.delete(folder);
        }
    }

    /** Creates an instance of a class of an archive; {@link #closed} must be called when it is no longer in use. */
    ServiceObject create(Version version, Path jar, SingletonSpec spec) throws ServiceFault {
        Open from = use(version);
        boolean made = false;
        try {
            ServiceObject object = ServiceObject.create(spec.className(), spec.properties(), from.loader(jar));
            made = true;
            serves(object.instance(), from);
            return object;
        } finally {
            if (!made) {
                leave(from);
            }
        }
    }

    private synchronized Open use(Version version) {
        Open o = open.computeIfAbsent(version, Open::new);
        o.users++;
        return o;
    }

    private synchronized void serves(Object instance, Open from) {
        serving.put(instance, from);
    }

    private synchronized void leave(Open from) {
        from.users--;
    }

    /** An object is no longer in use; ignores objects of other sources. */
    synchronized void closed(Object instance) {
        Open from = serving.remove(instance);
        if (from != null) {
            from.users--;
        }
    }

    /** Closes the loaders of other versions that are not in use. */
    void keepOnly(Set<Version> current) {
        for (Open o : idle(current)) {
            try {
                o.close();
                log.log(
                        ClusterMessages.UNDEPLOYED,
                        o.version.deployment(),
                        o.version.version(),
                        "none of its objects is in use here");
            } catch (IOException e) {
                log.log(ClusterMessages.UNDEPLOYED, o.version.deployment(), o.version.version(), e);
            }
        }
    }

    private synchronized List<Open> idle(Set<Version> current) {
        List<Open> idle = new ArrayList<>();
        open.values().stream()
                .filter(o -> o.users == 0 && !current.contains(o.version))
                .forEach(idle::add);
        idle.forEach(o -> open.remove(o.version));
        return idle;
    }

    /** The number of open loaders. */
    synchronized int size() {
        return open.size();
    }
}
