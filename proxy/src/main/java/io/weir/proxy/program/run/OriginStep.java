package io.weir.proxy.program.run;

/**
 * The prepared {@code set-origin-server}: sets the route unless one is set. Immutable but for its route's pool.
 *
 * @param route what it sets
 */
public record OriginStep(OriginRoute route) implements ServerFunction.Step {
    @Override
    public StepOutcome run(FunctionContext run) {
        run.route(route);
        return StepOutcome.NOACTION;
    }
}
