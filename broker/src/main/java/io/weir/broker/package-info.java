/** The messaging engine: destinations, sessions, dispatch, acknowledgement, redelivery, quotas and transactions. */
@NullMarked
package io.weir.broker;

import org.jspecify.annotations.NullMarked;
