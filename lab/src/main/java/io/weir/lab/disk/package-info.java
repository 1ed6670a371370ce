/** A disk in memory that does what disks do at their worst, repeatably. */
@NullMarked
package io.weir.lab.disk;

import org.jspecify.annotations.NullMarked;
