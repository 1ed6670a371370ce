package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.proxy.function.Stage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A function that a route runs: an entry of a route's {@code functions}. Immutable. */
public record FunctionRoute(
        @Knob(
                doc = "Its name: one that Weir brings, or one of proxy.function-jars.",
                required = true,
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "fn")
        String name,

        @Knob(
                doc = "When it runs; needed where it can stand in several stages.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        @Nullable
        Stage stage,

        @Knob(
                doc = "Work manager whose threads it runs on. Without one, a function that says that it blocks runs on"
                        + " that of the route, any other on the request's muxer, where it must not block. A full one"
                        + " is a 503.",
                dynamic = true,
                watch = "weir_work_refused_total",
                knownAs = "pool")
        @Nullable
        String workManager,

        @Knob(
                doc =
                        "Request class of its work; without one that of the route, or on another work manager that one's.",
                dynamic = true,
                watch = "weir_request_class_waiting")
        @Nullable
        String requestClass,

        @Knob(
                doc = "Its parameters by name, as the function declares them.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        Map<String, String> parameters) {}
