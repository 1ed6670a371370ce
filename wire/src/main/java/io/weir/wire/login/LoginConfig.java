package io.weir.wire.login;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;

/**
 * The key {@code messaging.wire.logins}: how logins are checked. Immutable; the current values are read at each use.
 */
public record LoginConfig(
        @Knob(
                doc = "Clients that may connect without a user name, as guest. auto: those on this machine while no"
                        + " user exists (./weir passwd); local: those on this machine always; off: none.",
                value = "auto",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "anonymous access")
        Guests guests,

        @Knob(
                doc = "Failed logins after which a user name is refused at that address without a check of the"
                        + " password; one is forgiven each forgive-after."
                        + " Rule of thumb: the default; more where many clients share an address and a name.",
                value = "5",
                unit = "logins",
                min = "1",
                max = "10000",
                dynamic = true,
                watch = "weir_wire_logins_total",
                knownAs = "LockoutThreshold")
        int failuresPerUser,

        @Knob(
                doc = "Failed logins after which an address is refused whatever the user name; one is forgiven each"
                        + " forgive-after."
                        + " Rule of thumb: the default; more behind a gateway that hides many clients.",
                value = "50",
                unit = "logins",
                min = "1",
                max = "100000",
                dynamic = true,
                watch = "weir_wire_logins_total")
        int failuresPerAddress,

        @Knob(
                doc = "Time after which one failed login of a user name or an address is forgiven."
                        + " Raise it to slow down guessing; lower it when users who mistyped are refused"
                        + " for too long. It costs nothing. Rule of thumb: the default, six guesses a"
                        + " minute once the failures are used up.",
                value = "10s",
                min = "10ms",
                max = "1h",
                dynamic = true,
                watch = "weir_wire_logins_total",
                knownAs = "LockoutResetDuration")
        Duration forgiveAfter,

        @Knob(
                doc = "Logins that may wait for the check of their password, which is slow on purpose; further ones are"
                        + " refused and told to retry later."
                        + " Raise it when many clients reconnect at once. Rule of thumb: the checks of a few"
                        + " seconds.",
                value = "100",
                unit = "logins",
                min = "1",
                max = "100000",
                watch = "weir_wire_logins_waiting")
        int queue,

        @Knob(
                doc = "Time for which a successful login is cached, so that further logins skip the slow password"
                        + " check. A change of the realm takes effect at once; 0 checks every login in full."
                        + " Rule of thumb: the default.",
                value = "10m",
                min = "0s",
                max = "1d",
                dynamic = true,
                watch = "weir_wire_logins_total",
                knownAs = "CacheTTL")
        Duration remember) {

    /** Which clients may connect without a user name. */
    public enum Guests {
        AUTO,
        LOCAL,
        OFF
    }
}
