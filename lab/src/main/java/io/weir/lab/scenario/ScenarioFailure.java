package io.weir.lab.scenario;

/** An expectation of a scenario does not hold, or a script cannot be parsed. */
public final class ScenarioFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScenarioFailure(String message) {
        super(message);
    }

    ScenarioFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
