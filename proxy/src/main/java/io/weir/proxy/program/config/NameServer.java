package io.weir.proxy.program.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Reads the addresses of {@code proxy.dns.servers}. Stateless. */
public final class NameServer {
    private static final int DNS_PORT = 53;

    private NameServer() {}

    /**
     * Parses the address of a name server: an IPv4 address, an IPv6 address with or without brackets, either with a
     * port after a colon (IPv6 then in brackets).
     *
     * @throws IllegalArgumentException saying what was expected; names are not accepted, since nothing could resolve
     *     them
     */
    public static InetSocketAddress parse(String text) {
        InetAddress whole = NetUtil.createInetAddressFromIpAddressString(text);
        int colon = text.lastIndexOf(':');
        if (whole != null) {
            return new InetSocketAddress(whole, DNS_PORT);
        }
        @Nullable
        InetAddress address = colon < 0 ? null : NetUtil.createInetAddressFromIpAddressString(text.substring(0, colon));
        String port = text.substring(colon + 1);
        if (address == null
                || !port.matches("[0-9]{1,5}")
                || Integer.parseInt(port) < 1
                || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(
                    "expected an address with or without port, such as 10.0.0.2:5353, found \"" + text + "\"");
        }
        return new InetSocketAddress(address, Integer.parseInt(port));
    }
}
