package io.weir.proxy;

import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.Owner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Members of a cluster that a proxy asks. Stateless. */
final class TestOwners {
    /** What tells that an answer is another member's. */
    static final String MARK = "Weir-Member-From: configured\r\n";

    static final String ORIGINS = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 6\r\n\r\norigin";
    static final String OWNERS =
            "HTTP/1.1 200 OK\r\n" + MARK + "Cache-Control: max-age=60\r\nAge: 7\r\nContent-Length: 5\r\n\r\nowner";

    private TestOwners() {}

    /** This proxy is member a, and b is at this port. */
    static void owners(TestProxy proxy, int... ports) {
        CacheOwners owners = proxy.proxy.owners();
        owners.join(new TestPeers());
        List<Owner> all = new ArrayList<>(List.of(new Owner("a", false, "127.0.0.1", 1)));
        for (int i = 0; i < ports.length; i++) {
            all.add(new Owner(i == 0 ? "b" : "c", false, "127.0.0.1", ports[i]));
        }
        owners.members("a", all);
    }

    /** A path whose owner is this member. */
    static String ownedBy(TestProxy proxy, String owner, int after) {
        KeyBuilder key = proxy.proxy.cache().newKey();
        for (int i = after; ; i++) {
            key.start(false).host("example.com", 80).path("/" + i);
            if (proxy.proxy.owners().nameOfOwner(key.copy()).equals(owner)) {
                return "/" + i;
            }
        }
    }

    /** The head of an answer with a strong entity tag and ten bytes. */
    static String tagged(String mark) {
        return "HTTP/1.1 200 OK\r\n" + mark + "ETag: \"t\"\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n";
    }

    /** A member that ends within its answer. */
    static TestOrigin half(String control) throws IOException {
        return new TestOrigin((head, in, out) -> {
            TestOrigin.write(out, tagged(MARK).replace("max-age=60", control) + "0123");
            return false;
        });
    }

    /** Answers all requests alike. */
    static TestOrigin.Handler answering(String answer) {
        return (head, in, out) -> {
            TestOrigin.write(out, answer);
            return true;
        };
    }

    /** A member that is silent after these bytes, until its connection is closed. */
    static TestOrigin silentAfter(String bytes) throws IOException {
        return new TestOrigin((head, in, out) -> {
            TestOrigin.write(out, bytes);
            return in.read() >= 0;
        });
    }
}
