package io.weir.http.structured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9651 3 and 4.2. */
class StructuredParserTest {

    private static BareItem bare(String text) throws StructuredSyntaxException {
        return StructuredParser.parseItem(text).value();
    }

    private static void refused(String text) {
        assertThatExceptionOfType(StructuredSyntaxException.class)
                .as(text)
                .isThrownBy(() -> StructuredParser.parseItem(text))
                .satisfies(e -> assertThat(e.position()).isBetween(0, text.length()));
    }

    @Test
    void integersHaveUpToFifteenDigits() throws StructuredSyntaxException {
        assertThat(bare("42")).isEqualTo(new Int(42));
        assertThat(bare("-0")).isEqualTo(new Int(0));
        assertThat(bare("  -42  ")).isEqualTo(new Int(-42));
        assertThat(bare("0042")).isEqualTo(new Int(42));
        assertThat(bare("999999999999999")).isEqualTo(new Int(BareItem.MAX_INTEGER));
        assertThat(bare("-999999999999999")).isEqualTo(new Int(-BareItem.MAX_INTEGER));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "-", "--1", "+1", "1a", "1 2", "1,2", "1000000000000000", "- 1", "1\t", "\t1", "\u0661"
            })
    void otherNumbersAreRefused(String text) {
        refused(text);
    }

    @Test
    void decimalsHaveTwelveAndThreeDigits() throws StructuredSyntaxException {
        assertThat(bare("1.5")).isEqualTo(new Decimal(1500));
        assertThat(bare("-1.05")).isEqualTo(new Decimal(-1050));
        assertThat(bare("-0.0")).isEqualTo(new Decimal(0));
        assertThat(bare("0.001")).isEqualTo(new Decimal(1));
        assertThat(bare("999999999999.999")).isEqualTo(new Decimal(999_999_999_999_999L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.", ".1", "1.1234", "1000000000000.0", "1.2.3", "1.-1", "1. 5", "1.5e3"})
    void otherDecimalsAreRefused(String text) {
        refused(text);
    }

    @Test
    void stringsEscapeQuoteAndBackslashAlone() throws StructuredSyntaxException {
        assertThat(bare("\"\"")).isEqualTo(new Text(""));
        assertThat(bare("\"a \\\"b\\\\ c\"")).isEqualTo(new Text("a \"b\\ c"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"",
                "\"a",
                "\"a\\\"",
                "\"\\a\"",
                "\"\\",
                "\"a\tb\"",
                "\"\u00fc\"",
                "\"\u007f\"",
                "'a'",
                "\"a\" b"
            })
    void otherStringsAreRefused(String text) {
        refused(text);
    }

    @Test
    void tokensStartWithALetterOrAStar() throws StructuredSyntaxException {
        assertThat(bare("a")).isEqualTo(new Token("a"));
        assertThat(bare("*foo123/456")).isEqualTo(new Token("*foo123/456"));
        assertThat(bare("A:b/c!#$%&'*+-.^_`|~9")).isEqualTo(new Token("A:b/c!#$%&'*+-.^_`|~9"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"_a", "!a", "a b", "a,b", "a(", "/a", "a\u00fc", "a=b", "[a]", "{", "a\\"})
    void otherTokensAreRefused(String text) {
        refused(text);
    }

    @Test
    void byteSequencesAreBase64BetweenColons() throws StructuredSyntaxException {
        assertThat(bare(":cHJldGVuZCB0aGlzIGlzIGJpbmFyeSBjb250ZW50Lg==:"))
                .isEqualTo(Bytes.of("pretend this is binary content.".getBytes(StandardCharsets.US_ASCII)));
        assertThat(bare("::")).isEqualTo(Bytes.of(new byte[0]));
        assertThat(bare(":aGVsbG8:")).isEqualTo(new Bytes("hello"));
        assertThat(((Bytes) bare(":/wA=:")).toArray()).containsExactly(-1, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {":", ":aGVsbG8=", ":a_-:", ":aGVs bG8=:", ":a:", ":aGVsbG8=!:", ":=:", ":aGVsbG8=::"})
    void otherByteSequencesAreRefused(String text) {
        refused(text);
    }

    @Test
    void booleansAreZeroOrOne() throws StructuredSyntaxException {
        assertThat(bare("?1")).isEqualTo(Bool.TRUE);
        assertThat(bare("?0")).isEqualTo(Bool.FALSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", "?2", "?T", "?true", "?10", "? 1", "true?"})
    void otherBooleansAreRefused(String text) {
        refused(text);
    }

    @Test
    void datesAreIntegers() throws StructuredSyntaxException {
        assertThat(bare("@1659578233")).isEqualTo(new Date(1_659_578_233L));
        assertThat(bare("@-1")).isEqualTo(new Date(-1));
        assertThat(bare("@0")).isEqualTo(new Date(0));
        assertThat(bare("@999999999999999")).isEqualTo(new Date(BareItem.MAX_INTEGER));
        assertThat(bare("@-999999999999999")).isEqualTo(new Date(-BareItem.MAX_INTEGER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"@", "@1.5", "@a", "@@1", "@ 1", "@1000000000000000"})
    void otherDatesAreRefused(String text) {
        refused(text);
    }

    @Test
    void displayStringsArePercentEncodedUtf8() throws StructuredSyntaxException {
        assertThat(bare("%\"This is intended for display to %c3%bcsers.\""))
                .isEqualTo(new Display("This is intended for display to \u00fcsers."));
        assertThat(bare("%\"%22%25\\\"")).isEqualTo(new Display("\"%\\"));
        assertThat(bare("%\"%f0%9f%98%80\"")).isEqualTo(new Display("\ud83d\ude00"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%",
                "%\"",
                "%a",
                "% \"a\"",
                "%\"%\"",
                "%\"%C3%BC\"",
                "%\"%c3\"",
                "%\"%ff\"",
                "%\"%zz\"",
                "%\"%2",
                "%\"\u00fc\"",
                "%\"a\tb\"",
                "%\"%ed%a0%80\"",
                "%\"%c0%80\""
            })
    void otherDisplayStringsAreRefused(String text) {
        refused(text);
    }

    @Test
    void parametersKeepTheirOrderAndTheLastValue() throws StructuredSyntaxException {
        Item item = StructuredParser.parseItem("text/html;charset=utf-8; q=0.5;b;*c.d-e_f=?0;q=1");
        assertThat(item.value()).isEqualTo(new Token("text/html"));
        assertThat(item.parameters())
                .containsExactly(
                        Map.entry("charset", new Token("utf-8")),
                        Map.entry("q", new Int(1)),
                        Map.entry("b", Bool.TRUE),
                        Map.entry("*c.d-e_f", Bool.FALSE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;", "a; ", "a;B=1", "a;1", "a;b=", "a;b =1", "a;b= 1", "a ;b", "a;;b", "a;\tb", "a;b=(1)", "a;-b"
            })
    void otherParametersAreRefused(String text) {
        refused(text);
    }

    @Test
    void listsHoldItemsAndInnerLists() throws StructuredSyntaxException {
        List<Member> members = StructuredParser.parseList("sugar, tea;a=1 ,\t(\"foo\" \"bar\";x);lvl=5,()");
        assertThat(members)
                .containsExactly(
                        new Item(new Token("sugar")),
                        new Item(new Token("tea"), Map.of("a", new Int(1))),
                        new InnerList(
                                List.of(new Item(new Text("foo")), new Item(new Text("bar"), Map.of("x", Bool.TRUE))),
                                Map.of("lvl", new Int(5))),
                        new InnerList(List.of(), Map.of()));
        assertThat(StructuredParser.parseList("")).isEmpty();
        assertThat(StructuredParser.parseList("  ")).isEmpty();
        assertThat(StructuredParser.parseList("(  1   2  )")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "a,",
                "a,,b",
                ",a",
                "a b",
                "a;b c",
                "(a",
                "(a,b)",
                "(a))",
                "a)",
                "((a))",
                "(a\"b\")",
                "(a\tb)",
                "\ta",
                "(a b",
                "a, ",
                "a,\t"
            })
    void otherListsAreRefused(String text) {
        assertThatExceptionOfType(StructuredSyntaxException.class).isThrownBy(() -> StructuredParser.parseList(text));
    }

    @Test
    void dictionariesKeepTheFirstPlaceAndTheLastValue() throws StructuredSyntaxException {
        Map<String, Member> members = StructuredParser.parseDictionary("a=1, b;x=2,c=?0 , a=(1 2);q , d");
        assertThat(members.keySet()).containsExactly("a", "b", "c", "d");
        assertThat(members.get("a")).isInstanceOf(InnerList.class);
        assertThat(members.get("b")).isEqualTo(new Item(Bool.TRUE, Map.of("x", new Int(2))));
        assertThat(members.get("c")).isEqualTo(new Item(Bool.FALSE));
        assertThat(StructuredParser.parseDictionary("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A=1", "a=", "a =1", "a= 1", "=1", "1=a", "a,", "a,,b", "a b", "a=1 b=2", "\"a\"=1", "a;", "a=1;",
                "(a)=1"
            })
    void otherDictionariesAreRefused(String text) {
        assertThatExceptionOfType(StructuredSyntaxException.class)
                .isThrownBy(() -> StructuredParser.parseDictionary(text));
    }

    @Test
    void membersHaveABound() throws StructuredSyntaxException {
        String full = "a,".repeat(StructuredParser.MAX_MEMBERS - 1) + "a";
        assertThat(StructuredParser.parseList(full)).hasSize(StructuredParser.MAX_MEMBERS);
        assertThatExceptionOfType(StructuredSyntaxException.class)
                .isThrownBy(() -> StructuredParser.parseList(full + ",a"));
        StringBuilder keys = new StringBuilder("k");
        for (int i = 1; i < StructuredParser.MAX_MEMBERS; i++) {
            keys.append(",k").append(i);
        }
        assertThat(StructuredParser.parseDictionary(keys.toString())).hasSize(StructuredParser.MAX_MEMBERS);
        assertThatExceptionOfType(StructuredSyntaxException.class)
                .isThrownBy(() -> StructuredParser.parseDictionary(keys + ",more"));
    }

    @Test
    void innerListsAndParametersHaveABound() throws StructuredSyntaxException {
        String items = "a ".repeat(StructuredParser.MAX_INNER);
        assertThat(StructuredParser.parseList("(" + items + ")")).hasSize(1);
        assertThatExceptionOfType(StructuredSyntaxException.class)
                .isThrownBy(() -> StructuredParser.parseList("(" + items + "a)"));
        StringBuilder parameters = new StringBuilder("a");
        for (int i = 0; i < StructuredParser.MAX_INNER; i++) {
            parameters.append(";p").append(i);
        }
        assertThat(StructuredParser.parseItem(parameters.toString()).parameters())
                .hasSize(StructuredParser.MAX_INNER);
        refused(parameters + ";more");
    }

    @Test
    void aFieldHasALengthBound() throws StructuredSyntaxException {
        String text = "\"" + "a".repeat(StructuredParser.MAX_LENGTH - 2) + "\"";
        assertThat(bare(text)).isInstanceOf(Text.class);
        assertThatExceptionOfType(StructuredSyntaxException.class)
                .isThrownBy(() -> StructuredParser.parseItem(text + " "));
    }
}
