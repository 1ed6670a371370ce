package io.weir.samples.singleton;

import java.rmi.RemoteException;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** A program in a JVM of its own: {@code NumberClient weir://host:port,host:port get}, or {@code … add 8}. */
@SuppressWarnings({"BanJNDI", "JdkObsolete"
}) // JNDI is what is shown, and it demands a Hashtable; Weir's deserializes nothing
public final class NumberClient {
    private NumberClient() {}

    /**
     * Prints the number.
     *
     * @param args the servers' address, what to do, and with how much
     */
    public static void main(String[] args) throws NamingException, RemoteException {
        Hashtable<String, String> where = new Hashtable<>();
        where.put(Context.INITIAL_CONTEXT_FACTORY, "io.weir.jms.WeirContextFactory");
        where.put(Context.PROVIDER_URL, args[0]);
        Context context = new InitialContext(where);
        try {
            NumberService number = (NumberService) context.lookup(NumberSingleton.NAME);
            System.out.println(args[1].equals("add") ? number.add(Integer.parseInt(args[2])) : number.get());
        } finally {
            context.close();
        }
    }
}
