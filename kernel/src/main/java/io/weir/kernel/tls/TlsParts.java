package io.weir.kernel.tls;

import io.weir.kernel.settings.KernelContext;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the TLS of a kernel's listeners and origins shares. Immutable.
 *
 * @param tickets file from which several processes derive the keys of session tickets; null for separate keys of each
 * listener
 * @param afterHandshakes runs an action once no event loop can still be using a replaced context, so that it can be
 * freed
 * @param watch checks files, keys and OCSP responses
 */
public record TlsParts(KernelContext kernel, @Nullable Path tickets, Executor afterHandshakes, TlsWatch watch) {}
