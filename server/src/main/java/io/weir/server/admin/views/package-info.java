/**
 * What operators ask and change over HTTP, each of one subject: knobs, caches, access logs, certificates, messaging,
 * damage. The cluster's are in room-mate {@code cluster}, statistics in {@code monitor} and {@code history}.
 */
@NullMarked
package io.weir.server.admin.views;

import org.jspecify.annotations.NullMarked;
