package io.weir.cluster.kit;

import java.util.Map;

/**
 * The classes of the article on the Singleton Service as it prints them, completed where it leaves out braces and the unbinding, with no line changed but
 * one import: {@code weblogic.cluster.singleton.SingletonService}.
 */
public final class SeedSources {
    public static final String CLASS = "com.darrel.samples.MySingletonServiceClass";
    public static final String INTERFACE = "com.darrel.samples.MySingletonServiceInterface";
    /** Where the class binds itself. */
    public static final String NAME = "MySingletonServiceClass";

    private SeedSources() {}

    /** By class name. */
    public static Map<String, String> all() {
        return Map.of(INTERFACE, """
                package com.darrel.samples;
                import java.rmi.Remote;
                import java.rmi.RemoteException;
                public interface MySingletonServiceInterface extends Remote {
                   public void setMyValue(int value) throws RemoteException;
                   public int getMyValue() throws RemoteException;
                }
                """, CLASS, """
                package com.darrel.samples;
                import java.io.Serializable;
                import javax.naming.Context;
                import javax.naming.InitialContext;
                import javax.naming.NamingException;
                import io.weir.cluster.weblogic.SingletonService;
                public class MySingletonServiceClass implements
                   SingletonService, Serializable, MySingletonServiceInterface {
                   private static final long serialVersionUID = 3966807367110330202L;
                   private static final String jndiName = "MySingletonServiceClass";
                   private int myValue;
                   public int getMyValue() {
                      return myValue;
                   }
                   public synchronized void setMyValue(int myValue) {
                      this.myValue = myValue;
                   }
                   public void activate() {
                      System.out.println("activate triggered");
                      Context ic = null;
                      try {
                         ic = new InitialContext();
                         ic.bind(jndiName, this);
                         System.out.println("Object now bound in JNDI at " + jndiName);
                         myValue = 5;
                      } catch (NamingException e) {
                         myValue = -1;
                      } finally {
                         try {
                            if(ic != null) ic.close();
                         } catch (NamingException e) {
                         }
                      }
                   }
                   public void deactivate() {
                      System.out.println("deactivate triggered");
                      Context ic = null;
                      try {
                         ic = new InitialContext();
                         ic.unbind(jndiName);
                         System.out.println("Context unbound successfully");
                      }catch (NamingException e){
                         System.out.println("not unbound: " + e);
                      }
                   }
                }
                """);
    }
}
