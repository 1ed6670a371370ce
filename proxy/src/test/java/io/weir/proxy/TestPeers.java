package io.weir.proxy;

import io.weir.proxy.members.MemberPeers;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** Members that do not authenticate each other; this one has followed five purges of log 1. */
final class TestPeers implements MemberPeers {
    @Override
    public @Nullable SSLEngine client(String host, int port) {
        return null;
    }

    @Override
    public String position() {
        return "1-5";
    }

    @Override
    public boolean reached(String position) {
        return position.equals("1-5");
    }
}
