/** The settings of connection factories, and the modes of sessions. */
@NullMarked
package io.weir.jms.client.settings;

import org.jspecify.annotations.NullMarked;
