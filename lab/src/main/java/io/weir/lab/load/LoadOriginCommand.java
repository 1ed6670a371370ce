package io.weir.lab.load;

import java.io.IOException;

/** {@link LoadOrigin} in a separate process, at a given port, until the process is ended. Stateless. */
public final class LoadOriginCommand {
    private LoadOriginCommand() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        try (LoadOrigin origin = new LoadOrigin(Integer.parseInt(words[0]))) {
            System.out.println("origin at " + origin.port());
            Thread.currentThread().join();
        }
    }
}
