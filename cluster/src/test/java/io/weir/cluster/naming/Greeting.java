package io.weir.cluster.naming;

/** What {@link Plain} offers: not of RMI's kind. */
public interface Greeting {
    String greet(String whom);
}
