package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While a server drains, connections to it are refused at once. */
@Tag("slow")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StopRefusesTest {
    private static final int PATIENCE_MILLIS = 120_000;

    @TempDir
    Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void connectionsAreRefusedAsSoonAsADrainBegins(int processes) throws Exception {
        try (ServerSocket origin = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ProcessLauncher.Running weir = start(processes, origin.getLocalPort());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), weir.port("http"))) {
            List<Integer> ports = List.of(weir.port("http"), weir.port("second"), weir.port("jms"));
            send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            try (Socket asked = origin.accept()) {
                weir.stop();
                for (int port : ports) {
                    assertThat(Servers.within(PATIENCE_MILLIS, () -> refused(port)))
                            .as("port %d is closed while the drain waits", port)
                            .isTrue();
                }
                assertThat(weir.alive()).isTrue();
                send(asked, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                client.setSoTimeout(PATIENCE_MILLIS);
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200")
                        .endsWith("ok");
            }
            assertThat(weir.exit()).isZero();
        }
    }

    private ProcessLauncher.Running start(int processes, int originPort) throws Exception {
        Path config = Servers.reverse(
                folder, originPort, "kernel: {drain-time-out: 5m}\nserver: {processes: " + processes + "}\n");
        Files.writeString(config, Files.readString(config).replace("listeners:\n", """
                listeners:
                  second: {address: 127.0.0.1, port: 0}
                  jms: {address: 127.0.0.1, port: 0, protocol: weir}
                """));
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }

    private static void send(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean refused(int port) throws IOException {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }
}
