package io.weir.kernel.listen;

/** What may be configured to be spoken on a listener. */
public enum ListenerProtocol {
    HTTP,
    WEIR
}
