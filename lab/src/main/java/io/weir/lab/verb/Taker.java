package io.weir.lab.verb;

/** Executes a command line's request; a test records it instead. */
@FunctionalInterface
public interface Taker<T> {
    void take(T options) throws Exception;
}
