package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.proxy.function.Stage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A function that a route runs: an entry of a route's {@code functions}. Immutable. */
public record FunctionRoute(
        @Knob(
                doc = "Name of the function: a built-in one, or one of proxy.function-jars.",
                required = true,
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "fn")
        String name,

        @Knob(
                doc = "Stage in which it runs; required if the function allows several stages.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        @Nullable
        Stage stage,

        @Knob(
                doc = "Work manager whose threads it runs on. Without one, a function that is declared to block runs on"
                        + " that of the route, any other on the request's muxer, where it must not block. If the work"
                        + " manager is full, the answer is 503.",
                dynamic = true,
                watch = "weir_work_refused_total",
                knownAs = "pool")
        @Nullable
        String workManager,

        @Knob(
                doc = "Request class of its work; without one, that of the route, or with a work manager of its own,"
                        + " that of the work manager.",
                dynamic = true,
                watch = "weir_request_class_waiting")
        @Nullable
        String requestClass,

        @Knob(
                doc =
                        "Function that runs instead if its work manager is full, on the request's muxer, where it must not"
                                + " block; it gets those of the parameters that it declares. Without one, service-toobusy"
                                + " answers 503.",
                dynamic = true,
                watch = "weir_proxy_pool_refusals_total",
                knownAs = "busy")
        @Nullable
        String busy,

        @Knob(
                doc = "Performance bucket in which its calls are counted; see proxy.buckets.",
                dynamic = true,
                watch = "weir_proxy_bucket_invocations_total",
                knownAs = "bucket")
        @Nullable
        String bucket,

        @Knob(
                doc = "Its parameters by name, as the function declares them.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        Map<String, String> parameters) {}
