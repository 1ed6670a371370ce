package io.weir.cluster.naming;

import io.weir.cluster.state.naming.Binding;
import io.weir.wire.naming.NamesContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import org.jspecify.annotations.Nullable;

/** JNDI context over the replicated tree inside the server. Used by one thread at a time. */
final class ServerContext extends NamesContext {
    private final ClusterNaming naming;

    ServerContext(ClusterNaming naming, Map<String, Object> environment, String prefix) {
        super(environment, prefix);
        this.naming = naming;
    }

    private ServerContext at(String deeper) {
        return new ServerContext(naming, new TreeMap<>(environment()), deeper);
    }

    @Override
    protected Object find(String name) throws NamingException {
        if (name.isEmpty()) {
            return at(prefix());
        }
        String full = prefix() + name;
        Object found = naming.object(full);
        if (found != null) {
            return found;
        }
        if (!naming.binder().below(full + "/").isEmpty()) {
            return at(full + "/");
        }
        throw missing(full, name);
    }

    @Override
    protected List<javax.naming.Binding> bindings(String name) throws NamingException {
        String full = prefix() + name;
        String folder = full.isEmpty() || full.endsWith("/") ? full : full + "/";
        List<Binding> all = naming.binder().below(folder);
        if (all.isEmpty() && !name.isEmpty()) {
            if (naming.object(full) != null) {
                throw new NotContextException(full + " is not a context");
            }
            throw new NameNotFoundException("no such name: " + full);
        }
        Map<String, javax.naming.Binding> found = new TreeMap<>();
        for (Binding b : all) {
            String rest = b.path().substring(folder.length());
            int slash = rest.indexOf('/');
            String first = slash < 0 ? rest : rest.substring(0, slash);
            found.put(first, new javax.naming.Binding(first, slash < 0 ? listed(b) : at(folder + first + "/")));
        }
        return new ArrayList<>(found.values());
    }

    /** A service can be listed even if its interfaces cannot be loaded. */
    private Object listed(Binding b) {
        try {
            return naming.object(b);
        } catch (NamingException e) {
            return b.value();
        }
    }

    @Override
    protected void put(String name, @Nullable Object object, boolean replace) throws NamingException {
        naming.binder().bind(prefix() + name, object, replace);
    }

    @Override
    protected void remove(String name) throws NamingException {
        naming.binder().unbind(prefix() + name);
    }
}
