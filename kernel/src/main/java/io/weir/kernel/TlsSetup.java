package io.weir.kernel;

/** Builds a listener's TLS. Stateless. */
final class TlsSetup {
    private TlsSetup() {}

    static ListenerTls of(String name, TlsConfig config, Kernel kernel) throws BindFailure {
        throw new BindFailure("TLS is not built yet: " + name + config + kernel, new IllegalStateException());
    }
}
