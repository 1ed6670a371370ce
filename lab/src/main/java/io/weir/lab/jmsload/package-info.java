/**
 * A load of messages that knows no provider: the Jakarta Messaging API, JNDI and nothing else. Runs in a JVM of its own with
 * one provider's client on its class path; {@code ./weir bench jms} drives it over standard input.
 */
@NullMarked
package io.weir.lab.jmsload;

import org.jspecify.annotations.NullMarked;
