package io.weir.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client's connection to a test server, logged in as nobody. */
record Connected(Recorder handler) {
    Connected(WireClient client, TestServer server) {
        this(connect(client, server, Credentials.NONE, ClientOptions.DEFAULT));
    }

    static Recorder connect(WireClient client, TestServer server, Credentials who, ClientOptions options) {
        CompletableFuture<Recorder> made = new CompletableFuture<>();
        client.connect(server.addresses(), who, options, c -> {
                    Recorder r = new Recorder(c);
                    made.complete(r);
                    return r;
                })
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        return made.join();
    }
}
