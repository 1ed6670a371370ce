package io.weir.proxy.program.run;

import io.weir.proxy.function.Stage;
import io.weir.proxy.program.Explain;

/** Listens to the steps of a run; for {@link Explain} and tests. Confined to the run's loop. */
public interface RunTrace {
    void ran(ProgramObject object, Directive directive, StepOutcome outcome);

    void entered(Stage stage);
}
