package io.weir.jms;

import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.naming.NamesContext;
import io.weir.wire.naming.NamingEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.Binding;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/**
 * A JNDI view of the server's names: for look-ups and listing. It is read-only, because names are bound by the server's
 * configuration and the cluster's services. Names with slashes can also be traversed context by context. Used by one
 * thread at a time.
 */
final class NamingContext extends NamesContext {
    private final NamingLink link;
    private final String url;
    private final Services services;

    /**
     * @param url the provider's URL, which the connection factories found here connect to
     * @param prefix empty, or the common prefix of all names of this context, ending in a slash
     */
    NamingContext(NamingLink link, String url, Services services, Map<String, Object> environment, String prefix) {
        super(environment, prefix);
        this.link = link;
        this.url = url;
        this.services = services;
    }

    private NamingContext at(String deeper) {
        return new NamingContext(link, url, services, new TreeMap<>(environment()), deeper);
    }

    @Override
    protected Object find(String name) throws NamingException {
        if (name.isEmpty()) {
            return at(prefix());
        }
        String full = prefix() + name;
        NamingEntry entry = link.lookup(full);
        if (entry != null) {
            return object(entry);
        }
        if (!link.list(full + "/").isEmpty()) {
            return at(full + "/");
        }
        throw missing(full, name);
    }

    private Object object(NamingEntry entry) throws NamingException {
        if (entry.kind().equals(ServiceReference.KIND)) {
            return services.proxy(entry, environment());
        }
        Object found = NamedObjects.of(entry, url, link.credentials());
        if (found == null) {
            throw new NamingException(entry.name() + " is of a kind that this client does not know: " + entry.kind());
        }
        return found;
    }

    /** The object for a listing: a service can be listed without its interfaces on the class path. */
    private Object listed(NamingEntry entry) throws NamingException {
        try {
            return object(entry);
        } catch (ServiceNotUsable e) {
            return e.reference();
        }
    }

    private String folder(String name) {
        String full = prefix() + name;
        return full.isEmpty() || full.endsWith("/") ? full : full + "/";
    }

    @Override
    protected List<Binding> bindings(String name) throws NamingException {
        String folder = folder(name);
        List<NamingEntry> entries = link.list(folder);
        if (entries.isEmpty() && !name.isEmpty()) {
            if (link.lookup(prefix() + name) != null) {
                throw new NotContextException(prefix() + name + " is not a context");
            }
            throw new NameNotFoundException("no such name: " + prefix() + name);
        }
        Map<String, Binding> found = new TreeMap<>();
        for (NamingEntry e : entries) {
            String rest = e.name().substring(folder.length());
            int slash = rest.indexOf('/');
            if (slash < 0) {
                found.put(rest, new Binding(rest, listed(e)));
            } else {
                String below = rest.substring(0, slash);
                found.put(below, new Binding(below, at(folder + below + "/")));
            }
        }
        return new ArrayList<>(found.values());
    }

    private static NamingException fixed() {
        return new OperationNotSupportedException(
                "names are bound by the server's configuration (messaging) and by services in the cluster");
    }

    @Override
    protected void put(String name, @Nullable Object object, boolean replace) throws NamingException {
        throw fixed();
    }

    @Override
    protected void remove(String name) throws NamingException {
        throw fixed();
    }
}
