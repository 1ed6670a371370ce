package io.weir.cluster.kit;

import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.spi.InitialContextFactory;

/** A JNDI in a map, for classes whose loader has a {@code jndi.properties} that names it. */
public final class Names implements InitialContextFactory {
    /** What is bound. */
    public static final Map<String, Object> BOUND = new ConcurrentHashMap<>();
    /** The file that names this class. */
    public static final String PROPERTIES = "java.naming.factory.initial=" + Names.class.getName() + "\n";

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) {
        return (Context) Proxy.newProxyInstance(
                Names.class.getClassLoader(),
                new Class<?>[] {Context.class},
                (_, method, args) -> switch (method.getName()) {
                    case "bind" -> BOUND.put((String) args[0], args[1]);
                    case "unbind" -> {
                        if (BOUND.remove((String) args[0]) == null) {
                            throw new NameNotFoundException((String) args[0]);
                        }
                        yield null;
                    }
                    default -> null;
                });
    }
}
