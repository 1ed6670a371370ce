package io.weir.server.migrate;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Starts nginx or Squid for a comparison. Stateless. */
final class PeerProcess {
    private PeerProcess() {}

    static NginxPeerTest.Peer start(String program, int port, Path folder, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(find(program).toString());
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        while (!accepts(port)) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IOException(program + " ended: " + Files.readString(folder.resolve("out")));
            }
        }
        return new NginxPeerTest.Peer(process);
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Path find(String program) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Stream.concat(Arrays.stream(path.split(":", -1)), Stream.of("/usr/sbin"))
                .map(d -> Path.of(d).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> missing(program));
    }

    private static Path missing(String program) {
        String message = program + " is not installed: its translation is not compared with it";
        if (System.getenv("WEIR_CI") != null) {
            throw new AssertionError(message);
        }
        return Assumptions.<Path>abort(message);
    }
}
