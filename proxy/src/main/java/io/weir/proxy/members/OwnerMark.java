package io.weir.proxy.members;

import io.netty.util.NetUtil;
import io.weir.proxy.cache.store.FetchedFrom;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an owner tells with its answer: that it is the cache's or the origin's and not an error of the owner itself, and
 * where it was fetched from, which determines the clients that may get it. Stateless.
 */
public final class OwnerMark {
    private static final String CONFIGURED = "configured";
    private static final String PARENT = "parent";

    private OwnerMark() {}

    @SuppressWarnings("ReferenceEquality") // identity: there is one such object
    public static String text(@Nullable FetchedFrom from) {
        if (from == null) {
            return CONFIGURED;
        }
        return from == FetchedFrom.PARENT
                ? PARENT
                : from.addresses().stream().map(InetAddress::getHostAddress).collect(Collectors.joining(","));
    }

    /**
     * Reads it.
     *
     * @return null: a configured origin
     * @throws IllegalArgumentException if it is malformed
     */
    public static @Nullable FetchedFrom read(String text) {
        if (text.equals(CONFIGURED)) {
            return null;
        }
        if (text.equals(PARENT)) {
            return FetchedFrom.PARENT;
        }
        List<InetAddress> addresses = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            addresses.add(address(part));
        }
        if (addresses.size() > FetchedFrom.MOST) {
            throw new IllegalArgumentException("too many addresses: " + text);
        }
        return FetchedFrom.of(addresses);
    }

    /** An address literal; no name is looked up. */
    static InetAddress address(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        if (bytes == null) {
            throw new IllegalArgumentException("not an address: " + text);
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + text, e);
        }
    }
}
