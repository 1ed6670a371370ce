package io.weir.lab.bench.disk;

import io.weir.base.SystemClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/**
 * {@link ObjectsLoad} in a separate process, until its input ends. Its orders: {@code each PORT CONNECTIONS SIZE FROM
 * COUNT} requests objects one after the other, {@code zipf PORT CONNECTIONS OBJECTS SEED COUNT} those of the mix by
 * popularity, {@code rate PORT CONNECTIONS SIZE FROM OBJECTS COUNT PER_SECOND} so many objects again and again at a steady
 * rate. Confined to its main thread.
 */
public final class ObjectsCommand {
    /** As measured at caches of the web. */
    private static final double EXPONENT = 0.9;

    private ObjectsCommand() {}

    public static void main(String[] words) throws IOException {
        serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), System.out);
    }

    static void serve(BufferedReader orders, PrintStream out) throws IOException {
        out.println("ready");
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String answer;
            try {
                answer = new ObjectsLoad(plan(line.split(" ", -1)), SystemClock.INSTANCE)
                        .run()
                        .line();
            } catch (IOException | RuntimeException e) {
                answer = "failed " + String.valueOf(e).replace('\n', ' ');
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            out.println(answer);
            out.flush();
        }
    }

    static ObjectsLoad.Plan plan(String[] words) throws IOException {
        int port = Integer.parseInt(words[1]);
        int connections = Integer.parseInt(words[2]);
        return switch (words[0]) {
            case "each" -> {
                long from = Long.parseLong(words[4]);
                yield new ObjectsLoad.Plan(
                        port, connections, Long.parseLong(words[5]), 0, i -> ObjectMix.path(words[3], from + i));
            }
            case "zipf" -> {
                int count = Integer.parseInt(words[5]);
                ObjectMix.Draw draw =
                        new ObjectMix.Draw(Integer.parseInt(words[3]), EXPONENT, Long.parseLong(words[4]));
                int[] ids = new int[count];
                for (int i = 0; i < count; i++) {
                    ids[i] = draw.next();
                }
                LongFunction<String> paths = i -> ObjectMix.path(ObjectMix.MIX, ids[(int) i]);
                yield new ObjectsLoad.Plan(port, connections, count, 0, paths);
            }
            case "rate" -> {
                long from = Long.parseLong(words[4]);
                long objects = Long.parseLong(words[5]);
                yield new ObjectsLoad.Plan(
                        port,
                        connections,
                        Long.parseLong(words[6]),
                        Double.parseDouble(words[7]),
                        i -> ObjectMix.path(words[3], from + i % objects));
            }
            default -> throw new IOException("not an order: " + words[0]);
        };
    }
}
