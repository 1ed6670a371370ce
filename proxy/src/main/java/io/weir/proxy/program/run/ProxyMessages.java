package io.weir.proxy.program.run;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The messages of the proxy. Immutable. */
public enum ProxyMessages implements DeclaredMessage {
    FUNCTION_FAILED(
            450001,
            Severity.ERROR,
            "The function {} at {} failed: {}",
            "The request was answered 500. See the cause; functions must not throw."),
    PROGRAM_NOTE(
            450002,
            Severity.WARNING,
            "{}",
            "The program runs nevertheless. Correct the place that is named, or declare what is missing there.");

    private final Declaration declaration;

    ProxyMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Proxy", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
