/** Clients' observations of a cluster, and whether they are consistent: histories, models and their checkers. */
@NullMarked
package io.weir.lab.history;

import org.jspecify.annotations.NullMarked;
