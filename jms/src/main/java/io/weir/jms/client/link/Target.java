package io.weir.jms.client.link;

import io.weir.jms.client.settings.ClientKnobs;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;

/**
 * The servers, credentials and settings of a connection. Immutable.
 *
 * @param url the servers; its options are in the knobs already
 */
public record Target(WireUrl url, Credentials credentials, ClientKnobs knobs) {
    /** The servers, for messages. */
    String where() {
        return url.addresses().toString();
    }
}
