package io.weir.kernel.work;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of {@code request-classes}: how waiting work is ordered in a work manager and in the connection queue
 * (WebLogic's fair-share, response-time and context request classes). Immutable.
 */
public record RequestClassConfig(
        @Knob(
                doc = "Share of thread time, relative to the other classes that have work waiting in the same place: 80"
                        + " beside 20 gets four fifths. Nothing is reserved for a class without work."
                        + " For classes with a deadline use response-time instead. Rule of thumb: 50, and two or"
                        + " four times that for what matters most.",
                value = "50",
                min = "1",
                max = "1000",
                dynamic = true,
                watch = {"weir_request_class_completed_total", "weir_request_class_waiting"},
                knownAs = "fair-share-request-class")
        int fairShare,

        @Knob(
                doc = "Goal for waiting and execution time together, instead of a fair share; 0: none. Relative: under"
                        + " saturation the waiting times of such classes are proportional to their goals minus the"
                        + " execution time; against fair shares, a waiting time of one second weighs 50 and a shorter"
                        + " one more."
                        + " Rule of thumb: the time with which its users are content.",
                value = "0s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_request_class_wait_seconds",
                knownAs = "response-time-request-class goal-ms")
        Duration responseTime,

        @Knob(
                doc = "Chooses another class by the user or group of the request, instead of a share or goal.",
                dynamic = true)
        ContextConfig context) {

    /** The mapping of users and groups to classes. */
    public record ContextConfig(
            @Knob(
                    doc = "Class of each user (variable auth-user).",
                    unwatched = Unwatched.MEANING,
                    knownAs = "context-request-class user-name",
                    dynamic = true)
            Map<String, String> users,

            @Knob(
                    doc = "Class of each group (variable auth-group, names separated by commas; the first that is"
                            + " listed counts), for users that users does not name.",
                    unwatched = Unwatched.MEANING,
                    knownAs = "context-request-class group-name",
                    dynamic = true)
            Map<String, String> groups,

            @Knob(
                    doc = "Class of all other users; without one, that of the work manager.",
                    unwatched = Unwatched.MEANING,
                    dynamic = true)
            @Nullable
            String otherwise) {
        /** Whether the class is selected by context. */
        public boolean given() {
            return !users.isEmpty() || !groups.isEmpty() || otherwise != null;
        }
    }
}
