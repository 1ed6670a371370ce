package io.weir.broker;

import io.weir.base.KnobWalk;
import io.weir.broker.config.ConnectionFactoryConfig;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection factory's knobs as clients read them from naming: a flat map of keys to text. Stateless. */
final class FactoryAttributes {
    private FactoryAttributes() {}

    static Map<String, String> of(ConnectionFactoryConfig f) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (KnobWalk.Item item : KnobWalk.of(f)) {
            String key = item.key().substring(item.key().lastIndexOf('.') + 1);
            if (item.value() != null && !key.equals("jndi-name")) {
                attributes.put(key, item.text());
            }
        }
        return attributes;
    }
}
