package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;

/** What a connection factory has to do with transactions (WebLogic's TransactionParams). Immutable. */
public record TransactionParamsConfig(
        @Knob(
                doc =
                        "Whether a look-up gives an XA connection factory, whose sessions take part in the transactions of"
                                + " a transaction manager. It creates ordinary connections, too.",
                value = "off",
                unwatched = Unwatched.MEANING,
                dynamic = true,
                knownAs = "XAConnectionFactoryEnabled")
        boolean xaConnectionFactoryEnabled) {}
