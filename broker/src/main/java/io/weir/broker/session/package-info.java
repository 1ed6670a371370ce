/** Connections and their sessions: sends, consumers, acknowledgements, transactions; and the engine that they share. */
@NullMarked
package io.weir.broker.session;

import org.jspecify.annotations.NullMarked;
