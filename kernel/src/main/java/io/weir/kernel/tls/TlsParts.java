package io.weir.kernel.tls;

import io.weir.kernel.settings.KernelContext;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What TLS of a kernel's listeners and origins is made with. Immutable.
 *
 * @param tickets file with what several processes derive the keys of session tickets from; null for keys of each listener's own
 * @param afterHandshakes runs an action once no event loop can still be using what it took before: then it may be freed
 * @param watch looks after files, keys and OCSP answers
 */
public record TlsParts(KernelContext kernel, @Nullable Path tickets, Executor afterHandshakes, TlsWatch watch) {}
