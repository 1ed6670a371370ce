package io.weir.kernel.listen;

/** The protocols that can be configured for a listener. */
public enum ListenerProtocol {
    HTTP,
    WEIR
}
