package io.weir.proxy.program.run;

import io.weir.base.ConfigNode;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.RuleCondition;
import org.jspecify.annotations.Nullable;

/**
 * A line of a program: which function runs, in which stage, under which condition. Immutable.
 *
 * @param parameters the checked parameters
 * @param when when it applies
 * @param guard a further condition, evaluated for each request; null: none
 * @param step the prepared function
 * @param bucket the performance bucket of its calls; null: the default bucket, or nothing is counted
 * @param pool name of the work manager that it runs on, {@link WorkPools#OF_REQUEST} for the request's; null: the
 *     request's loop
 * @param requestClass its request class there; null: the request's
 * @param busy the step that runs, on the request's loop, if that pool is full; null: 503
 * @param place its place in the configuration
 */
public record Directive(
        Stage stage,
        ServerFunction function,
        Parameters parameters,
        RuleCondition when,
        @Nullable Guard guard,
        ServerFunction.Step step,
        @Nullable PerformanceBucket bucket,
        @Nullable String pool,
        @Nullable String requestClass,
        ServerFunction.@Nullable Step busy,
        ConfigNode.Place place) {
    /** {@code NameTrans fn=assign-name from="/a" name="b"}. */
    @Override
    public String toString() {
        String text = function.written(parameters);
        return stage.word() + " fn=" + function.name() + (text.isEmpty() ? "" : " " + text);
    }
}
