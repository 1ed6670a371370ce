/** What the broker reports: its log messages, its statistics, and why it refuses a request. */
@NullMarked
package io.weir.broker.report;

import org.jspecify.annotations.NullMarked;
