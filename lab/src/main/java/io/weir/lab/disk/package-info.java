/** A disk in memory that reproduces the worst behaviour of disks, repeatably. */
@NullMarked
package io.weir.lab.disk;

import org.jspecify.annotations.NullMarked;
