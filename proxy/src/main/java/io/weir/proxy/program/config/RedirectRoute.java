package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import org.jspecify.annotations.Nullable;

/** {@code routes[].redirect}. Immutable. */
public record RedirectRoute(
        @Knob(
                doc = "Target URL, for all requests.",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "redirect url")
        @Nullable
        String url,

        @Knob(
                doc = "Start of the target URL; the path after the matched prefix, and the query, are appended.",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "redirect url-prefix")
        @Nullable
        String urlPrefix,

        @Knob(
                doc = "Status of the redirect.",
                value = "302",
                min = "301",
                max = "308",
                dynamic = true,
                watch = "weir_http_responses_total")
        int status) {}
