package io.weir.lab.cluster;

/** What clients call of a deployed singleton: in its archive, and on their class path. */
public interface Version {
    /** Of the class that is active. */
    int version();
}
