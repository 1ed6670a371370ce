package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.Objects;

/**
 * An entry of {@code messaging.connection-factories}: the settings that applications get by looking it up. Immutable; a
 * live change applies to later look-ups.
 */
public record ConnectionFactoryConfig(
        @Knob(
                doc = "Name under which clients look it up; empty: jms/ followed by its name.",
                knownAs = "JNDIName",
                unwatched = Unwatched.NAME)
        String jndiName,

        @Knob(doc = "How messages reach its consumers.") ClientParamsConfig client,
        @Knob(doc = "Defaults of its producers.") DeliveryParamsConfig delivery,

        @Knob(doc = "One-way sends: sends that wait for no answer.")
        FlowParamsConfig flow,

        @Knob(doc = "Transactions of transaction managers.") TransactionParamsConfig transaction) {
    public ConnectionFactoryConfig {
        // empty if not configured
        jndiName = Objects.requireNonNullElse(jndiName, "");
    }
}
