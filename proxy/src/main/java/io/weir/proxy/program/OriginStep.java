package io.weir.proxy.program;

/**
 * The prepared {@code set-origin-server}: sets the route unless one is set. Immutable but for its route's pool.
 *
 * @param route what it sets
 */
record OriginStep(OriginRoute route) implements ServerFunction.Step {
    @Override
    public Outcome run(ProgramRun run) {
        run.route(route);
        return Outcome.NOACTION;
    }
}
