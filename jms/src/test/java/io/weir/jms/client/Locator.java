package io.weir.jms.client;

import javax.naming.Context;
import javax.naming.NamingException;

/** An application's own look-up: its code names no service's interface, its callers' code does. */
final class Locator {
    private Locator() {}

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "BanJNDI"}) // as such classes are written
    static <T> T locate(Context context, String name) throws NamingException {
        return (T) context.lookup(name);
    }
}
