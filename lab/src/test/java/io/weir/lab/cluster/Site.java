package io.weir.lab.cluster;

import io.weir.base.KeptPort;
import java.io.IOException;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Where a fleet's members are. */
interface Site {
    /** The address of a member. */
    String host(String member);

    /** The address of a member's admin listener. */
    default String adminHost(String member) {
        return "127.0.0.1";
    }

    /** Words before the command that starts a member. */
    List<String> prefix(String member);

    /** The address of what the members' singleton counts in. */
    String storeHost();

    /** A port for each member's weir listener, in their order. */
    List<Integer> ports() throws IOException;

    /** All on loopback. */
    Site LOOPBACK = new Site() {
        @Override
        public String host(String member) {
            return "127.0.0.1";
        }

        @Override
        public List<String> prefix(String member) {
            return List.of();
        }

        @Override
        public String storeHost() {
            return "127.0.0.1";
        }

        @Override
        public List<Integer> ports() throws IOException {
            Set<Integer> ports = new LinkedHashSet<>();
            while (ports.size() < Fleet.NAMES.size()) {
                ports.add(KeptPort.on(InetAddress.getLoopbackAddress()));
            }
            return List.copyOf(ports);
        }
    };
}
