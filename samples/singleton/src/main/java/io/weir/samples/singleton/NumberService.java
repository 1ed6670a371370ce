package io.weir.samples.singleton;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** One number for the whole cluster: what others see of {@link NumberSingleton}, from wherever they are. */
public interface NumberService extends Remote {
    int get() throws RemoteException;

    void set(int value) throws RemoteException;

    /** Adds to it in one step; two callers of {@code get} and {@code set} may lose what one of them added. */
    int add(int value) throws RemoteException;
}
