package io.weir.cluster.ratis;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The part of the message catalogue that the members' log says. */
public enum RatisMessages implements DeclaredMessage {
    NOT_CLOSED(40750, Severity.NOTICE, "The members' log did not close in time: {}", "");

    private final Said said;

    RatisMessages(int id, Severity severity, String text, String remedy) {
        this.said = new Said(id, severity, "Cluster", text, remedy);
    }

    @Override
    public Said said() {
        return said;
    }
}
