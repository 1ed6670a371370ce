/**
 * Messages that arrived on a link: their consumers, their validity, the reports to the broker about them; transactions.
 */
@NullMarked
package io.weir.jms.client.delivery;

import org.jspecify.annotations.NullMarked;
