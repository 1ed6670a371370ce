package io.weir.cluster.naming;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Of the article on the Singleton Service, as it is there. */
public interface MySingletonServiceInterface extends Remote {
    void setMyValue(int value) throws RemoteException;

    int getMyValue() throws RemoteException;
}
