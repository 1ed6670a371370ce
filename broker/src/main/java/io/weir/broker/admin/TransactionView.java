package io.weir.broker.admin;

import io.weir.broker.xa.Branch;
import java.util.Locale;

/**
 * A branch of a distributed transaction that is in doubt, or that an operator ended. Immutable.
 *
 * @param state prepared, committed or rolled-back, the last two by an operator
 * @param since when it came into that state, in milliseconds since 1970
 * @param sent messages that it sends; 0 after a restart for one that an operator ended
 * @param received messages that it consumed
 */
public record TransactionView(String id, String user, String state, long since, int sent, int received) {
    static TransactionView of(Branch b) {
        return new TransactionView(
                b.id().toString(),
                b.user(),
                b.state().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                b.since(),
                b.sent(),
                b.received());
    }
}
