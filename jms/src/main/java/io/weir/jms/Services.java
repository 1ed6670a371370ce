package io.weir.jms;

import io.weir.base.Durations;
import io.weir.base.SystemClock;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.caller.Invoker;
import io.weir.wire.invoke.caller.ProxyOptions;
import io.weir.wire.invoke.caller.References;
import io.weir.wire.invoke.description.CallersTypes;
import io.weir.wire.invoke.description.Interfaces;
import io.weir.wire.login.Credentials;
import io.weir.wire.naming.NamingEntry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.naming.ConfigurationException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Creates proxies of the services that names refer to. Proxies of one initial context share its connections, which are
 * opened at the first call and closed when idle for a time: callers need not close anything. Shared by its contexts.
 */
final class Services {
    /**
     * The deadline of a call: {@code 5s}; followed by a dot and a method's name, the deadline of that method's calls.
     */
    static final String DEADLINE = "io.weir.invoke.deadline";

    /**
     * How long a call waits while the service has no owner, such as during a migration: {@code 10s}; without it, calls
     * do not wait.
     */
    static final String OWNER_WAIT = "io.weir.invoke.owner-wait";

    /**
     * Interfaces that proxies can implement, separated by commas, {@code com.example.*} for a package; without it,
     * those that the calling code references itself.
     */
    static final String INTERFACES = "io.weir.naming.interfaces";

    private final WireUrl url;
    private final Invoker invoker;
    private final References references;

    Services(WireUrl url, Credentials credentials) {
        this.url = url;
        ClientOptions options =
                ClientOptions.DEFAULT.withProduct("weir-jms-client calls").withConnectTimeOut(Duration.ofSeconds(10));
        this.invoker = new Invoker(
                () -> credentials,
                url.secure() ? options.withTls(null) : options,
                Invoker.Limits.DEFAULT,
                SystemClock.INSTANCE);
        this.references = invoker.overTheWire(url.addresses());
    }

    /** Creates a proxy with those of the service's interfaces that the application has. */
    Object proxy(NamingEntry entry, Map<String, Object> environment) throws NamingException {
        ServiceReference reference = ServiceReference.of(entry);
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ClassLoader from = loader == null ? Services.class.getClassLoader() : loader;
        try {
            List<Class<?>> interfaces = Interfaces.resolve(reference, known(environment, from));
            return invoker.proxy(
                    reference.service(),
                    Interfaces.loader(interfaces, from),
                    interfaces,
                    references,
                    reference.address() == null ? null : reference,
                    options(environment));
        } catch (IllegalArgumentException e) {
            throw new ServiceNotUsable(reference, e);
        }
    }

    /**
     * Finds the class loader for an interface name: for configured interfaces, or else for those that the calling code
     * references.
     */
    private static Function<String, @Nullable ClassLoader> known(Map<String, Object> environment, ClassLoader from) {
        Object rule = environment.get(INTERFACES);
        if (rule == null) {
            return CallersTypes.here()::naming;
        }
        List<String> patterns =
                Arrays.stream(rule.toString().split(",", -1)).map(String::strip).toList();
        return name -> patterns.stream().anyMatch(p -> fits(p, name)) ? from : null;
    }

    private static boolean fits(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    private static ProxyOptions options(Map<String, Object> environment) throws NamingException {
        Duration deadline = duration(environment, DEADLINE);
        Duration wait = duration(environment, OWNER_WAIT);
        ProxyOptions options = deadline == null ? ProxyOptions.DEFAULT : ProxyOptions.DEFAULT.withDeadline(deadline);
        for (String key : environment.keySet()) {
            Duration own = key.startsWith(DEADLINE + ".") ? duration(environment, key) : null;
            options = own == null ? options : options.withDeadline(key.substring(DEADLINE.length() + 1), own);
        }
        return wait == null ? options : options.withOwnerWait(wait);
    }

    private static @Nullable Duration duration(Map<String, Object> environment, String key) throws NamingException {
        Object value = environment.get(key);
        try {
            return value == null ? null : Durations.parse(value.toString());
        } catch (IllegalArgumentException e) {
            ConfigurationException wrong = new ConfigurationException(key + ": " + e.getMessage());
            wrong.setRootCause(e);
            throw wrong;
        }
    }

    @Override
    public String toString() {
        return "services at " + url.addresses();
    }
}
