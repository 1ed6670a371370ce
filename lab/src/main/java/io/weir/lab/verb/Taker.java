package io.weir.lab.verb;

/** Does what a command line asks for; a test takes note of it instead. */
@FunctionalInterface
public interface Taker<T> {
    void take(T options) throws Exception;
}
