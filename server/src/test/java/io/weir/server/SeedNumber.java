package io.weir.server;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The interface of WebLogic's example. */
public interface SeedNumber extends Remote {
    void setMyValue(int value) throws RemoteException;

    int getMyValue() throws RemoteException;
}
