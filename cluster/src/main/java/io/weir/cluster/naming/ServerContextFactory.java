package io.weir.cluster.naming;

import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.ActiveServices;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * The factory behind {@code new InitialContext()} without properties inside the server: while a member runs in the
 * process, it is JNDI's default unless {@code java.naming.factory.initial} was set. Stateless but for the running
 * members; in a process with several (tests), a thread in an activation gets its member's context, other threads must
 * specify {@link #MEMBER}.
 */
public final class ServerContextFactory implements InitialContextFactory {
    /** Environment property: name of the member to use, in a process with several. */
    public static final String MEMBER = "io.weir.cluster.member";

    private static final List<ClusterNaming> MEMBERS = new CopyOnWriteArrayList<>();

    static void install(ClusterNaming naming) {
        MEMBERS.add(naming);
        if (System.getProperty(Context.INITIAL_CONTEXT_FACTORY) == null) {
            System.setProperty(Context.INITIAL_CONTEXT_FACTORY, ServerContextFactory.class.getName());
        }
    }

    static void remove(ClusterNaming naming) {
        MEMBERS.remove(naming);
        boolean ours = ServerContextFactory.class.getName().equals(System.getProperty(Context.INITIAL_CONTEXT_FACTORY));
        if (MEMBERS.isEmpty() && ours) {
            System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        }
    }

    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Map<String, Object> copy = new TreeMap<>();
        if (environment != null) {
            environment.forEach((key, value) -> copy.put(String.valueOf(key), value));
        }
        return new ServerContext(naming(copy.get(MEMBER)), copy, "");
    }

    private static ClusterNaming naming(@Nullable Object member) throws NamingException {
        Activation current = Activation.current();
        List<ClusterNaming> fit = MEMBERS.stream()
                .filter(n -> member != null
                        ? n.node().self().member().equals(member.toString())
                        : current == null || runs(n, current))
                .toList();
        if (fit.size() == 1) {
            return fit.getFirst();
        }
        throw new NoInitialContextException(
                fit.isEmpty()
                        ? "no member of a cluster runs in this process" + (member == null ? "" : " as " + member)
                        : "several members run in this process: specify one by " + MEMBER);
    }

    private static boolean runs(ClusterNaming naming, Activation activation) {
        return naming.node()
                .services()
                .named(activation.service())
                .map(ActiveServices.Active::activation)
                .filter(activation::equals)
                .isPresent();
    }
}
