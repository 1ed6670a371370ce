/** The samples, run as their READMEs say, by real servers. */
@NullMarked
package io.weir.lab.samples;

import org.jspecify.annotations.NullMarked;
