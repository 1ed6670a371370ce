package io.weir.lab.load;

import java.io.IOException;

/** {@link LoadOrigin} in a process of its own, at the port that it is given, until it is ended. Stateless. */
public final class LoadOriginCommand {
    private LoadOriginCommand() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        try (LoadOrigin origin = new LoadOrigin(Integer.parseInt(words[0]))) {
            System.out.println("origin at " + origin.port());
            Thread.currentThread().join();
        }
    }
}
