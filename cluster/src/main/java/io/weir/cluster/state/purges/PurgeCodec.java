package io.weir.cluster.state.purges;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Encodes and decodes the log of purges, and commands about it. */
public final class PurgeCodec {
    private PurgeCodec() {}

    public static void write(BytesOut out, int group, PurgeCommand command) {
        switch (command) {
            case PurgeCommand.Add c -> out.u8(group).i64(c.id()).text(c.url(), StateLimits.URL);
            case PurgeCommand.Applied c ->
                out.u8(group | 1).name(c.member()).i64(c.id()).i64(c.upTo());
            case PurgeCommand.Serves c -> out.u8(group | 2).name(c.member()).text(c.address(), StateLimits.NAME);
        }
    }

    public static PurgeCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 -> new PurgeCommand.Add(in.i64(), in.text(StateLimits.URL));
            case 1 -> new PurgeCommand.Applied(in.name(), in.i64(), in.i64());
            case 2 -> new PurgeCommand.Serves(in.name(), in.text(StateLimits.NAME));
            default -> throw BytesIn.unknown(which);
        };
    }

    public static void log(BytesOut out, PurgeLog log) {
        out.i64(log.id()).i64(log.last()).i64(log.floor());
        out.list(log.kept(), StateLimits.PURGES, (o, p) -> o.i64(p.number()).text(p.url(), StateLimits.URL));
        out.list(
                log.applied().entrySet(),
                StateLimits.MEMBERS,
                (o, e) -> o.name(e.getKey()).i64(e.getValue()));
        out.list(
                log.addresses().entrySet(),
                StateLimits.MEMBERS,
                (o, e) -> o.name(e.getKey()).text(e.getValue(), StateLimits.NAME));
    }

    /**
     * Decodes it.
     *
     * @param version of the snapshot: 6 added the addresses
     */
    public static PurgeLog log(BytesIn in, int version) {
        long id = in.i64();
        long last = in.i64();
        long floor = in.i64();
        List<Purge> kept = List.copyOf(in.list(StateLimits.PURGES, i -> new Purge(i.i64(), i.text(StateLimits.URL))));
        TreeMap<String, Long> applied = new TreeMap<>();
        for (Map.Entry<String, Long> e : in.list(StateLimits.MEMBERS, i -> Map.entry(i.name(), i.i64()))) {
            applied.put(e.getKey(), e.getValue());
        }
        TreeMap<String, String> addresses = new TreeMap<>();
        if (version >= 6) {
            for (Map.Entry<String, String> e :
                    in.list(StateLimits.MEMBERS, i -> Map.entry(i.name(), i.text(StateLimits.NAME)))) {
                addresses.put(e.getKey(), e.getValue());
            }
        }
        return new PurgeLog(
                id,
                last,
                floor,
                kept,
                Collections.unmodifiableSortedMap(applied),
                Collections.unmodifiableSortedMap(addresses));
    }
}
