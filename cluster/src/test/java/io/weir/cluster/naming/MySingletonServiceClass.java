package io.weir.cluster.naming;

import io.weir.cluster.weblogic.SingletonService;
import java.io.Serializable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Of the article on the Singleton Service, with its imports changed. */
@SuppressWarnings("BanJNDI") // WebLogic's way
public class MySingletonServiceClass implements SingletonService, Serializable, MySingletonServiceInterface {
    private static final long serialVersionUID = 3966807367110330202L;
    private static final String JNDI_NAME = "MySingletonServiceClass";

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
            ic.bind(JNDI_NAME, this);
            myValue = 5;
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void deactivate() {
        try {
            Context ic = new InitialContext();
            ic.unbind(JNDI_NAME);
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
    }
}
