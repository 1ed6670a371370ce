/** Monitoring and administration for operators: figures, browsing, moving and deleting messages, pausing. */
@NullMarked
package io.weir.broker.admin;

import org.jspecify.annotations.NullMarked;
