package io.weir.proxy.members;

import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** What the cluster provides for requests between members' caches. Called from any thread; never blocks. */
public interface MemberPeers {
    /** None: this server is alone. */
    MemberPeers NONE = new MemberPeers() {
        @Override
        public @Nullable SSLEngine client(String host, int port) {
            return null;
        }

        @Override
        public String position() {
            return "";
        }

        @Override
        public boolean reached(String position) {
            return false;
        }
    };

    /** For a connection to another member; null: without TLS. */
    @Nullable
    SSLEngine client(String host, int port);

    /** How far this member's cache has followed the cluster's purges, as text for {@link #reached}. */
    String position();

    /** Whether this member's cache has followed the purges as far as the one that asks. */
    boolean reached(String position);
}
