/** Room for messages: quotas, the sends that wait for it, and the bound on memory that counts beside them. */
@NullMarked
package io.weir.broker.quota;

import org.jspecify.annotations.NullMarked;
