package io.weir.proxy.program;

/** Hears what a run does; for {@link Explain} and tests. Confined to the run's loop. */
interface RunTrace {
    void ran(ProgramObject object, Directive directive, Outcome outcome);

    void entered(Stage stage);
}
