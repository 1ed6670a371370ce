/** The simplified API: contexts, and the producers and consumers that are made of them. */
@NullMarked
package io.weir.jms.client.context;

import org.jspecify.annotations.NullMarked;
