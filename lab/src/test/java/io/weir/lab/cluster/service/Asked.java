package io.weir.lab.cluster.service;

/** What may be called of services that are bound. */
public interface Asked {
    String who();
}
