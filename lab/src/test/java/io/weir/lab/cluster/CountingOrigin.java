package io.weir.lab.cluster;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An origin whose answers may be stored for long, and name the path and the number of the request. Shared. */
final class CountingOrigin extends CountedOrigin {
    CountingOrigin() throws IOException {
        start();
    }

    @Override
    void answer(HttpExchange exchange, String path, int number) throws IOException {
        exchange.getResponseHeaders().set("Cache-Control", "max-age=3600");
        byte[] body = (path + " " + number).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }
}
