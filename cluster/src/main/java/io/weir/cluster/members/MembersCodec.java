package io.weir.cluster.members;

import io.netty.buffer.ByteBuf;
import io.weir.cluster.members.MembersMessage.Change;
import io.weir.cluster.members.MembersMessage.Done;
import io.weir.cluster.members.MembersMessage.Form;
import io.weir.cluster.members.MembersMessage.Introduce;
import io.weir.cluster.members.MembersMessage.Introduced;
import io.weir.cluster.members.MembersMessage.Invite;
import io.weir.cluster.members.MembersMessage.Join;
import io.weir.cluster.members.MembersMessage.Outcome;
import io.weir.cluster.members.MembersMessage.What;
import io.weir.cluster.ratis.RatisPeer;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes the frames between members. Stateless. */
final class MembersCodec {
    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_TEXT = 16 * 1024;
    private static final int MOST = 1000;

    private MembersCodec() {}

    static void send(WireConnection to, int request, MembersMessage message) {
        ByteBuf out = to.newFrame(type(message).code(), 0, 256);
        out.writeInt(request);
        write(out, message);
        to.send(out);
    }

    static MembersFrame type(MembersMessage message) {
        return switch (message) {
            case Introduce _ -> MembersFrame.INTRODUCE;
            case Introduced _ -> MembersFrame.INTRODUCED;
            case Form _ -> MembersFrame.FORM;
            case Join _ -> MembersFrame.JOIN;
            case Invite _ -> MembersFrame.INVITE;
            case Change _ -> MembersFrame.CHANGE;
            case Done _ -> MembersFrame.DONE;
        };
    }

    static void write(ByteBuf out, MembersMessage message) {
        switch (message) {
            case Introduce m -> introduction(out, m.self());
            case Introduced m -> introduction(out, m.self());
            case Join m -> introduction(out, m.self());
            case Form m -> {
                WireWriter.text(out, m.sender());
                uuid(out, m.cluster());
                WireWriter.varint(out, m.peers().size());
                m.peers().forEach(p -> peer(out, p));
            }
            case Invite m -> uuid(out, m.cluster());
            case Change m -> {
                out.writeByte(place(m.what()));
                WireWriter.text(out, m.member());
                WireWriter.text(out, m.address());
            }
            case Done m -> {
                out.writeByte(place(m.outcome()));
                WireWriter.text(out, m.text());
            }
        }
    }

    /** The code of an enum constant in a frame: its position in the declaration. */
    private static int place(Enum<?> one) {
        return List.of(one.getDeclaringClass().getEnumConstants()).indexOf(one);
    }

    private static void introduction(ByteBuf out, Introduction i) {
        WireWriter.text(out, i.clusterName());
        peer(out, i.voter());
        WireWriter.text(out, i.address());
        UUID cluster = i.cluster();
        out.writeByte(cluster == null ? 0 : 1);
        if (cluster != null) {
            uuid(out, cluster);
        }
        WireWriter.optionalText(out, i.leader());
        WireWriter.varint(out, i.names().size());
        i.names().forEach(n -> WireWriter.text(out, n));
    }

    private static void peer(ByteBuf out, RatisPeer p) {
        WireWriter.text(out, p.name());
        uuid(out, p.storage());
        WireWriter.text(out, p.host());
        out.writeShort(p.port()).writeByte(p.witness() ? 1 : 0);
    }

    private static void uuid(ByteBuf out, UUID id) {
        out.writeLong(id.getMostSignificantBits()).writeLong(id.getLeastSignificantBits());
    }

    /** Reads the payload after the request number. */
    static MembersMessage read(MembersFrame type, ByteBuf in) {
        MembersMessage message = switch (type) {
            case INTRODUCE -> new Introduce(introduction(in));
            case INTRODUCED -> new Introduced(introduction(in));
            case JOIN -> new Join(introduction(in));
            case FORM -> new Form(name(in), uuid(in), peers(in));
            case INVITE -> new Invite(uuid(in));
            case CHANGE -> new Change(one(What.values(), in), name(in), name(in));
            case DONE -> new Done(one(Outcome.values(), in), WireReader.text(in, LONGEST_TEXT));
        };
        WireReader.end(in);
        return message;
    }

    private static Introduction introduction(ByteBuf in) {
        String clusterName = name(in);
        RatisPeer voter = peer(in);
        String address = name(in);
        UUID cluster = WireReader.u8(in) == 0 ? null : uuid(in);
        String leader = WireReader.optionalText(in, LONGEST_NAME);
        int n = WireReader.count(in, 1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < bounded(n); i++) {
            names.add(name(in));
        }
        return new Introduction(clusterName, voter, address, cluster, leader, names);
    }

    private static List<RatisPeer> peers(ByteBuf in) {
        int n = WireReader.count(in, 21);
        List<RatisPeer> peers = new ArrayList<>();
        for (int i = 0; i < bounded(n); i++) {
            peers.add(peer(in));
        }
        return peers;
    }

    private static int bounded(int n) {
        if (n > MOST) {
            throw new WireFault(Reason.MALFORMED, n + " members; the maximum is " + MOST);
        }
        return n;
    }

    private static RatisPeer peer(ByteBuf in) {
        return new RatisPeer(name(in), uuid(in), name(in), WireReader.u16(in), WireReader.u8(in) != 0);
    }

    private static String name(ByteBuf in) {
        return WireReader.text(in, LONGEST_NAME);
    }

    private static UUID uuid(ByteBuf in) {
        return new UUID(WireReader.i64(in), WireReader.i64(in));
    }

    private static <T> T one(@Nullable T[] of, ByteBuf in) {
        int i = WireReader.u8(in);
        T one = i < of.length ? of[i] : null;
        if (one == null) {
            throw new WireFault(Reason.MALFORMED, "unknown value in a frame between members: " + i);
        }
        return one;
    }
}
