package io.weir.proxy.function;

import java.util.List;
import java.util.Set;

/**
 * A custom request function, the Sun proxy's server application function (SAF): compiled against Weir, packed in a jar
 * that {@code proxy.function-jars} names, listed in {@code META-INF/services/io.weir.proxy.function.RequestFunction},
 * and named in {@code functions} of a route. Instantiated once, without arguments. Shared by all threads of a server.
 */
public interface RequestFunction {
    /** The name as written in routes: a letter, then letters, digits and dashes; not that of a built-in function. */
    String name();

    /** One sentence on what it does. */
    String doc();

    /**
     * The stages in which it may run: PathCheck (whether the request is permitted), ObjectType (settings), Service
     * (answers), Error (answers instead of an error), Filter and Output (the head of an origin's answer, stored or not,
     * before it is sent).
     */
    Set<Stage> stages();

    /** The parameters that a route may give, which are validated against them. */
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
     * Prepares the step of one route, at start and at each change of the configuration, including one that is only
     * validated.
     *
     * @throws IllegalArgumentException saying what is wrong with the combination of parameters
     */
    Step prepare(Parameters parameters);

    /** Runs for each request of a route. Shared: called by many threads concurrently. */
    @FunctionalInterface
    interface Step {
        /**
         * Decides on a request. An exception is logged and answered with 500.
         *
         * @return the decision, or {@link Verdict#later} for an asynchronous one; Filter and Output must decide at once
         */
        Verdict run(FunctionRequest request) throws Exception;
    }
}
