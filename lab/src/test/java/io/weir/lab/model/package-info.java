/** Random operations of messaging, compared message by message with a model of what was promised. */
@NullMarked
package io.weir.lab.model;

import org.jspecify.annotations.NullMarked;
