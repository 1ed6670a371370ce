/** What clients saw of a cluster, and whether one cluster could have shown it: histories, models and their checkers. */
@NullMarked
package io.weir.lab.history;

import org.jspecify.annotations.NullMarked;
