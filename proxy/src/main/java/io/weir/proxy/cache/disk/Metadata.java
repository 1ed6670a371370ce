package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.weir.http.Version;
import io.weir.http.caching.Freshness;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.StoredHead;
import io.weir.proxy.cache.store.StoredObject;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store knows of an answer beside its head and body. Immutable.
 *
 * @param from the addresses that it was fetched from; null: from a configured origin
 * @param connections that body and head were read from
 */
record Metadata(
        StoredHead layout,
        Freshness freshness,
        Vary vary,
        @Nullable FetchedFrom from,
        SourceConnection.Numbers connections) {
    // the format: new ones are added at the ends
    private static final List<Version> VERSIONS = List.of(Version.HTTP_1_0, Version.HTTP_1_1, Version.HTTP_2);
    private static final List<Freshness.Source> SOURCES = List.of(
            Freshness.Source.S_MAXAGE,
            Freshness.Source.MAX_AGE,
            Freshness.Source.EXPIRES,
            Freshness.Source.HEURISTIC,
            Freshness.Source.NONE);
    private static final int NO_ADDRESSES = 255;
    private static final int OF_PARENT = 254;

    static Metadata of(StoredObject object, SourceConnection.Numbers connections) {
        return new Metadata(object.headLayout(), object.freshness(), object.vary(), object.from(), connections);
    }

    void write(ByteBuf out) {
        out.writeShortLE(layout.status());
        out.writeByte(VERSIONS.indexOf(layout.received()));
        out.writeIntLE(layout.fieldsStart()).writeIntLE(layout.notModifiedEnd()).writeIntLE(layout.length());
        out.writeLongLE(freshness.lifetime()).writeByte(SOURCES.indexOf(freshness.source()));
        out.writeLongLE(freshness.initialAge()).writeLongLE(freshness.responseMillis());
        out.writeLongLE(freshness.staleAtMillis());
        out.writeBoolean(freshness.validateAlways()).writeBoolean(freshness.staleForbidden());
        out.writeLongLE(freshness.staleWhileRevalidate()).writeLongLE(freshness.staleIfError());
        out.writeLongLE(connections.body()).writeLongLE(connections.head());
        names(out, vary);
        addresses(out);
    }

    static void names(ByteBuf out, Vary vary) {
        byte[] names = String.join(",", vary.names()).getBytes(StandardCharsets.ISO_8859_1);
        out.writeShortLE(names.length).writeBytes(names);
    }

    static Vary names(ByteBuf in) {
        String names = in.readCharSequence(in.readUnsignedShortLE(), StandardCharsets.ISO_8859_1)
                .toString();
        return names.isEmpty() ? Vary.NONE : Vary.parse(names);
    }

    private void addresses(ByteBuf out) {
        FetchedFrom known = from;
        if (known == null) {
            out.writeByte(NO_ADDRESSES);
        } else if (known == FetchedFrom.PARENT) {
            out.writeByte(OF_PARENT);
        } else {
            List<InetAddress> all = known.addresses();
            out.writeByte(all.size());
            for (InetAddress address : all) {
                byte[] bytes = address.getAddress();
                out.writeByte(bytes.length).writeBytes(bytes);
            }
        }
    }

    /** Reads what was written and whose checksum was right. */
    static Metadata read(ByteBuf in) {
        int status = in.readUnsignedShortLE();
        Version received = VERSIONS.get(in.readUnsignedByte());
        StoredHead layout = new StoredHead(status, in.readIntLE(), in.readIntLE(), in.readIntLE(), received);
        Freshness freshness = new Freshness(
                in.readLongLE(),
                SOURCES.get(in.readUnsignedByte()),
                in.readLongLE(),
                in.readLongLE(),
                in.readLongLE(),
                in.readBoolean(),
                in.readBoolean(),
                in.readLongLE(),
                in.readLongLE());
        SourceConnection.Numbers connections = new SourceConnection.Numbers(in.readLongLE(), in.readLongLE());
        return new Metadata(layout, freshness, names(in), readAddresses(in), connections);
    }

    private static @Nullable FetchedFrom readAddresses(ByteBuf in) {
        int n = in.readUnsignedByte();
        if (n == NO_ADDRESSES) {
            return null;
        }
        if (n == OF_PARENT) {
            return FetchedFrom.PARENT;
        }
        List<InetAddress> all = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            byte[] bytes = new byte[in.readUnsignedByte()];
            in.readBytes(bytes);
            try {
                all.add(InetAddress.getByAddress(bytes));
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("not an address: " + bytes.length + " bytes", e);
            }
        }
        return FetchedFrom.of(all);
    }
}
