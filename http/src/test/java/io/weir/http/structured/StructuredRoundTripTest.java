package io.weir.http.structured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.base.Chance;
import io.weir.http.structured.BareItem.Bool;
import io.weir.http.structured.BareItem.Bytes;
import io.weir.http.structured.BareItem.Date;
import io.weir.http.structured.BareItem.Decimal;
import io.weir.http.structured.BareItem.Display;
import io.weir.http.structured.BareItem.Int;
import io.weir.http.structured.BareItem.Text;
import io.weir.http.structured.BareItem.Token;
import io.weir.http.structured.Member.InnerList;
import io.weir.http.structured.Member.Item;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9651 4.1: what is written is read back, and what is read is written in its canonical form. */
class StructuredRoundTripTest {

    private static final String TOKEN = "abcXYZ019!#$%&'*+-.^_`|~:/";
    private static final String KEY = "abcxyz019_-.*";

    private static String pick(RandomGenerator random, String first, String chars) {
        StringBuilder out = new StringBuilder().append(first.charAt(random.nextInt(first.length())));
        for (int n = random.nextInt(8); n > 0; n--) {
            out.append(chars.charAt(random.nextInt(chars.length())));
        }
        return out.toString();
    }

    private static String text(RandomGenerator random, int from, int to) {
        StringBuilder out = new StringBuilder();
        for (int n = random.nextInt(10); n > 0; n--) {
            out.append((char) random.nextInt(from, to));
        }
        return out.toString();
    }

    private static BareItem bare(RandomGenerator random) {
        long any = random.nextLong(-BareItem.MAX_INTEGER, BareItem.MAX_INTEGER + 1) >> random.nextInt(50);
        return switch (random.nextInt(8)) {
            case 0 -> new Int(any);
            case 1 -> new Decimal(any);
            case 2 -> new Text(text(random, 0x20, 0x7f));
            case 3 -> new Token(pick(random, "aZ*", TOKEN));
            case 4 -> new Bytes(text(random, 0, 256));
            case 5 -> random.nextBoolean() ? Bool.TRUE : Bool.FALSE;
            case 6 -> new Date(any);
            default -> new Display(text(random, 0, 0xd800));
        };
    }

    private static Map<String, BareItem> parameters(RandomGenerator random) {
        Map<String, BareItem> parameters = new LinkedHashMap<>();
        for (int n = random.nextInt(4) - 1; n > 0; n--) {
            parameters.put(pick(random, "az*", KEY), bare(random));
        }
        return parameters;
    }

    private static Item item(RandomGenerator random) {
        return new Item(bare(random), parameters(random));
    }

    private static Member member(RandomGenerator random) {
        if (random.nextInt(3) > 0) {
            return item(random);
        }
        List<Item> items = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
            items.add(item(random));
        }
        return new InnerList(items, parameters(random));
    }

    @Test
    void itemsAreReadBack() throws StructuredSyntaxException {
        var random = Chance.seeded(9651).random();
        for (int i = 0; i < 20_000; i++) {
            Item item = item(random);
            String text = StructuredSerializer.write(item);
            assertThat(StructuredParser.parseItem(text)).as(text).isEqualTo(item);
        }
    }

    @Test
    void listsAreReadBackInOrder() throws StructuredSyntaxException {
        var random = Chance.seeded(9652).random();
        for (int i = 0; i < 5_000; i++) {
            List<Member> members = new ArrayList<>();
            for (int n = random.nextInt(5); n > 0; n--) {
                members.add(member(random));
            }
            String text = StructuredSerializer.write(members);
            assertThat(StructuredParser.parseList(text)).as(text).isEqualTo(members);
        }
    }

    @Test
    void dictionariesAreReadBackInOrder() throws StructuredSyntaxException {
        var random = Chance.seeded(9653).random();
        for (int i = 0; i < 5_000; i++) {
            Map<String, Member> members = new LinkedHashMap<>();
            for (int n = random.nextInt(5); n > 0; n--) {
                members.put(pick(random, "az*", KEY), member(random));
            }
            String text = StructuredSerializer.write(members);
            Map<String, Member> parsed = StructuredParser.parseDictionary(text);
            assertThat(parsed).as(text).isEqualTo(members);
            assertThat(List.copyOf(parsed.keySet())).isEqualTo(List.copyOf(members.keySet()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "0042;a=?1;  b=?0 ~ 42;a;b=?0",
                "1.500 ~ 1.5",
                "-0.0 ~ 0.0",
                "-0.010 ~ -0.01",
                ":aGVsbG8: ~ :aGVsbG8=:",
                "\"a\\\"b\" ~ \"a\\\"b\"",
                "%\"%41%c3%bc\" ~ %\"A%c3%bc\"",
                "@00 ~ @0",
            })
    void writesTheCanonicalForm(String text, String canonical) throws StructuredSyntaxException {
        assertThat(StructuredSerializer.write(StructuredParser.parseItem(text))).isEqualTo(canonical);
    }

    @Test
    void listsAndDictionariesAreJoinedByCommaAndSpace() throws StructuredSyntaxException {
        assertThat(StructuredSerializer.write(StructuredParser.parseList("a,b ,\t(1   2);x=?1")))
                .isEqualTo("a, b, (1 2);x");
        assertThat(StructuredSerializer.write(StructuredParser.parseDictionary("a=?1;q=1,b=2,c=?0")))
                .isEqualTo("a;q=1, b=2, c=?0");
        assertThat(StructuredSerializer.write(List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir", "Weir 7", "7", "a\"b\\c", "", "w\r\nX: y", "\u00fc", "cache.example.com:80"})
    void anyNameMakesAValidItem(String text) throws StructuredSyntaxException {
        String name = StructuredSerializer.name(text);
        assertThat(StructuredParser.parseList(name + "; hit").getFirst().parameters())
                .containsKey("hit");
        assertThat(name).doesNotContain("\r", "\n");
    }

    @Test
    void whatNoFieldCanCarryIsRefusedWhenItIsMade() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Int(BareItem.MAX_INTEGER + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Decimal(-BareItem.MAX_INTEGER - 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Date(Long.MAX_VALUE));
        assertThatIllegalArgumentException().isThrownBy(() -> new Text("a\r\nb"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Token("1a"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Bytes("\u0100"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Display("\ud800"));
        Map<String, Member> wrongKey = Map.of("A", new Item(Bool.TRUE));
        assertThatIllegalArgumentException().isThrownBy(() -> StructuredSerializer.write(wrongKey));
    }
}
