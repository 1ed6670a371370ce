package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import org.jspecify.annotations.Nullable;

/** {@code routes[].respond}: a fixed answer. Immutable. */
public record RespondRoute(
        @Knob(
                doc = "Status of the answer, 200 to 599; 0: this route gives no fixed answer.",
                value = "0",
                min = "0",
                max = "599",
                dynamic = true,
                watch = "weir_http_responses_total")
        int status,

        @Knob(
                doc = "Body of the answer, at most 64 Ki characters.",
                max = "65536",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        @Nullable
        String body,

        @Knob(
                doc = "Content type of the answer.",
                value = "text/plain; charset=utf-8",
                min = "1",
                max = "256",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        String contentType) {}
