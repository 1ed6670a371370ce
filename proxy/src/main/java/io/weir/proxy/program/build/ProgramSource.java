package io.weir.proxy.program.build;

/**
 * A language in which programs are written: {@code proxy.routes}, {@code obj.conf}. A source adds objects and directives to the builder, which checks them and collects every problem with its place.
 */
@FunctionalInterface
public interface ProgramSource {
    /** Adds the objects and directives of the source. */
    void compile(ProgramBuilder into);
}
