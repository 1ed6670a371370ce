package io.weir.jms;

import io.weir.jms.message.WeirDestination;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
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

/** Creates connection factories, queues and topics from references in another JNDI directory. Stateless. */
public final class WeirObjectFactory implements ObjectFactory {
    static final String URL = "url";
    static final String USER = "user";

    /** Returns null for an object that is not a reference to one of Weir's classes. */
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object object,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment) {
        if (!(object instanceof Reference reference)) {
            return null;
        }
        String kind = reference.getClassName();
        if (kind.equals(WeirConnectionFactory.class.getName())
                || kind.equals(WeirXAConnectionFactory.class.getName())) {
            return factory(reference);
        }
        RefAddr kept = reference.get(WeirDestination.NAME);
        if (kept == null) {
            return null;
        }
        String text = String.valueOf(kept.getContent());
        return kind.equals(WeirQueue.class.getName())
                ? new WeirQueue(text)
                : kind.equals(WeirTopic.class.getName()) ? new WeirTopic(text) : null;
    }

    private static WeirConnectionFactory factory(Reference reference) {
        Map<String, String> texts = new TreeMap<>();
        for (RefAddr a : Collections.list(reference.getAll())) {
            texts.put(a.getType(), String.valueOf(a.getContent()));
        }
        String url = texts.remove(URL);
        String user = texts.remove(USER);
        String to = url == null ? WeirConnectionFactory.DEFAULT_URL : url;
        WeirConnectionFactory factory = reference.getClassName().equals(WeirXAConnectionFactory.class.getName())
                ? new WeirXAConnectionFactory(to, texts)
                : new WeirConnectionFactory(to, texts);
        factory.setUser(user);
        return factory;
    }
}
