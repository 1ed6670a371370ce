package io.weir.jms.client;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An interface on the class path that no test names in its code. */
interface Unmentioned extends Remote {
    int value() throws RemoteException;
}
