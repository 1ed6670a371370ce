/** What a connection factory is set to, and the modes of sessions. */
@NullMarked
package io.weir.jms.client.settings;

import org.jspecify.annotations.NullMarked;
