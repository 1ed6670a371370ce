package io.weir.broker.session;

import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Client identifiers in use: each by one connection, or by several that all requested unrestricted use. Shared. */
final class ClientIds {
    private record Use(int connections, boolean unrestricted) {}

    private final Map<String, Use> inUse = new ConcurrentHashMap<>();

    /** @throws Refusal if another connection has it */
    void claim(String id, boolean unrestricted) throws RequestRefusal {
        if (id.isBlank()) {
            throw new RequestRefusal(RefusalCode.INVALID_CLIENT_ID, "a client identifier must not be empty");
        }
        boolean[] claimed = {false};
        inUse.compute(id, (_, use) -> {
            if (use == null) {
                claimed[0] = true;
                return new Use(1, unrestricted);
            }
            claimed[0] = unrestricted && use.unrestricted();
            return claimed[0] ? new Use(use.connections() + 1, true) : use;
        });
        if (!claimed[0]) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_CLIENT_ID,
                    "client identifier " + id + " is in use by another connection: close that one, choose another"
                            + " identifier, or set client-id-policy to unrestricted on both");
        }
    }

    void release(String id) {
        inUse.computeIfPresent(
                id, (_, use) -> use.connections() == 1 ? null : new Use(use.connections() - 1, use.unrestricted()));
    }
}
