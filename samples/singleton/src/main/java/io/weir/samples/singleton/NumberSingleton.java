package io.weir.samples.singleton;

import io.weir.cluster.weblogic.SingletonService;
import java.io.Serializable;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The number, in the shape in which such a class is written for WebLogic: methods without arguments, bound in JNDI by itself.
 * One object for each activation; its number begins at 5 each time and lives in this object only, so it is lost when the
 * object's server is. Calls come on many threads.
 */
@SuppressWarnings("BanJNDI") // JNDI is what is shown; Weir's deserializes nothing
public class NumberSingleton implements SingletonService, NumberService, Serializable {
    /** Under which name it is found. */
    public static final String NAME = "NumberSingleton";

    private static final long serialVersionUID = 1;

    private int value;

    @Override
    public void activate() {
        set(5);
        try {
            new InitialContext().bind(NAME, this);
        } catch (NamingException e) {
            throw new IllegalStateException(NAME + " cannot be bound", e);
        }
        System.out.println(NAME + " is active here");
    }

    @Override
    public void deactivate() {
        try {
            new InitialContext().unbind(NAME);
        } catch (NamingException e) {
            throw new IllegalStateException(NAME + " cannot be unbound", e);
        }
        System.out.println(NAME + " is active here no more");
    }

    @Override
    public synchronized int get() {
        return value;
    }

    @Override
    public final synchronized void set(int newValue) {
        value = newValue;
    }

    @Override
    public synchronized int add(int more) {
        value += more;
        return value;
    }
}
