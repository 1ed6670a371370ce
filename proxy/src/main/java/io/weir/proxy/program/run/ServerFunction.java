package io.weir.proxy.program.run;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.RuleCondition;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server application function (SAF): what a directive names with {@code fn=}. Immutable and shared. Its parameters
 * are declared; {@link #prepare} is called once for each directive, after they were checked, so that requests do not
 * parse text.
 */
public interface ServerFunction {
    /** The name of the function that retrieves answers: programs look for it. */
    String RETRIEVE = "proxy-retrieve";

    /** The name of the function that adds an object and is the last of NameTrans. */
    String ASSIGN_NAME = "assign-name";

    /** The name of the function that has the built-in demo origin answer. */
    String DEMO = "demo-origin";

    /** The functions of Route that choose no origin. */
    Set<String> NO_ORIGIN =
            Set.of("unset-origin-server", "set-proxy-server", "unset-proxy-server", "unset-socks-server");

    /** The names of the functions that answer with views of the server's state. */
    Set<String> VIEWS = Set.of("service-dump", "stats-xml", "service-nsc-dump", "service-nsfc-dump");

    /** The names of the functions that append a record to an access log. */
    Set<String> RECORDERS = Set.of("common-log", "flex-log", "record-useragent");

    /** The name of the function of AddLog whose record has another form than its log's. */
    String RECORD_USER_AGENT = "record-useragent";

    /** As written in {@code fn=}; the catalogue treats {@code -} and {@code _} as the same. */
    String name();

    /** The stages in which it may be used. */
    Set<Stage> stages();

    List<ParameterSpec> parameters();

    /**
     * The declaration of a parameter whose name is not known beforehand, such as {@code rewrite-} and any field; null:
     * there is no such parameter.
     */
    default @Nullable ParameterSpec further(String name) {
        return null;
    }

    /** Whether a parameter cannot depend on the request, because preparing the function reads a file. */
    default boolean constant(String parameter) {
        return false;
    }

    /** One sentence on what it does. */
    String doc();

    /**
     * Makes the directive's step from checked parameters.
     *
     * @throws IllegalArgumentException saying what is wrong with the combination of parameters
     */
    Step prepare(Parameters parameters);

    /** When a directive with these parameters applies: {@code when}, narrowed by a {@code from} of the function. */
    default RuleCondition when(Parameters parameters, RuleCondition when) {
        return when;
    }

    /** Whether it blocks: a directive without a {@code pool} then runs on {@link WorkPools#DEFAULT}. */
    default boolean blocks() {
        return false;
    }

    /** The object that a directive with these parameters adds, or null: it must exist. */
    default @Nullable String object(Parameters parameters) {
        return null;
    }

    /** A directive's parameters as people read them. */
    default String written(Parameters parameters) {
        return parameters.toString();
    }

    /** A prepared directive; immutable, shared by all loops. */
    @FunctionalInterface
    interface Step {
        /**
         * Runs for one request, on the request's loop. A function that must wait calls {@link FunctionContext#pend} and
         * returns {@link StepOutcome#WAITING}.
         */
        public StepOutcome run(FunctionContext run);

        /**
         * The same for a directive with a {@code pool}: the blocking part runs on a thread of that pool. Called on the
         * loop, where it copies from the run what the work needs; the work itself has no access to the run, which the
         * loop may abandon in the interim, and the step that it returns runs on the loop.
         */
        default Supplier<Step> detach(FunctionContext run) {
            return () -> this;
        }
    }
}
