package io.weir.proxy.program.run;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The views of the server's state that its administration has, for functions that answer with them. A view is built
 * elsewhere than on the request's loop. Shared.
 */
@FunctionalInterface
public interface ServerViews {
    /** Views of no server: each is an empty text. */
    ServerViews EMPTY = (_, _, done) -> {
        done.accept(new Answer(200, "text/plain; charset=utf-8", new byte[0], Map.of()));
        return true;
    };

    /**
     * What a view answers. Immutable; the body must not be modified.
     *
     * @param fields further header fields
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Answer(int status, String contentType, byte[] body, Map<String, String> fields) {
        public Answer {
            fields = Map.copyOf(fields);
        }
    }

    /**
     * Has a view built.
     *
     * @param path at which the administration has it
     * @param query as received, without its question mark; null: none
     * @param done receives it once, on any thread
     * @return false if as many as may be wait already, or the server is about to stop: nothing will be received
     */
    boolean build(String path, @Nullable String query, Consumer<Answer> done);
}
