package io.weir.proxy.accesslog;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;

/**
 * Prints what a record costs the loop that appends it, by format, and what it would cost to leave the formatting to the
 * writer: the loop would copy the values that a record is made from, and the writer make the same record from the copy.
 * CPU time of one thread, nanoseconds a record, the median of eleven rounds that take turns. Not a test: run it on the
 * tests' class path.
 */
public final class RecordMeasure {
    private static final int RECORDS = 200_000;
    private static final int ROUNDS = 11;
    private static final int RING = 1 << 20;

    private RecordMeasure() {}

    public static void main(String[] arguments) {
        for (String format : new String[] {"common", "extended-2", "json"}) {
            AccessLogConfig config = config(format);
            Loop now = new Loop(config);
            Copying copying = new Copying(config);
            double[][] nanos = new double[2][ROUNDS];
            double[] copy = new double[ROUNDS];
            for (int i = -5; i < ROUNDS; i++) {
                double appended = now.round();
                double copied = copying.copies();
                double both = copied + copying.records();
                if (i >= 0) {
                    nanos[0][i] = appended;
                    nanos[1][i] = both;
                    copy[i] = copied;
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-10s  appended by the loop %4.0f; copied by the loop %4.0f and made by the writer, together %4.0f"
                            + " ns/record%n",
                    format,
                    median(nanos[0]),
                    median(copy),
                    median(nanos[1]));
        }
    }

    private static AccessLogConfig config(String format) {
        ConfigNode.Place at = ConfigNode.Place.of("measure");
        return new ConfigBinder()
                .bind(
                        ConfigNode.Mapping.empty(at).with("format", new ConfigNode.Scalar(at, format)),
                        AccessLogConfig.class);
    }

    private static double median(double[] of) {
        Arrays.sort(of);
        return of[of.length / 2];
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** As it is: the record is made and appended, and the writer moves it. */
    private static final class Loop {
        private final LogLane lane;
        private final ByteBuffer into = ByteBuffer.allocateDirect(RING);
        private final Known source = new Known();

        Loop(AccessLogConfig config) {
            RecordFormat format = format(config);
            lane = new LogLane(
                    LogTarget.of("measure", config),
                    format,
                    new LogClock(SystemClock.INSTANCE, ZoneOffset.UTC),
                    RING,
                    8192,
                    () -> {},
                    AccessLogCounters.of(new Stats(), "measure"));
        }

        double round() {
            long before = cpu();
            for (int i = 0; i < RECORDS; i++) {
                source.next();
                lane.append(source);
                if ((i & 1023) == 0) {
                    into.clear();
                    while (lane.drain(into) > 0) {
                        into.clear();
                    }
                }
            }
            return (cpu() - before) / (double) RECORDS;
        }
    }

    private static RecordFormat format(AccessLogConfig config) {
        RecordFormat format = RecordFormat.of(config);
        if (format == null) {
            throw new IllegalArgumentException("off");
        }
        return format;
    }

    /** As it might be: values with their lengths into a ring, and the record from there. */
    private static final class Copying {
        private final RecordFormat format;
        private final byte[] ring = new byte[RING];
        private final ByteBuffer values = ByteBuffer.wrap(ring);
        private final LogClock clock = new LogClock(SystemClock.INSTANCE, ZoneOffset.UTC);
        private final RecordText text = new RecordText(8192);
        private final ByteBuffer into = ByteBuffer.allocateDirect(RING);
        private final Known source = new Known();
        private int records;

        Copying(AccessLogConfig config) {
            format = format(config);
        }

        double copies() {
            long before = cpu();
            records = 0;
            for (int i = 0; i < RECORDS; i++) {
                source.next();
                if (values.remaining() < 1024) {
                    values.clear();
                    records = 0;
                }
                values.putLong(SystemClock.INSTANCE.millis());
                source.copy(values);
                records++;
            }
            return (cpu() - before) / (double) RECORDS;
        }

        /** What is left of the round's copies is turned into records again and again. */
        double records() {
            long before = cpu();
            int done = 0;
            Known read = new Known();
            while (done < RECORDS) {
                values.position(0);
                for (int i = 0; i < records && done < RECORDS; i++, done++) {
                    values.getLong();
                    read.read(values, ring);
                    text.clear();
                    format.write(read, clock, text);
                    text.endLine();
                    if (into.remaining() < text.length()) {
                        into.clear();
                    }
                    into.put(text.bytes(), 0, text.length());
                }
            }
            return (cpu() - before) / (double) RECORDS;
        }
    }

    /** A request of a browser, its values as an exchange has them: slices of bytes, numbers, and texts made once. */
    private static final class Known implements LogSource {
        private static final int NUMBERS = 11;

        private byte[] head = String.join(
                        "\r\n",
                        "GET /images/2026/11/header-large.jpg?v=1763769600 HTTP/1.1",
                        "Host: www.example.com",
                        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                        "Referer: https://www.example.com/news/index.html",
                        "",
                        "")
                .getBytes(StandardCharsets.US_ASCII);
        private final long[] numbers = new long[NUMBERS];
        private static final String CLIENT = "192.0.2.117";
        private static final String METHOD = "GET";
        private static final String VERSION = "HTTP/1.1";
        private static final String ROUTE = "ORIGIN(http://10.0.0.5:8000)";
        private static final String CACHE = "NO-CACHE";
        private static final String SERVER = "default";
        private int from;
        private int clientAt = -1;
        private int routeAt = -1;
        private int target = 4;
        private int targetEnd = 49;
        private int n;

        void next() {
            n++;
            numbers[0] = 200;
            numbers[1] = 13_000L + (n & 4095);
            numbers[2] = 200;
            numbers[3] = numbers[1];
            numbers[5] = 412;
            numbers[6] = 301;
            numbers[7] = 498;
            numbers[8] = 288;
            numbers[10] = 700L + (n & 1023);
        }

        void copy(ByteBuffer out) {
            for (long number : numbers) {
                out.putLong(number);
            }
            out.putInt(head.length).put(head);
            text(CLIENT, out);
            text(ROUTE, out);
        }

        /** The texts that are one of a few would be copied as a number. */
        private static void text(String text, ByteBuffer out) {
            out.putInt(text.length());
            for (int i = 0; i < text.length(); i++) {
                out.put((byte) text.charAt(i));
            }
        }

        void read(ByteBuffer in, byte[] ring) {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = in.getLong();
            }
            int length = in.getInt();
            head = ring;
            from = in.position();
            in.position(from + length);
            clientAt = text(in);
            routeAt = text(in);
        }

        /** Where it begins, behind its length. */
        private static int text(ByteBuffer in) {
            int at = in.position();
            int length = in.getInt();
            in.position(at + 4 + length);
            return at;
        }

        private void copied(int at, RecordText out) {
            int length = ByteBuffer.wrap(head).getInt(at);
            out.append(head, at + 4, at + 4 + length);
        }

        private static int number(LogVariable v) {
            return switch (v) {
                case STATUS -> 0;
                case CONTENT_LENGTH -> 1;
                case REMOTE_STATUS -> 2;
                case R2P_CL -> 3;
                case P2R_CL -> 4;
                case C2P_HL -> 5;
                case P2C_HL -> 6;
                case P2R_HL -> 7;
                case R2P_HL -> 8;
                case XFER_TIME -> 9;
                case DURATION -> 10;
                default -> -1;
            };
        }

        @Override
        public int logStatus() {
            return 200;
        }

        @Override
        public void logValue(LogVariable v, RecordText out) {
            int number = number(v);
            if (number >= 0) {
                out.append(numbers[number]);
                return;
            }
            switch (v) {
                case CLIENT_IP -> {
                    if (clientAt < 0) {
                        out.append(CLIENT);
                    } else {
                        copied(clientAt, out);
                    }
                }
                case REQUEST_LINE -> {
                    out.append(METHOD).append(' ').append(head, from + target, from + targetEnd);
                    out.append(' ').append(VERSION);
                }
                case METHOD -> out.append(METHOD);
                case URI -> out.append(head, from + target, from + 35);
                case QUERY -> out.append(head, from + 36, from + targetEnd);
                case PROTOCOL -> out.append(VERSION);
                case ACTUAL_ROUTE -> {
                    if (routeAt < 0) {
                        out.append(ROUTE);
                    } else {
                        copied(routeAt, out);
                    }
                }
                case CLI_STATUS, SVR_STATUS -> out.append("FIN");
                case CCH_STATUS -> out.append(CACHE);
                case VSID -> out.append(SERVER);
                case REQUEST_ID -> out.append("mh4k2a9c-1x");
                default -> {
                    // not known
                }
            }
        }

        @Override
        public void logRequestField(String name, RecordText out) {
            switch (name) {
                case "host" -> out.append(head, from + 67, from + 82);
                case "user-agent" -> out.append(head, from + 96, from + 165);
                case "referer" -> out.append(head, from + 176, from + 215);
                default -> {
                    // not sent
                }
            }
        }

        @Override
        public void logCookie(String name, RecordText out) {}

        @Override
        public void logResponseField(String name, RecordText out) {}

        @Override
        public void logVariable(String name, RecordText out) {}
    }
}
