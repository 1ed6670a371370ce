package io.weir.server;

import io.weir.cluster.weblogic.SingletonService;
import java.io.Serializable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Seed 004's example, with its imports changed. */
@SuppressWarnings("BanJNDI") // WebLogic's way
public class SeedSingleton implements SingletonService, Serializable, SeedNumber {
    static final String NAME = "MySingletonServiceClass";

    private static final long serialVersionUID = 3966807367110330202L;

    private int myValue;

    @Override
    public synchronized int getMyValue() {
        return myValue;
    }

    @Override
    public synchronized void setMyValue(int value) {
        myValue = value;
    }

    @Override
    public synchronized void activate() {
        try {
            Context ic = new InitialContext();
            ic.bind(NAME, this);
            myValue = 5;
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void deactivate() {
        try {
            Context ic = new InitialContext();
            ic.unbind(NAME);
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
    }
}
