package io.weir.lab.bench.program;

import io.netty.util.ResourceLeakDetector;
import java.util.concurrent.atomic.AtomicLong;

/** {@link EchoOrigin} in a separate process, at a given port, until the process is ended. Stateless. */
public final class EchoOriginCommand {
    private EchoOriginCommand() {}

    public static void main(String[] words) throws InterruptedException {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try (Sockets sockets = new Sockets()) {
            AtomicLong echoed = new AtomicLong();
            sockets.listen(Integer.parseInt(words[0]), c -> c.pipeline().addLast(new EchoOrigin(echoed)));
            Thread.currentThread().join();
        }
    }
}
