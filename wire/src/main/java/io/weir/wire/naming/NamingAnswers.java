package io.weir.wire.naming;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFrame;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import io.weir.wire.channel.NamingFrames;
import io.weir.wire.login.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers naming requests on a server's connections from its directory. Shared by all of them; stateless. */
public final class NamingAnswers implements NamingFrames {
    /** Maximum of entries in one response to LIST. */
    static final int MOST_LISTED = 10_000;

    private static final int LONGEST_NAME = 1024;

    private final NamingDirectory directory;

    /** Answers from this directory. */
    public NamingAnswers(NamingDirectory directory) {
        this.directory = directory;
    }

    @Override
    public boolean frame(WireConnection connection, @Nullable WireFrame type, int stream, ByteBuf payload) {
        if (type != WireFrame.LOOKUP && type != WireFrame.LIST) {
            return false;
        }
        int request = WireReader.i32(payload);
        String name = WireReader.text(payload, LONGEST_NAME);
        Principal user = new Principal(connection.user(), connection.groups());
        if (type == WireFrame.LOOKUP) {
            lookup(connection, stream, request, directory.lookup(name, user));
        } else {
            list(connection, stream, request, directory.list(name, user));
        }
        return true;
    }

    private static void lookup(WireConnection connection, int stream, int request, @Nullable NamingEntry entry) {
        WireFrame type = entry == null ? WireFrame.NOT_FOUND : WireFrame.FOUND;
        ByteBuf out = connection.newFrame(type.code(), stream, 256);
        out.writeInt(request);
        if (entry != null) {
            write(out, entry);
        }
        connection.send(out);
    }

    private static void list(WireConnection connection, int stream, int request, List<NamingEntry> entries) {
        int n = Math.min(entries.size(), MOST_LISTED);
        ByteBuf out = connection.newFrame(WireFrame.LISTED.code(), stream, 64 * (n + 1));
        out.writeInt(request);
        int countAt = out.writerIndex();
        out.writeInt(0);
        int written = 0;
        for (NamingEntry entry : entries.subList(0, n)) {
            int before = out.writerIndex();
            write(out, entry);
            if (out.readableBytes() - WireFrame.LENGTH > connection.maxFrame()) {
                out.writerIndex(before);
                break;
            }
            written++;
        }
        out.setInt(countAt, written);
        connection.send(out);
    }

    private static void write(ByteBuf out, NamingEntry entry) {
        WireWriter.text(out, entry.kind());
        WireWriter.text(out, entry.name());
        WireWriter.varint(out, entry.attributes().size());
        for (Map.Entry<String, String> a : entry.attributes().entrySet()) {
            WireWriter.text(out, a.getKey());
            WireWriter.text(out, a.getValue());
        }
    }
}
