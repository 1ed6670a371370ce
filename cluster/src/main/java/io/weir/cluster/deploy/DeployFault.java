package io.weir.cluster.deploy;

/**
 * An archive cannot be deployed, or a deployment cannot be fetched: the message says what, where and why. Immutable.
 */
public final class DeployFault extends Exception {
    private static final long serialVersionUID = 1L;

    public DeployFault(String message) {
        super(message);
    }

    public DeployFault(String message, Throwable cause) {
        super(message, cause);
    }
}
