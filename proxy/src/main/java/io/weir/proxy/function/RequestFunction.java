package io.weir.proxy.function;

import java.util.List;
import java.util.Set;

/**
 * A request function of one's own, the Sun proxy's server application function (SAF): compiled against Weir, packed in a jar
 * that {@code proxy.function-jars} names, listed in {@code META-INF/services/io.weir.proxy.function.RequestFunction}, and
 * named in {@code functions} of a route. Made once, without arguments. Shared by all threads of a server.
 */
public interface RequestFunction {
    /** As routes write it: a letter, then letters, digits and dashes; none that Weir brings. */
    String name();

    /** One sentence on what it does. */
    String doc();

    /**
     * The stages in which it may stand: PathCheck (may it be asked for), ObjectType (settings), Service (answers), Error
     * (answers in place of an error), Filter and Output (the head of an origin's answer, stored or not, before it is
     * sent).
     */
    Set<Stage> stages();

    /** The parameters that a route may give; what it gives is checked against them. */
    default List<ParameterSpec> parameters() {
        return List.of();
    }

    /**
     * Whether {@link Step#run} may block: it then always runs on a thread of a work manager. Otherwise it runs on the
     * muxer that the connection belongs to, where a blocked step holds up every connection of that muxer.
     */
    default boolean blocks() {
        return false;
    }

    /**
     * Makes the step of one route, at start and at each change of the configuration, also of one that is only checked.
     *
     * @throws IllegalArgumentException saying what is wrong with the parameters together
     */
    Step prepare(Parameters parameters);

    /** What runs for each request of a route. Shared: called by many threads at once. */
    @FunctionalInterface
    interface Step {
        /**
         * Decides on a request. What it throws is logged and answered with 500.
         *
         * @return what is to happen, or {@link Verdict#later} for what is decided elsewhere; Filter and Output decide at
         *     once
         */
        Verdict run(FunctionRequest request) throws Exception;
    }
}
