package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.jms.WeirConnectionFactory;
import io.weir.journal.Group;
import io.weir.journal.Journal;
import io.weir.journal.Journals;
import io.weir.journal.Payload;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.lab.scenario.Weir;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A start with more stored messages than the memory holds is refused at once with what would do, which then does; one whose messages
 * just fit works, with memory left for the work.
 */
@Tag("slow")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartMemoryTest {
    private static final int MESSAGE = 1;
    private static final int GROUP = 500;
    private static final Pattern ENOUGH = Pattern.compile("Start with (-X\\S+m)( -XX:\\S+m)? or more");

    @TempDir
    Path folder = Path.of("");

    @Test
    void moreMessagesThanTheHeapHoldsAreRefusedWithWhatWouldDoAndThatDoes() throws Exception {
        store(10, 150_000);
        Weir.StartRefused refused = refused("-Xmx64m");
        assertThat(refused).hasMessageContaining("150001 messages").hasMessageContaining("bytes of the heap");
        List<String> enough = enough(refused);
        assertThat(enough).hasSize(1);
        works(150_001, enough.getFirst());
        // it is no figure that always does
        assertThat(refused("-Xmx" + (number(enough.getFirst()) * 85 / 100) + "m"))
                .isNotNull();
    }

    @Test
    @Tag("nightly")
    void aHeapThatDoesNotEvenHoldTheIndexIsRefusedToo() throws Exception {
        store(10, 1_200_000);
        Weir.StartRefused refused = refused("-Xmx48m");
        assertThat(refused).hasMessageContaining("1200001 messages").hasMessageContaining("Not even the index");
    }

    /** The same of the other memory; in the normal run the heap stands for both. */
    @Test
    @Tag("nightly")
    void moreBytesThanDirectMemoryHoldsAreRefusedWithWhatWouldDo() throws Exception {
        store(100_000, 500);
        Weir.StartRefused refused = refused("-Xmx64m", "-XX:MaxDirectMemorySize=48m");
        List<String> enough = enough(refused);
        assertThat(enough).hasSize(1).first().asString().startsWith("-XX:MaxDirectMemorySize=");
        works(501, "-Xmx64m", enough.getFirst());
    }

    @Test
    @Tag("nightly")
    void messagesThatJustFitAreTakenIn() throws Exception {
        // 96 MiB less a survivor space leave 70 MiB of messages at 640 bytes
        store(10, 105_000);
        works(105_001, "-Xmx96m");
    }

    private static int number(String option) {
        return Integer.parseInt(option.replaceAll("\\D", ""));
    }

    private static List<String> enough(Weir.StartRefused refused) {
        Matcher m = ENOUGH.matcher(String.valueOf(refused.getMessage()));
        assertThat(m.find()).as(refused.getMessage()).isTrue();
        List<String> all = new ArrayList<>(List.of(m.group(1)));
        if (m.group(2) != null) {
            all.add(m.group(2).strip());
        }
        return all;
    }

    private Weir.StartRefused refused(String... options) {
        Weir.StartRefused refused = catchThrowableOfType(
                Weir.StartRefused.class, () -> start(options).close());
        assertThat(refused).isNotNull();
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused)
                .hasMessageContaining("the stored messages do not fit the memory")
                .hasMessageNotContaining("OutOfMemoryError");
        return refused;
    }

    /** It starts, delivers, takes more, and does so again. */
    private void works(int messages, String... options) throws Exception {
        try (ProcessLauncher.Running server = start(options)) {
            Counters.Reading read = new Counters(server.port("admin"), SystemClock.INSTANCE).read();
            assertThat(read.sum("weir_jms_memory_messages", "")).isEqualTo(messages);
            try (JMSContext context = factory(server).createContext()) {
                JMSConsumer consumer = context.createConsumer(context.createQueue("q"));
                for (int i = 0; i < 1000 && i < messages; i++) {
                    assertThat(consumer.receive(60_000)).isNotNull();
                }
            }
            assertThat(server.alive()).isTrue();
        }
    }

    /** A data directory with many copies of one stored message, as if they had been sent. */
    private void store(int size, int more) throws Exception {
        try (ProcessLauncher.Running server = start("-Xmx256m");
                JMSContext context = factory(server).createContext()) {
            context.createProducer().send(context.createQueue("q"), new byte[size]);
        }
        AtomicReference<byte[]> sent = new AtomicReference<>();
        Path directory = folder.resolve("data/messaging");
        try (Journal journal = Journals.open(
                BrokerAdmin.JOURNAL,
                directory,
                ConfigBinder.defaults(JournalConfig.class),
                SystemClock.INSTANCE,
                Chance.seeded(1),
                new Stats(),
                new RecordingLog(),
                (_, type, payload) -> keep(sent, type, payload))) {
            Payload payload = Payload.of(sent.get());
            CompletableFuture<@Nullable JournalFault> done = CompletableFuture.completedFuture(null);
            int group = Math.max(1, Math.min(GROUP, 1_000_000 / payload.length()));
            for (int i = 0; i < more; i += group) {
                Group g = journal.group();
                for (int k = i; k < Math.min(more, i + group); k++) {
                    g.add(MESSAGE, payload);
                }
                assertThat(done.get(60, TimeUnit.SECONDS)).isNull();
                done = new CompletableFuture<>();
                journal.submit(g, done::complete);
            }
            assertThat(done.get(60, TimeUnit.SECONDS)).isNull();
        }
    }

    private static void keep(AtomicReference<byte[]> sent, int type, ByteBuffer payload) {
        if (type == MESSAGE) {
            byte[] bytes = new byte[payload.remaining()];
            payload.get(bytes);
            sent.set(bytes);
        }
    }

    private static WeirConnectionFactory factory(ProcessLauncher.Running server) {
        return new WeirConnectionFactory("weir://127.0.0.1:" + server.port("messaging"));
    }

    private ProcessLauncher.Running start(String... options) throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                messaging:
                  queues: {q: {}}
                """);
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Dio.netty.leakDetection.level=disabled"));
        return Servers.launcher()
                .withJvmOptions(all.toArray(String[]::new))
                .start(config, folder.resolve("data"), List.of());
    }
}
