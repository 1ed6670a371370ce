@NullMarked
package io.weir.lab.scenario;

import org.jspecify.annotations.NullMarked;
