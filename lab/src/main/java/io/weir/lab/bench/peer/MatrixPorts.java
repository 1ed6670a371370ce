package io.weir.lab.bench.peer;

import io.weir.lab.bench.process.Child;
import java.io.IOException;

/**
 * Where a server of the matrix listens. Immutable.
 *
 * @param plain HTTP/1.1
 * @param tls HTTP/1.1 and HTTP/2 under TLS; not opened by those without
 * @param tunnel CONNECT, if not at the others
 */
public record MatrixPorts(int plain, int tls, int tunnel) {
    /** Free ones. */
    public static MatrixPorts free() throws IOException {
        return new MatrixPorts(Child.freePort(), Child.freePort(), Child.freePort());
    }
}
