package io.weir.lab.scenario;

import io.weir.base.SystemClock;
import io.weir.lab.bench.process.Child;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * An nginx as an origin of HTTP/2 over TLS, which says in what version it was asked, has a large file, and passes WebSockets on
 * to an echo. It does not offer extended CONNECT. Live until closed.
 */
final class NginxOrigin implements AutoCloseable {
    static final int LARGE = 8 << 20;

    private final ServerSocket echo = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final Child nginx;

    NginxOrigin(Path program, int port, Path folder, Map<String, String> tls) throws Exception {
        Files.createDirectories(folder.resolve("www"));
        Files.write(folder.resolve("www/large"), new byte[LARGE]);
        Path config = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                worker_processes 1;
                user root;
                pid nginx.pid;
                error_log nginx-error.log;
                events { worker_connections 64; }
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  server {
                    listen 127.0.0.1:%d ssl http2;
                    ssl_certificate %s;
                    ssl_certificate_key %s;
                    root %s/www;
                    location /origin/version { return 200 "$server_protocol $request_method"; }
                    location /origin/large { alias %s/www/large; }
                    location /origin/chat {
                      proxy_pass http://127.0.0.1:%d;
                      proxy_http_version 1.1;
                      proxy_set_header Upgrade $http_upgrade;
                      proxy_set_header Connection "upgrade";
                      proxy_set_header X-Version $server_protocol;
                    }
                  }
                }
                """.formatted(
                        port, tls.get("certificate"), tls.get("key"), folder, folder, echo.getLocalPort()));
        Thread.ofVirtual().start(this::accept);
        List<String> command = List.of(program.toString(), "-p", folder.toString(), "-c", config.toString());
        nginx = Child.start("nginx", command, folder, port, SystemClock.INSTANCE);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = echo.accept();
                Thread.ofVirtual().start(() -> echo(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    /** Agrees to the example of RFC 6455 section 1.3, says how it was asked, then repeats what it hears. */
    private static void echo(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            String version = head.toString().contains("X-Version: HTTP/1.1\r\n") ? "HTTP/1.1" : "other";
            out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nX-Version: " + version
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            in.transferTo(out);
        } catch (IOException e) {
            // the other side is gone
        }
    }

    @Override
    public void close() throws IOException {
        nginx.close();
        echo.close();
    }
}
