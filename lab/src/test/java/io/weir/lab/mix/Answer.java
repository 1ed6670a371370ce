package io.weir.lab.mix;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client got for a request, as far as it came. Confined to the client's thread. */
final class Answer {
    /** How it ended. */
    enum End {
        /** All is there. */
        WHOLE,
        /** The connection or stream ended before the answer did; perhaps before it began. */
        CUT,
        /** The client went away. */
        LEFT,
        /** The connection ended behind another answer, as that one said. */
        NEVER_READ
    }

    int status;
    final Map<String, String> fields = new HashMap<>();
    /** Fields of 103s, in order. */
    final List<Map<String, String>> interim = new ArrayList<>();

    final Map<String, String> trailers = new HashMap<>();
    byte[] body = new byte[0];
    End end = End.CUT;
    String how = "";
    /** Whether the connection had carried an answer before. */
    boolean reused;

    @Nullable
    String field(String name) {
        return fields.get(name);
    }

    boolean ends(End as, String why) {
        end = as;
        how = why;
        return as == End.WHOLE;
    }

    @Override
    public String toString() {
        return status + " " + fields + (trailers.isEmpty() ? "" : " trailers " + trailers) + ", " + body.length
                + " bytes, "
                + (status >= 400 ? "\"" + new String(body, StandardCharsets.UTF_8).strip() + "\", " : "") + end
                + (how.isEmpty() ? "" : " (" + how + ")") + (reused ? ", on a kept connection" : "");
    }
}
