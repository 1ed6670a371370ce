package io.weir.proxy;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** An origin in a process of its own, which can be killed: the JDK's server, which answers "p" to everything. */
final class OriginProcess implements AutoCloseable {
    private final Process process;
    final int port;

    private OriginProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Runs it on a port; 0: on a free one. */
    static OriginProcess start(int port) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(p -> p.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        Process started = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx32m",
                        "-cp",
                        classes,
                        OriginProcess.class.getName(),
                        Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.US_ASCII));
        return new OriginProcess(started, Integer.parseInt(String.valueOf(out.readLine())));
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String... args) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 128);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 1);
                exchange.getResponseBody().write('p');
            }
        });
        server.start();
        System.out.println(server.getAddress().getPort());
        System.out.flush();
    }
}
