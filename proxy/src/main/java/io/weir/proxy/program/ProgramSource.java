package io.weir.proxy.program;

/**
 * A language in which programs are written. {@code proxy.routes} is the first; {@code obj.conf} could be another. A
 * source adds objects and directives to the builder, which checks them and collects every problem with its place.
 */
@FunctionalInterface
public interface ProgramSource {
    /** Adds the objects and directives of the source. */
    void compile(ProgramBuilder into);
}
