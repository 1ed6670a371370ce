package io.weir.jms;

import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * JNDI at a Weir server: {@code java.naming.factory.initial=io.weir.jms.WeirContextFactory}, {@code
 * java.naming.provider.url=weir://host:7001}, {@code java.naming.security.principal} and {@code …credentials}.
 * Connection factories and destinations are found under the names in the server's configuration ({@code messaging});
 * {@code queue/demo} and {@code topic/news} name destinations directly. Connection factories connect to the provider's
 * URL with the context's user and password.
 *
 * <p>A name bound by a service of the cluster returns a proxy, whose calls reach the service wherever it is active. It
 * implements those of the service's interfaces that the code which calls {@code lookup} references itself, for instance
 * by a cast, in the same shape; or those that {@code io.weir.naming.interfaces} lists ({@code com.example.*, …}). A
 * class is never loaded only because a server sent its name. {@code io.weir.invoke.deadline} ({@code 30s}) is the
 * deadline of a call, {@code io.weir.invoke.deadline.METHOD} that of one method's calls, {@code
 * io.weir.invoke.owner-wait} (none) how long a call waits while the service migrates. Stateless.
 */
public final class WeirContextFactory implements InitialContextFactory {
    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Map<String, Object> copy = new TreeMap<>();
        if (environment != null) {
            environment.forEach((key, value) -> copy.put(String.valueOf(key), value));
        }
        String text = text(copy, Context.PROVIDER_URL, WeirConnectionFactory.DEFAULT_URL);
        try {
            WireUrl url = WireUrl.parse(text);
            Credentials credentials = credentials(copy);
            return new NamingContext(new NamingLink(url, credentials), text, new Services(url, credentials), copy, "");
        } catch (IllegalArgumentException e) {
            ConfigurationException wrong = new ConfigurationException(Context.PROVIDER_URL + ": " + e.getMessage());
            wrong.setRootCause(e);
            throw wrong;
        }
    }

    private static Credentials credentials(Map<String, Object> environment) {
        Object user = environment.get(Context.SECURITY_PRINCIPAL);
        Object password = environment.get(Context.SECURITY_CREDENTIALS);
        String secret =
                password instanceof char[] chars ? new String(chars) : password == null ? null : password.toString();
        return new Credentials(user == null ? null : user.toString(), secret);
    }

    private static String text(Map<String, Object> environment, String key, String otherwise) {
        Object value = environment.get(key);
        return value == null ? otherwise : value.toString();
    }
}
