package io.weir.wire.naming;

import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/**
 * A JNDI view of a tree of names with slashes, with JNDI's many methods reduced to a few. Contexts are not created
 * explicitly: they exist while there are names in them. Used by one thread at a time.
 */
public abstract class NamesContext implements Context {
    private final Map<String, Object> environment;
    private final String prefix;

    /** A context of the names that begin with the prefix, which is empty or ends with a slash. */
    protected NamesContext(Map<String, Object> environment, String prefix) {
        this.environment = environment;
        this.prefix = prefix;
    }

    protected final Map<String, Object> environment() {
        return environment;
    }

    protected final String prefix() {
        return prefix;
    }

    /** The object bound to this name, relative to this context; an empty name is the context itself. */
    protected abstract Object find(String name) throws NamingException;

    /** The direct bindings of the context of this name. */
    protected abstract List<Binding> bindings(String name) throws NamingException;

    /** Binds; replaces an existing binding only if {@code replace} is set. */
    protected abstract void put(String name, @Nullable Object object, boolean replace) throws NamingException;

    protected abstract void remove(String name) throws NamingException;

    /** The exception for a name that is not bound. */
    protected static NameNotFoundException missing(String full, String name) throws NamingException {
        NameNotFoundException missing = new NameNotFoundException("no such name: " + full);
        missing.setRemainingName(new CompositeName(name));
        return missing;
    }

    @Override
    public final Object lookup(Name name) throws NamingException {
        return find(name.toString());
    }

    @Override
    public final Object lookup(String name) throws NamingException {
        return find(name);
    }

    @Override
    public final Object lookupLink(Name name) throws NamingException {
        return find(name.toString());
    }

    @Override
    public final Object lookupLink(String name) throws NamingException {
        return find(name);
    }

    @Override
    public final NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public final NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return new Found<>(bindings(name).stream()
                .map(b ->
                        new NameClassPair(b.getName(), b.getObject().getClass().getName()))
                .iterator());
    }

    @Override
    public final NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public final NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return new Found<>(bindings(name).iterator());
    }

    @Override
    public final void bind(Name name, @Nullable Object object) throws NamingException {
        put(name.toString(), object, false);
    }

    @Override
    public final void bind(String name, @Nullable Object object) throws NamingException {
        put(name, object, false);
    }

    @Override
    public final void rebind(Name name, @Nullable Object object) throws NamingException {
        put(name.toString(), object, true);
    }

    @Override
    public final void rebind(String name, @Nullable Object object) throws NamingException {
        put(name, object, true);
    }

    @Override
    public final void unbind(Name name) throws NamingException {
        remove(name.toString());
    }

    @Override
    public final void unbind(String name) throws NamingException {
        remove(name);
    }

    @Override
    public final NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public final NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public final Name composeName(Name name, Name before) throws NamingException {
        Name composed = (Name) before.clone();
        return composed.addAll(name);
    }

    @Override
    public final String composeName(String name, String before) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(before)).toString();
    }

    @Override
    public final @Nullable Object addToEnvironment(String key, Object value) {
        return environment.put(key, value);
    }

    @Override
    public final @Nullable Object removeFromEnvironment(String key) {
        return environment.remove(key);
    }

    @SuppressWarnings("JdkObsolete") // the interface demands a Hashtable
    @Override
    public final Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public void close() {
        // nothing to release
    }

    @Override
    public final String getNameInNamespace() {
        return prefix;
    }

    private static NamingException unsupported() {
        return new OperationNotSupportedException(
                "contexts exist only while there are names in them, and names" + " cannot be renamed");
    }

    @Override
    public final void rename(Name name, Name next) throws NamingException {
        throw unsupported();
    }

    @Override
    public final void rename(String name, String next) throws NamingException {
        throw unsupported();
    }

    @Override
    public final Context createSubcontext(Name name) throws NamingException {
        throw unsupported();
    }

    @Override
    public final Context createSubcontext(String name) throws NamingException {
        throw unsupported();
    }

    @Override
    public final void destroySubcontext(Name name) throws NamingException {
        throw unsupported();
    }

    @Override
    public final void destroySubcontext(String name) throws NamingException {
        throw unsupported();
    }

    /** The result of a listing. */
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
            // nothing to release
        }
    }
}
