/**
 * A messaging load independent of providers: it uses only the Jakarta Messaging API and JNDI. Runs in a separate JVM
 * with one provider's client on its class path; {@code ./weir bench jms} drives it over standard input.
 */
@NullMarked
package io.weir.lab.jmsload;

import org.jspecify.annotations.NullMarked;
