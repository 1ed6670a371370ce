package io.weir.jms.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.WireReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/wire.md says of messaging what the code does: a written frame is walked by the forms of its row. */
class DocumentTest {
    private static final Pattern ROW = Pattern.compile(
            "^\\| 0x([2-5][0-9a-f]) \\| ([A-Z_]+) \\| (client|server) \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern FORM =
            Pattern.compile("`(u8|u16|u32|u64|i32|i64|text\\??|destination|block|section|range\\+|varint|branch\\*?)`");
    private static final DestinationName QUEUE = new DestinationName(DestinationKind.QUEUE, "orders");

    private static String document() throws IOException {
        return Files.readString(Path.of("../docs/wire.md"));
    }

    private static Map<Integer, Consumer<ByteBuf>> samples() {
        Map<Integer, Consumer<ByteBuf>> all = new TreeMap<>();
        all.put(FrameType.CONNECTION_START, out -> {});
        all.put(FrameType.CONNECTION_STOP, new ClientFrames.Plain(1)::write);
        all.put(FrameType.SET_CLIENT_ID, new ClientFrames.SetClientId(1, true, "id")::write);
        all.put(FrameType.OPEN_SESSION, new ClientFrames.OpenSession(1, 1, 10, -1, false, -1)::write);
        all.put(FrameType.CLOSE_SESSION, new ClientFrames.Undo(1, 2)::write);
        all.put(FrameType.OPEN_CONSUMER, new ClientFrames.OpenConsumer(1, 2, QUEUE, "a", 3, "s")::write);
        all.put(FrameType.CLOSE_CONSUMER, new ClientFrames.CloseConsumer(1, 2, 3)::write);
        all.put(FrameType.CONSUMER_MODE, new ClientFrames.ConsumerMode(1, 1)::write);
        all.put(FrameType.RECEIVE, new ClientFrames.Receive(1, 2, -1, 3, 4)::write);
        all.put(FrameType.CANCEL_RECEIVE, new ClientFrames.Plain(1)::write);
        all.put(FrameType.SEND, out -> SendFrame.writeHead(out, 1, 2, 3, 4, QUEUE));
        all.put(FrameType.ACK, out -> AckFrame.write(out, 1, 2, 0));
        all.put(FrameType.CREDIT, out -> CreditFrame.write(out, 1, 2));
        all.put(FrameType.RECOVER, new ClientFrames.Undo(1, 2)::write);
        all.put(FrameType.SYNC, new ClientFrames.Plain(1)::write);
        all.put(FrameType.COMMIT, new ClientFrames.Plain(1)::write);
        all.put(FrameType.ROLLBACK, new ClientFrames.Undo(1, 2)::write);
        all.put(FrameType.UNSUBSCRIBE, new ClientFrames.Unsubscribe(1, "s")::write);
        all.put(
                FrameType.CREATE_TEMPORARY,
                new ClientFrames.CreateTemporary(1, DestinationKind.TEMPORARY_QUEUE)::write);
        all.put(FrameType.DELETE_TEMPORARY, new ClientFrames.DeleteTemporary(1, QUEUE)::write);
        all.put(FrameType.BROWSE, new ClientFrames.Browse(1, QUEUE, null, 2, 3, 4)::write);
        all.put(FrameType.CHECK_DESTINATION, new ClientFrames.CheckDestination(1, QUEUE)::write);
        all.put(FrameType.SETTLE, out -> AckFrame.write(out.writeInt(1), 1, 2, 0));
        all.put(
                FrameType.BRANCH,
                new BranchFrames.Request(1, BranchFrames.Operation.START, 0, 30, new BranchId(1, "ab", ""))::write);
        all.put(FrameType.OK, new BrokerFrames.Ok(1, "t", 2)::write);
        all.put(FrameType.REFUSED, new BrokerFrames.Refused(1, RefusalCode.STORE, "t")::write);
        all.put(FrameType.DELIVER, out -> DeliverFrame.writeHead(out, 1, 2, 0, 1));
        all.put(FrameType.RECEIVE_DONE, out -> BrokerFrames.ReceiveDone.write(out, 1, 2));
        all.put(FrameType.CONSUMER_CLOSED, new BrokerFrames.ConsumerClosed(1, RefusalCode.CLOSED, "t")::write);
        all.put(FrameType.CONNECTION_ERROR, new BrokerFrames.ConnectionError(RefusalCode.CLOSED, "t")::write);
        all.put(FrameType.ONE_WAY_FAILED, new BrokerFrames.OneWayFailed(1, 2, RefusalCode.STORE, "t")::write);
        all.put(FrameType.BROWSE_DONE, new BrokerFrames.BrowseDone(1, 2, 3)::write);
        all.put(FrameType.BRANCH_DONE, new BranchFrames.Done(1, 0, "", 0, List.of(new BranchId(1, "ab", "cd")))::write);
        return all;
    }

    private static void walk(String forms, ByteBuf in) {
        for (MatchResult form : FORM.matcher(forms).results().toList()) {
            switch (form.group(1)) {
                case "u8" -> WireReader.u8(in);
                case "u32", "i32" -> WireReader.i32(in);
                case "u64", "i64" -> WireReader.i64(in);
                case "text" -> WireReader.text(in);
                case "text?" -> WireReader.optionalText(in);
                case "destination" -> DestinationName.read(in);
                case "branch" -> BranchId.read(in);
                case "branch*" -> {
                    // as many as the form before says: the sample has one
                    BranchId.read(in);
                }
                case "varint" -> WireReader.varint(in);
                case "section" -> WireReader.skip(in, WireReader.length32(in));
                case "block", "range+" -> {
                    // a block is walked by its own table, a range by the forms after it
                }
                default -> throw new AssertionError(form.group(1));
            }
        }
        WireReader.end(in);
    }

    @Test
    void everyFrameIsDescribedAsItIsWritten() throws IOException {
        Map<Integer, String> rows = new LinkedHashMap<>();
        ROW.matcher(document())
                .results()
                .forEach(r -> rows.put(Integer.parseInt(r.group(1), 16), r.group(2) + r.group(4)));
        assertThat(rows.keySet()).containsExactlyElementsOf(samples().keySet());
        samples().forEach((type, write) -> {
            String row = rows.getOrDefault(type, "");
            assertThat(row).startsWith(FrameType.name(type));
            ByteBuf out = Unpooled.buffer();
            write.accept(out);
            walk(row, out);
        });
    }

    @Test
    void theBlockIsDescribedAsItIsWritten() throws IOException {
        String table = document().substring(document().indexOf("| bytes | field |"));
        List<String> forms = new ArrayList<>();
        Pattern.compile("^\\| (`[a-z0-9]+`) \\|", Pattern.MULTILINE)
                .matcher(table)
                .results()
                .forEach(r -> forms.add(r.group(1)));
        walk(String.join(" ", forms), Blocks.of(MessageViewTest.fullHead(), MessageViewTest.everyKind(), new byte[5]));
    }

    @Test
    void everyRefusalIsDescribed() throws IOException {
        List<String> described = Pattern.compile("^\\| (\\d+) \\| ([A-Z_]+) \\|", Pattern.MULTILINE)
                .matcher(document())
                .results()
                .map(r -> r.group(1) + " " + r.group(2))
                .toList();
        List<String> known = new ArrayList<>();
        for (RefusalCode code : RefusalCode.values()) {
            known.add(code.code() + " " + code);
        }
        assertThat(described).isEqualTo(known);
    }
}
