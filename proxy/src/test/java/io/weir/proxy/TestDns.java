package io.weir.proxy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A small name server: A records that a test changes; what it does not know does not exist. */
final class TestDns implements AutoCloseable {
    private static final int HEADER = 12;
    private static final int TYPE_A = 1;
    private static final int OK = 0x8180;
    private static final int SERVER_FAILURE = 2;
    private static final int NO_SUCH_NAME = 3;

    private record Records(int ttl, List<InetAddress> addresses) {}

    private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final ConcurrentMap<String, Records> names = new ConcurrentHashMap<>();
    final AtomicInteger queries = new AtomicInteger();
    volatile boolean failing;
    /** Answers wait for it. */
    volatile CountDownLatch goOn = new CountDownLatch(0);

    TestDns() throws IOException {
        Thread.ofVirtual().start(this::serve);
    }

    /** As in {@code proxy.dns.servers}. */
    String server() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    void set(String name, int ttl, String... addresses) {
        names.put(
                name,
                new Records(
                        ttl,
                        java.util.Arrays.stream(addresses).map(TestDns::address).toList()));
    }

    /** From now on there is no such name. */
    void remove(String name) {
        names.remove(name);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getAllByName(text)[0];
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void serve() {
        byte[] buffer = new byte[1500];
        try {
            while (true) {
                DatagramPacket query = new DatagramPacket(buffer, buffer.length);
                socket.receive(query);
                goOn.await();
                byte[] answer = answer(ByteBuffer.wrap(buffer, 0, query.getLength()));
                queries.incrementAndGet();
                socket.send(new DatagramPacket(answer, answer.length, query.getSocketAddress()));
            }
        } catch (IOException | InterruptedException e) {
            // the test is over
        }
    }

    private byte[] answer(ByteBuffer query) {
        int id = query.getShort(0);
        query.position(HEADER);
        StringBuilder name = new StringBuilder();
        for (int n = query.get(); n > 0; n = query.get()) {
            byte[] label = new byte[n];
            query.get(label);
            name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
        }
        int type = query.getShort();
        int questionEnd = query.position() + 2;
        Records known = names.get(name.toString());
        List<InetAddress> found = known == null || failing || type != TYPE_A ? List.of() : known.addresses();
        int code = failing ? SERVER_FAILURE : known == null ? NO_SUCH_NAME : 0;
        ByteBuffer out = ByteBuffer.allocate(1500);
        out.putShort((short) id).putShort((short) (OK | code)).putShort((short) 1);
        out.putShort((short) found.size()).putInt(0);
        out.put(query.duplicate().limit(questionEnd).position(HEADER));
        for (InetAddress a : found) {
            out.putShort((short) 0xc00c).putShort((short) TYPE_A).putShort((short) 1);
            out.putInt(known == null ? 0 : known.ttl()).putShort((short) 4).put(a.getAddress());
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    @Override
    public void close() {
        socket.close();
    }
}
