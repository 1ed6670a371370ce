package io.weir.jms;

import io.weir.jms.client.ClientKnobs;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
import io.weir.wire.NamingEntry;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/**
 * The server's names as JNDI shows them: to look up and to list, not to change, for the server's configuration does that.
 * Names with slashes can also be gone through context by context. Used by one thread at a time.
 */
final class NamingContext implements Context {
    private final NamingLink link;
    private final String url;
    private final Map<String, Object> environment;
    private final String prefix;

    /**
     * @param url of the provider, which the connection factories found here connect to
     * @param prefix empty, or what all names of this context begin with, ending in a slash
     */
    NamingContext(NamingLink link, String url, Map<String, Object> environment, String prefix) {
        this.link = link;
        this.url = url;
        this.environment = environment;
        this.prefix = prefix;
    }

    private NamingContext at(String deeper) {
        return new NamingContext(link, url, new TreeMap<>(environment), deeper);
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return find(name.toString());
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return find(name);
    }

    private Object find(String name) throws NamingException {
        if (name.isEmpty()) {
            return at(prefix);
        }
        String full = prefix + name;
        NamingEntry entry = link.lookup(full);
        if (entry != null) {
            return object(entry);
        }
        if (!link.list(full + "/").isEmpty()) {
            return at(full + "/");
        }
        NameNotFoundException missing = new NameNotFoundException("no such name: " + full);
        missing.setRemainingName(new CompositeName(name));
        throw missing;
    }

    private Object object(NamingEntry entry) throws NamingException {
        Map<String, String> attributes = new TreeMap<>(entry.attributes());
        String destination = attributes.getOrDefault("name", plain(entry.name()));
        return switch (entry.kind()) {
            case "queue" -> new WeirQueue(destination);
            case "topic" -> new WeirTopic(destination);
            case "connection-factory" -> factory(attributes);
            default ->
                throw new NamingException(
                        entry.name() + " is of a kind that this client does not know: " + entry.kind());
        };
    }

    /** A destination is bound under its kind and name where the entry does not say what it is called. */
    private static String plain(String name) {
        return name.startsWith("queue/") || name.startsWith("topic/") ? name.substring(6) : name;
    }

    /** What a newer server says that this client does not know is passed over. */
    private WeirConnectionFactory factory(Map<String, String> attributes) throws NamingException {
        try {
            attributes.keySet().retainAll(ClientKnobs.keys());
            WeirConnectionFactory factory = new WeirConnectionFactory(url, attributes);
            factory.setUser(link.credentials().user());
            factory.setPassword(link.credentials().password());
            return factory;
        } catch (IllegalArgumentException e) {
            NamingException wrong =
                    new NamingException("the server's connection factory can not be used: " + e.getMessage());
            wrong.setRootCause(e);
            throw wrong;
        }
    }

    private String folder(String name) {
        String full = prefix + name;
        return full.isEmpty() || full.endsWith("/") ? full : full + "/";
    }

    private List<Binding> bindings(String name) throws NamingException {
        String folder = folder(name);
        List<NamingEntry> entries = link.list(folder);
        if (entries.isEmpty() && !name.isEmpty()) {
            if (link.lookup(prefix + name) != null) {
                throw new NotContextException(prefix + name + " is not a context");
            }
            throw new NameNotFoundException("no such name: " + prefix + name);
        }
        Map<String, Binding> found = new TreeMap<>();
        for (NamingEntry e : entries) {
            String rest = e.name().substring(folder.length());
            int slash = rest.indexOf('/');
            if (slash < 0) {
                found.put(rest, new Binding(rest, object(e)));
            } else {
                String below = rest.substring(0, slash);
                found.put(below, new Binding(below, at(folder + below + "/")));
            }
        }
        return new ArrayList<>(found.values());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return new Found<>(bindings(name).stream()
                .map(b ->
                        new NameClassPair(b.getName(), b.getObject().getClass().getName()))
                .iterator());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return new Found<>(bindings(name).iterator());
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return find(name.toString());
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return find(name);
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public Name composeName(Name name, Name before) throws NamingException {
        Name composed = (Name) before.clone();
        return composed.addAll(name);
    }

    @Override
    public String composeName(String name, String before) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(before)).toString();
    }

    @Override
    public @Nullable Object addToEnvironment(String key, Object value) {
        return environment.put(key, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String key) {
        return environment.remove(key);
    }

    @SuppressWarnings("JdkObsolete") // the interface demands a Hashtable
    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public void close() {
        // each question closes its connection
    }

    @Override
    public String getNameInNamespace() {
        return prefix;
    }

    private static NamingException fixed() {
        return new OperationNotSupportedException("names are bound in the server's configuration (messaging)");
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void rebind(Name name, Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void rebind(String name, Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw fixed();
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw fixed();
    }

    @Override
    public void rename(Name name, Name next) throws NamingException {
        throw fixed();
    }

    @Override
    public void rename(String name, String next) throws NamingException {
        throw fixed();
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw fixed();
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw fixed();
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw fixed();
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw fixed();
    }

    /** What a listing found. */
    private record Found<T>(Iterator<T> items) implements NamingEnumeration<T> {
        @Override
        public boolean hasMore() {
            return items.hasNext();
        }

        @Override
        public T next() {
            return items.next();
        }

        @Override
        public boolean hasMoreElements() {
            return items.hasNext();
        }

        @Override
        public T nextElement() {
            return items.next();
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
