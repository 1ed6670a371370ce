package io.weir.proxy.program.run;

import io.weir.proxy.program.origin.OriginRoute;

/**
 * The prepared {@code set-proxy-server}: sets the proxies that a forwarded request goes to, unless that is decided.
 * Immutable except for its route's pool.
 *
 * @param proxies of {@link OriginRoute#parents}
 */
public record ParentStep(OriginRoute proxies) implements ServerFunction.Step {
    @Override
    public StepOutcome run(FunctionContext run) {
        run.parents(proxies);
        return StepOutcome.NOACTION;
    }
}
