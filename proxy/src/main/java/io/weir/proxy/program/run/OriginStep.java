package io.weir.proxy.program.run;

import io.weir.proxy.program.origin.OriginRoute;

/**
 * The prepared {@code set-origin-server}: sets the route unless one is set. Immutable except for its route's pool.
 *
 * @param route the route that it sets
 */
public record OriginStep(OriginRoute route) implements ServerFunction.Step {
    @Override
    public StepOutcome run(FunctionContext run) {
        run.route(route);
        return StepOutcome.NOACTION;
    }
}
