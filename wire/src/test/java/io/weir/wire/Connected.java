package io.weir.wire;

import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Credentials;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client's connection to a test server, logged in as nobody. */
public record Connected(Recorder handler) {
    public Connected(WireClient client, TestServer server) {
        this(connect(client, server, Credentials.NONE, ClientOptions.DEFAULT));
    }

    public static Recorder connect(WireClient client, TestServer server, Credentials who, ClientOptions options) {
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
