package io.weir.proxy.program.run;

import io.weir.http.Fields;
import io.weir.proxy.function.HeaderEdits;

/**
 * The head of an origin's answer as functions of Filter and Output see it. Confined to the run's loop.
 *
 * @param fields must not be modified: functions change the answer by {@link RunValues#outputEdits(HeaderEdits)}
 */
public record OriginAnswer(int status, Fields fields) {}
