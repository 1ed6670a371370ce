package io.weir.proxy.pool;

import io.weir.base.Spelled;

/** The method of an active check. */
public enum CheckMethod implements Spelled {
    GET,
    HEAD,
    OPTIONS;

    @Override
    public String spelling() {
        return name();
    }
}
