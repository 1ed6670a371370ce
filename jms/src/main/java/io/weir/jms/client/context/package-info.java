/** The simplified API: contexts, and the producers and consumers created from them. */
@NullMarked
package io.weir.jms.client.context;

import org.jspecify.annotations.NullMarked;
