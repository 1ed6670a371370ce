package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fuzzes decoders and encoder: whatever comes, they do not throw, report the same for every cut, and what they accept
 * is, written again, decoded to the same. Seeds that once found a bug stay in {@link #SEEDS}.
 */
@Tag("slow")
class CodecFuzzTest {
    private static final long[] SEEDS = {7, 1999, 20261121, -1, 0xBAD5EED, 8080, 100213};
    private static final List<Corpus.Entry> CORPUS = Corpus.all();

    @Test
    void brokenMessagesOfTheCorpusKeepTheInvariants() {
        for (long seed : SEEDS) breakCorpus(seed, 5);
    }

    @Test
    void madeMessagesAreAcceptedAndKeepTheInvariants() {
        for (long seed : SEEDS) make(seed, 500);
    }

    @Test
    void brokenMadeMessagesKeepTheInvariants() {
        for (long seed : SEEDS) breakMade(seed, 1000);
    }

    @Test
    @Tag("nightly")
    void thousandsOfSeedsKeepTheInvariants() {
        for (long seed = 100_000; seed < 101_000; seed++) {
            breakCorpus(seed, 5);
            make(seed, 100);
            breakMade(seed, 200);
        }
    }

    private static void breakCorpus(long seed, int rounds) {
        MessageMaker maker = new MessageMaker(seed);
        for (int round = 0; round < rounds; round++) {
            for (Corpus.Entry entry : CORPUS)
                check(maker, entry.side(), entry.method(), maker.broken(entry.bytes()), seed);
        }
    }

    private static void make(long seed, int rounds) {
        MessageMaker maker = new MessageMaker(seed);
        for (int round = 0; round < rounds; round++) {
            Transcript requests = check(maker, Side.REQUEST, Method.GET, maker.requests(), seed);
            assertThat(requests.fault())
                    .as("seed %d round %d: %s", seed, round, requests)
                    .isNull();
            Transcript responses = check(maker, Side.RESPONSE, Method.GET, maker.responses(), seed);
            assertThat(responses.fault())
                    .as("seed %d round %d: %s", seed, round, responses)
                    .isNull();
        }
    }

    private static void breakMade(long seed, int rounds) {
        MessageMaker maker = new MessageMaker(~seed);
        for (int round = 0; round < rounds; round++) {
            check(maker, Side.REQUEST, Method.GET, maker.broken(maker.requests()), seed);
            check(maker, Side.RESPONSE, Method.GET, maker.broken(maker.responses()), seed);
        }
    }

    private static Transcript check(MessageMaker maker, Side side, Method method, byte[] message, long seed) {
        Transcript whole = Transcript.of(side, method, DecoderLimits.DEFAULT, message);
        int cut = maker.below(message.length + 1);
        Transcript split = Transcript.of(side, method, DecoderLimits.DEFAULT, Transcript.cut(message, cut));
        assertSame(split.toString(), whole.toString(), message, seed, "cut at " + cut);
        Transcript bytewise = Transcript.of(side, method, DecoderLimits.DEFAULT, Transcript.bytewise(message));
        assertSame(bytewise.toString(), whole.toString(), message, seed, "bytewise");
        Transcript again = Transcript.of(side, method, DecoderLimits.DEFAULT, whole.encoded());
        assertSame(again.completed(), whole.completed(), message, seed, "encoded again");
        assertThat(again.fault()).as("seed %d: %s", seed, again).isNull();
        return whole;
    }

    private static void assertSame(String found, String expected, byte[] message, long seed, String how) {
        if (found.equals(expected)) return;
        String text = Ascii.string(message, 0, message.length);
        assertThat(found).as("seed %d, %s:\n%s", seed, how, text).isEqualTo(expected);
    }
}
