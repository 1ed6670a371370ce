package io.weir.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Decodes every message of the corpus, whole and cut in every way. */
class CorpusTest {
    private static final long[] SEEDS = {1, 20261121, 0x5EED, 42};
    private static final List<Corpus.Entry> ALL = Corpus.all();

    @Test
    void everyInvalidMessageIsRefusedForTheReasonInItsName() {
        List<String> wrong = new ArrayList<>();
        for (Corpus.Entry entry : ALL) {
            if (entry.valid()) continue;
            Fault fault = entry.decode().fault();
            if (fault == null || !fault.label().equals(entry.reason())) wrong.add(entry + " -> " + entry.decode());
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyValidMessageDecodesToItsRecord() throws IOException {
        Path records = Corpus.path("/corpus/valid");
        for (Corpus.Entry entry : ALL) {
            if (!entry.valid()) continue;
            Path record = records.resolve(entry.side().name().toLowerCase(Locale.ROOT))
                    .resolve(entry.name() + ".txt");
            assertThat(record).as("record of %s:\n%s", entry, entry.decode()).exists();
            String expected = Files.readString(record, StandardCharsets.ISO_8859_1);
            assertThat(entry.decode()).as(entry.toString()).hasToString(expected);
        }
    }

    @Test
    void everyFaultHasAMessageInTheCorpus() {
        Set<String> shown = ALL.stream()
                .filter(entry -> !entry.valid())
                .map(Corpus.Entry::reason)
                .collect(Collectors.toSet());
        for (Fault fault : EnumSet.allOf(Fault.class)) assertThat(shown).contains(fault.label());
    }

    @Test
    void faultsOfRequestsCarryTheirStatusAndThoseOfResponses502() {
        for (Corpus.Entry entry : ALL) {
            if (entry.valid()) continue;
            ProtocolFault fault = requireNonNull(entry.decode().protocolFault());
            int expected = entry.side() == Side.REQUEST ? fault.reason().status() : 502;
            assertThat(fault.status()).as(entry.toString()).isEqualTo(expected);
            assertThat(fault.closes()).isTrue();
        }
    }

    @Test
    void everyCutIntoTwoGivesTheSame() {
        for (Corpus.Entry entry : ALL) {
            String whole = entry.decode().toString();
            byte[] bytes = entry.bytes();
            for (int cut = 1; cut < bytes.length; cut++) {
                String split = entry.decode(Transcript.cut(bytes, cut)).toString();
                if (!split.equals(whole))
                    assertThat(split).as("%s cut at %d", entry, cut).isEqualTo(whole);
            }
        }
    }

    @Test
    void oneByteAtATimeGivesTheSame() {
        for (Corpus.Entry entry : ALL) {
            assertThat(entry.decode(Transcript.bytewise(entry.bytes())).toString())
                    .as(entry.toString())
                    .isEqualTo(entry.decode().toString());
        }
    }

    @Test
    void randomCutsIntoThreeGiveTheSame() {
        for (long seed : SEEDS) {
            Chance chance = Chance.seeded(seed);
            for (Corpus.Entry entry : ALL) {
                byte[] bytes = entry.bytes();
                int first = chance.random().nextInt(bytes.length + 1);
                int second = chance.random().nextInt(first, bytes.length + 1);
                assertThat(entry.decode(Transcript.cut(bytes, first, second)).toString())
                        .as("%s cut at %d and %d, seed %d", entry, first, second, seed)
                        .isEqualTo(entry.decode().toString());
            }
        }
    }
}
