package io.weir.wire.invoke;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Executing the method twice has the same effect as executing it once: a call whose outcome is unknown, because a
 * connection or a member was lost, may be repeated elsewhere. On an interface it applies to all its methods.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Idempotent {}
