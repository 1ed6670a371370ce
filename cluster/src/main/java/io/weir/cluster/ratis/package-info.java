/** The members' log over Apache Ratis: the only package that depends on its classes. */
@NullMarked
package io.weir.cluster.ratis;

import org.jspecify.annotations.NullMarked;
