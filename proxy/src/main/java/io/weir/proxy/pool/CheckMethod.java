package io.weir.proxy.pool;

import io.weir.base.Spelled;

/** What an active check asks with. */
public enum CheckMethod implements Spelled {
    GET,
    HEAD,
    OPTIONS;

    @Override
    public String spelling() {
        return name();
    }
}
