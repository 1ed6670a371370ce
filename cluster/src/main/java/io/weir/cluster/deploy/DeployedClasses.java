package io.weir.cluster.deploy;

import io.weir.base.Log;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.state.SingletonSpec;
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

/**
 * A class loader for each version of each deployment, closed once the version is not current any more and no object of it
 * serves. Shared; users' code never runs under its lock.
 */
final class DeployedClasses {
    /** One of a deployment's versions. */
    record Version(String deployment, long version) {}

    private static final class Open {
        final Version version;
        final URLClassLoader loader;
        int users;

        Open(Version version, URLClassLoader loader) {
            this.version = version;
            this.loader = loader;
        }
    }

    private final ClassLoader parent;
    private final Log log;
    private final Map<Version, Open> open = new HashMap<>();
    private final IdentityHashMap<Object, Open> serving = new IdentityHashMap<>();

    DeployedClasses(ClassLoader parent, Log log) {
        this.parent = parent;
        this.log = log;
    }

    /** Makes an object of a class from an archive; {@link #closed} is to be called when it does not serve any more. */
    ServiceObject create(Version version, Path jar, SingletonSpec spec) throws ServiceFault {
        Open from = use(version, jar);
        boolean made = false;
        try {
            ServiceObject object = ServiceObject.create(spec.className(), spec.properties(), from.loader);
            made = true;
            serves(object.instance(), from);
            return object;
        } finally {
            if (!made) {
                leave(from);
            }
        }
    }

    private synchronized Open use(Version version, Path jar) {
        Open o = open.computeIfAbsent(version, v -> new Open(v, loader(v, jar)));
        o.users++;
        return o;
    }

    private URLClassLoader loader(Version v, Path jar) {
        try {
            String name = "deployment " + v.deployment() + " version " + v.version();
            return new URLClassLoader(name, new URL[] {jar.toUri().toURL()}, parent);
        } catch (MalformedURLException e) {
            throw new IllegalStateException("every file has a URL", e);
        }
    }

    private synchronized void serves(Object instance, Open from) {
        serving.put(instance, from);
    }

    private synchronized void leave(Open from) {
        from.users--;
    }

    /** An object does not serve any more; of another source's it does nothing. */
    synchronized void closed(Object instance) {
        Open from = serving.remove(instance);
        if (from != null) {
            from.users--;
        }
    }

    /** Closes what is not among these versions and serves nothing. */
    void keepOnly(Set<Version> current) {
        for (Open o : idle(current)) {
            try {
                o.loader.close();
                log.log(
                        ClusterMessages.UNDEPLOYED,
                        o.version.deployment(),
                        o.version.version(),
                        "nothing of it serves here");
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

    /** How many loaders are open. */
    synchronized int size() {
        return open.size();
    }
}
