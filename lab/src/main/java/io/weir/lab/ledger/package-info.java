/** What was guaranteed to senders and what arrived: the ledger against which crashes are checked. */
@NullMarked
package io.weir.lab.ledger;

import org.jspecify.annotations.NullMarked;
