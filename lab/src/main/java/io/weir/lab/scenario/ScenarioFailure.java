package io.weir.lab.scenario;

/** An expectation of a scenario that did not hold, or a script that cannot be read. */
public final class ScenarioFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScenarioFailure(String message) {
        super(message);
    }

    ScenarioFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
