package io.weir.lab.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

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
            List<ServerSocket> free = new ArrayList<>();
            for (int i = 0; i < Fleet.NAMES.size(); i++) {
                free.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> ports = free.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket s : free) {
                s.close();
            }
            return ports;
        }
    };
}
