/** What was promised to senders and what arrived: the books that crashes are checked against. */
@NullMarked
package io.weir.lab.ledger;

import org.jspecify.annotations.NullMarked;
