package io.weir.broker;

import io.weir.base.KnobWalk;
import io.weir.broker.config.ConnectionFactoryConfig;
import io.weir.jms.NamedObjects;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection factory's knobs as clients read them from naming: a flat map of keys to text. Stateless. */
final class FactoryAttributes {
    private FactoryAttributes() {}

    static Map<String, String> of(ConnectionFactoryConfig f) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (KnobWalk.Item item : KnobWalk.of(f)) {
            String key = item.key().substring(item.key().lastIndexOf('.') + 1);
            if (item.value() != null && !key.equals("jndi-name") && !key.equals(NamedObjects.XA)) {
                attributes.put(key, item.text());
            }
        }
        if (f.transaction().xaConnectionFactoryEnabled()) {
            // no option: clients that do not know it make an ordinary factory of it
            attributes.put(NamedObjects.XA, "on");
        }
        return attributes;
    }
}
