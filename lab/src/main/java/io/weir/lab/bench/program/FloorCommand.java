package io.weir.lab.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ResourceLeakDetector;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A floor in a separate process: {@code answer}, {@code relay} or {@code http2}, a folder with a certificate, and for
 * each thing to serve {@code WHAT:PORT:TLSPORT}, where WHAT is the size of an answer or the port that is relayed to.
 * Ends with its process. Stateless.
 */
public final class FloorCommand {
    private FloorCommand() {}

    public static void main(String[] words) throws Exception {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try (Sockets sockets = new Sockets()) {
            for (String word : Arrays.asList(words).subList(2, words.length)) {
                open(sockets, words[0], Path.of(words[1]), Spec.of(word));
            }
            Thread.currentThread().join();
        }
    }

    /** What is served at which ports. */
    record Spec(int what, int plain, int tls) {
        static Spec of(String word) {
            String[] numbers = word.split(":", -1);
            return new Spec(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
        }

        String word() {
            return what + ":" + plain + ":" + tls;
        }
    }

    static void open(Sockets sockets, String floor, Path keys, Spec spec) throws Exception {
        SslContext tls = Sockets.tls(keys, floor.equals("http2"));
        Consumer<Channel> pipeline = pipeline(floor, spec.what);
        sockets.listen(spec.tls, channel -> {
            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
            pipeline.accept(channel);
        });
        sockets.listen(spec.plain, pipeline);
    }

    private static Consumer<Channel> pipeline(String floor, int what) {
        return switch (floor) {
            case "answer" -> {
                ByteBuf answer = BareAnswer.of(what);
                yield channel -> channel.pipeline().addLast(new BareAnswer(answer));
            }
            case "http2" -> {
                ByteBuf body = BareHttp2.body(what);
                yield channel -> channel.pipeline().addLast(BareHttp2.with(body));
            }
            case "relay" ->
                channel -> {
                    BareRelay relay = BareRelay.to(what);
                    channel.pipeline().addLast(relay);
                    relay.begin(channel);
                };
            default -> throw new IllegalArgumentException("no floor is named " + floor);
        };
    }
}
