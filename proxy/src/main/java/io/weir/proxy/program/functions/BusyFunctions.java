package io.weir.proxy.program.functions;

import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.EnumSet;
import java.util.List;

/** The function that runs when a pool is full; {@code busy=} names another one, and a jar replaces it. Stateless. */
final class BusyFunctions {
    private BusyFunctions() {}

    static List<ServerFunction> all() {
        return List.of(SimpleFunction.of(
                FunctionCatalogue.TOO_BUSY,
                EnumSet.allOf(Stage.class),
                "Answers 503 with Retry-After, as when a function's work manager is full.",
                List.of(),
                _ -> _ -> StepOutcome.TOOBUSY));
    }
}
