package io.weir.lab.bench.program;

import io.netty.util.ResourceLeakDetector;
import io.weir.base.SystemClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * {@link EchoLoad} in a separate process, which stays warm between turns: reads {@link EchoPlan}s and prints
 * {@code found units seconds disturbed refused} for each until its input ends. Stateless.
 */
public final class EchoLoadCommand {
    private EchoLoadCommand() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), System.out);
    }

    static void serve(BufferedReader orders, PrintStream out) throws IOException, InterruptedException {
        try (Sockets sockets = new Sockets()) {
            out.println("ready");
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                out.println(EchoLoad.run(EchoPlan.of(line), sockets, SystemClock.INSTANCE)
                        .line());
                out.flush();
            }
        }
    }
}
