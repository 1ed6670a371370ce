package io.weir.starter;

import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirXAConnectionFactory;
import io.weir.jms.client.settings.ClientKnobs;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes Weir's connection factories as the properties say; a wrong one is a {@link WrongSettingException}. Stateless. */
final class WeirFactories {
    /** How Spring Boot names an element of a list in a map. */
    private static final Pattern ELEMENT = Pattern.compile("\\.\\d+$");

    private static final Map<String, String> KEYS =
            ClientKnobs.keys().stream().collect(Collectors.toUnmodifiableMap(WeirFactories::uniform, key -> key));

    private WeirFactories() {}

    static WeirConnectionFactory plain(WeirProperties properties) {
        return make(properties, Map.of(), WeirConnectionFactory::new);
    }

    static WeirXAConnectionFactory xa(WeirProperties properties) {
        return make(properties, Map.of(), WeirXAConnectionFactory::new);
    }

    /**
     * For a look at the broker as it is now: its connections do not wait for a lost one, and have no client identifier,
     * which the application's own connection may be using.
     */
    static WeirConnectionFactory probing(WeirProperties properties) {
        return make(properties, Map.of("reconnect-policy", "none", "client-id", ""), WeirConnectionFactory::new);
    }

    private static <F extends WeirConnectionFactory> F make(
            WeirProperties properties, Map<String, String> instead, BiFunction<String, Map<String, String>, F> made) {
        try {
            F factory = made.apply(properties.url(), options(properties.options()));
            instead.forEach(factory::setOption);
            if (properties.user() != null) {
                factory.setUser(properties.user());
            }
            if (properties.password() != null) {
                factory.setPassword(properties.password());
            }
            return factory;
        } catch (IllegalArgumentException e) {
            throw new WrongSettingException(
                    String.valueOf(e.getMessage()), "Correct weir.jms.url or weir.jms.options.", e);
        }
    }

    private static Map<String, String> options(Map<String, String> given) {
        Map<String, String> options = new TreeMap<>();
        given.forEach((name, value) -> {
            String key = ELEMENT.matcher(name).replaceFirst("");
            options.merge(KEYS.getOrDefault(uniform(key), key), value, (one, next) -> one + "," + next);
        });
        return options;
    }

    /** Spring Boot's properties may be in camel case, and variables of the environment have no dashes. */
    private static String uniform(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
