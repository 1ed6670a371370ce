package io.weir.jms;

import java.util.Collections;
import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/** Makes a {@link WeirConnectionFactory} of what another JNDI directory kept of one. Stateless. */
public final class WeirObjectFactory implements ObjectFactory {
    static final String URL = "url";
    static final String USER = "user";

    /** Null for what is not a reference to a connection factory of ours. */
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object object,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment) {
        if (!(object instanceof Reference reference)
                || !reference.getClassName().equals(WeirConnectionFactory.class.getName())) {
            return null;
        }
        Map<String, String> texts = new TreeMap<>();
        for (RefAddr a : Collections.list(reference.getAll())) {
            texts.put(a.getType(), String.valueOf(a.getContent()));
        }
        String url = texts.remove(URL);
        String user = texts.remove(USER);
        WeirConnectionFactory factory =
                new WeirConnectionFactory(url == null ? WeirConnectionFactory.DEFAULT_URL : url, texts);
        factory.setUser(user);
        return factory;
    }
}
