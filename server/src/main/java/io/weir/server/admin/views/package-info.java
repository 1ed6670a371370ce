/**
 * What operators query and change over HTTP, a class for each subject: knobs, caches, access logs, certificates,
 * messaging, damage. Those of the cluster are in package {@code cluster}, statistics in {@code monitor} and {@code
 * history}.
 */
@NullMarked
package io.weir.server.admin.views;

import org.jspecify.annotations.NullMarked;
