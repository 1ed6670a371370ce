/** Producers: sends that wait for their answer, one-way sends and those with a completion listener. */
@NullMarked
package io.weir.jms.client.producer;

import org.jspecify.annotations.NullMarked;
