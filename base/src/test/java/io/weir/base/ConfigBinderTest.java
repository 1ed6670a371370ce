package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigNode.Place;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ConfigBinderTest {
    enum Kind {
        ONE,
        TWO_WORDS
    }

    enum Odd implements Spelled {
        URING;

        @Override
        public String spelling() {
            return "io_uring";
        }
    }

    record Inner(
            @Knob(doc = "Time.", value = "30s", min = "1s", max = "1h", dynamic = true)
            Duration waitTime) {}

    record Named(
            @Knob(doc = "Port.", value = "80", min = "0", max = "65535", unit = "port")
            int port,

            @Knob(doc = "Needed.", required = true) @Nullable
            String needed) {}

    record Root(
            @Knob(doc = "Count.", value = "5", min = "1", max = "10", unit = "things", auto = true)
            int itemCount,

            @Knob(doc = "Long.", value = "7") long big,

            @Knob(doc = "Ratio.", value = "0.5", min = "0", max = "1")
            double ratio,

            @Knob(doc = "Flag.", value = "on") boolean flag,

            @Knob(doc = "Text.", value = "abc", min = "1", max = "5")
            String text,

            @Knob(doc = "Kind.", value = "two-words") Kind kind,
            @Knob(doc = "Odd.", value = "io_uring") Odd odd,

            @Knob(doc = "Size.", value = "64KiB", max = "1MiB")
            ByteSize size,

            @Knob(doc = "Secret.", secret = true, min = "8") @Nullable
            String secret,

            @Knob(doc = "Words.", value = "a, b") List<String> words,
            @Knob(doc = "Inner.") Inner inner,
            @Knob(doc = "Named.") Map<String, Named> named,
            @Knob(doc = "Inners.") List<Inner> inners) {}

    record Picky(@Knob(doc = "N.", value = "1") int n) {
        Picky {
            if (n == 13) {
                throw new IllegalArgumentException("13 brings no luck");
            }
        }
    }

    record Undeclared(int n) {}

    record Bytes(
            @Knob(doc = "Most.", value = "9223372036854775807", unit = "bytes", min = "0")
            long most,

            @Knob(doc = "Some.", value = "auto", unit = "bytes", min = "0", auto = true)
            long some,

            @Knob(doc = "Few.", value = "1024", unit = "bytes", min = "1", max = "1048576")
            int few) {}

    record BadDefault(@Knob(doc = "N.", value = "x") int n) {}

    private static ConfigNode.Scalar text(String value) {
        return new ConfigNode.Scalar(new Place("f", 1, 2), value);
    }

    private static ConfigNode.Mapping map(Object... pairs) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        Map<String, Place> keys = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            String key = (String) pairs[i];
            entries.put(key, pairs[i + 1] instanceof ConfigNode n ? n : text((String) pairs[i + 1]));
            keys.put(key, new Place("f", i / 2 + 1, 1));
        }
        return new ConfigNode.Mapping(new Place("f", 1, 1), entries, keys);
    }

    private static ConfigNode.Sequence list(ConfigNode... items) {
        return new ConfigNode.Sequence(new Place("f", 9, 9), List.of(items));
    }

    private static List<String> problems(ConfigNode.Mapping tree) {
        ConfigBinder binder = new ConfigBinder();
        binder.bind(tree, Root.class);
        return binder.problems().stream().map(ConfigProblem::toString).toList();
    }

    @Test
    void emptyFileGivesDeclaredDefaults() {
        Root r = ConfigBinder.defaults(Root.class);
        assertThat(r.itemCount()).isEqualTo(5);
        assertThat(r.kind()).isEqualTo(Kind.TWO_WORDS);
        assertThat(r.odd()).isEqualTo(Odd.URING);
        assertThat(r.size().bytes()).isEqualTo(65_536);
        assertThat(r.secret()).isNull();
        assertThat(r.words()).containsExactly("a", "b");
        assertThat(r.inner().waitTime()).isEqualTo(Duration.ofSeconds(30));
        assertThat(r.named()).isEmpty();
    }

    record Kinds(
            @Knob(doc = "Kinds.", value = "one, two-words") List<Kind> kinds) {}

    @Test
    void wrongItemsOfAListWithADefaultAreToldEach() {
        ConfigBinder binder = new ConfigBinder();
        ConfigNode one = new ConfigNode.Scalar(new Place("f", 3, 4), "one");
        ConfigNode three = new ConfigNode.Scalar(new Place("f", 3, 9), "three");
        ConfigNode.Mapping section = map();
        Kinds bound = binder.bind(
                map().with("kinds", new ConfigNode.Sequence(new Place("f", 3, 1), List.of(one, three, section))),
                Kinds.class);
        assertThat(bound.kinds()).containsExactly(Kind.ONE);
        assertThat(binder.problems().stream().map(ConfigProblem::key)).containsExactly("kinds[1]", "kinds[2]");
        assertThat(ConfigBinder.defaults(Kinds.class).kinds()).containsExactly(Kind.values());
    }

    @Test
    void aNumberOfBytesMayBeWrittenAsASize() {
        ConfigBinder binder = new ConfigBinder();
        assertThat(binder.bind(map("most", "64MiB", "some", "1GiB", "few", "4 KiB"), Bytes.class))
                .isEqualTo(new Bytes(64 << 20, 1 << 30, 4096));
        assertThat(binder.bind(map("most", "67108864", "few", "77"), Bytes.class))
                .isEqualTo(new Bytes(64 << 20, -1, 77));
        assertThat(binder.problems()).isEmpty();
        assertThat(ConfigBinder.defaults(Bytes.class).most()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aSizeThatIsNoneOrOutOfRangeIsRefused() {
        ConfigBinder binder = new ConfigBinder();
        binder.bind(map("most", "64 apples", "some", "-5", "few", "8GiB"), Bytes.class);
        binder.bind(map("few", "2MiB"), Bytes.class);
        assertThat(binder.problems().stream().map(ConfigProblem::toString))
                .hasSize(4)
                .anyMatch(p -> p.contains("expected a size such as 4096, 64KiB"))
                .anyMatch(p -> p.contains("the size is too large"))
                .anyMatch(p -> p.contains("allowed range is 1 to 1048576 bytes"));
    }

    @Test
    void everyTypeIsBound() {
        ConfigBinder binder = new ConfigBinder();
        Root r = binder.bind(
                map(
                        "item-count",
                        "auto",
                        "big",
                        "9000000000",
                        "ratio",
                        "1",
                        "flag",
                        "No",
                        "text",
                        "x",
                        "kind",
                        "one",
                        "odd",
                        "io_uring",
                        "size",
                        "1MiB",
                        "words",
                        list(text("z")),
                        "inner",
                        map("wait-time", "5m"),
                        "named",
                        map("web", map("port", "0", "needed", "y")),
                        "inners",
                        list(map("wait-time", "1s"))),
                Root.class);
        assertThat(binder.problems()).isEmpty();
        assertThat(r.itemCount()).isEqualTo(-1);
        assertThat(r.big()).isEqualTo(9_000_000_000L);
        assertThat(r.flag()).isFalse();
        assertThat(r.words()).containsExactly("z");
        assertThat(r.inner().waitTime()).isEqualTo(Duration.ofMinutes(5));
        assertThat(r.named()).containsEntry("web", new Named(0, "y"));
        assertThat(r.inners()).containsExactly(new Inner(Duration.ofSeconds(1)));
    }

    @Test
    void boundsAreInclusiveAndOneBeyondIsRefused() {
        assertThat(problems(map("item-count", "1"))).isEmpty();
        assertThat(problems(map("item-count", "10"))).isEmpty();
        assertThat(problems(map("item-count", "0")))
                .containsExactly("f:1:2: item-count: allowed range is 1 to 10 things, or auto, found \"0\"");
        assertThat(problems(map("item-count", "11"))).hasSize(1);
        assertThat(problems(map("ratio", "1.01"))).hasSize(1);
        assertThat(problems(map("text", "sixsix"))).hasSize(1);
        assertThat(problems(map("size", "1MiB"))).isEmpty();
        assertThat(problems(map("size", "1048577"))).singleElement().asString().contains("allowed range is up to 1MiB");
        assertThat(problems(map("inner", map("wait-time", "999ms")))).hasSize(1);
    }

    @Test
    void wrongTypesAreTold() {
        assertThat(problems(map("item-count", "many")))
                .singleElement()
                .asString()
                .contains("expected an integer");
        assertThat(problems(map("big", "auto"))).hasSize(1);
        assertThat(problems(map("ratio", "NaN"))).hasSize(1);
        assertThat(problems(map("flag", "maybe"))).singleElement().asString().contains("expected on or off");
        assertThat(problems(map("kind", "two-word")))
                .singleElement()
                .asString()
                .contains("expected one of one, two-words (did you mean two-words?)");
        assertThat(problems(map("words", "a"))).singleElement().asString().contains("expected a list");
        assertThat(problems(map("inner", "x"))).singleElement().asString().contains("expected a section with keys");
        assertThat(problems(map("named", list()))).singleElement().asString().contains("named entries, found a list");
        assertThat(problems(map("flag", map())))
                .singleElement()
                .asString()
                .contains("expected on|off, found a section");
    }

    @Test
    void unknownKeysNameTheNearest() {
        assertThat(problems(map("itemcount", "5", "inner", map("wait", "1s"))))
                .hasSize(2)
                .anySatisfy(
                        p -> assertThat(p).startsWith("f:1:1: itemcount: unknown key; did you mean \"item-count\"?"))
                .anySatisfy(
                        p -> assertThat(p).contains("inner.wait: unknown key").contains("Known here: wait-time"));
    }

    @Test
    void requiredValueIsAskedFor() {
        assertThat(problems(map("named", map("web", map("port", "1")))))
                .singleElement()
                .asString()
                .contains("named.web.needed: a value is required: Needed.");
    }

    @Test
    void secretsAreNotShown() {
        assertThat(problems(map("secret", "short")))
                .singleElement()
                .asString()
                .contains("***")
                .doesNotContain("short");
    }

    @Test
    void namesAreBounded() {
        assertThat(problems(map("named", map("a".repeat(64), map("needed", "x")))))
                .isEmpty();
        assertThat(problems(map("named", map("a".repeat(65), map("needed", "x")))))
                .hasSize(1);
        assertThat(problems(map("named", map("a.b", map("needed", "x"))))).hasSize(1);
    }

    @Test
    void emptyTextMeansNoSection() {
        assertThat(problems(map("inner", "", "named", "", "words", ""))).isEmpty();
    }

    @Test
    void recordsOwnCheckIsAProblemOfItsSection() {
        ConfigBinder binder = new ConfigBinder();
        assertThat(binder.bind(map("n", "13"), Picky.class).n()).isEqualTo(1);
        assertThat(binder.problems()).singleElement().asString().contains("13 brings no luck");
    }

    @Test
    void declarationsThatCannotWorkAreProgrammingErrors() {
        assertThatThrownBy(() -> ConfigBinder.defaults(Undeclared.class)).hasMessageContaining("lacks @Knob");
        assertThatThrownBy(() -> ConfigBinder.defaults(BadDefault.class)).hasMessageContaining("unusable default");
    }

    record Pace(
            @Knob(doc = "Rate.", value = "2", min = "1") int rate,
            @Knob(doc = "Burst.", value = "3") int burst) {
        Pace {
            if (burst < rate) {
                throw new IllegalArgumentException("burst below rate");
            }
        }
    }

    record Shared(
            @Knob(doc = "Own.", value = "1") int own,
            @Knob(doc = "Common.", inline = true) Pace pace,
            @Knob(doc = "More.", value = "9") int more) {}

    record Twice(
            @Knob(doc = "Rate.", value = "1") int rate,
            @Knob(doc = "Common.", inline = true) Pace pace) {}

    record NoSection(
            @Knob(doc = "Number.", value = "1", inline = true)
            int number) {}

    @Test
    void keysOfAnInlineSectionStandAmongTheOthers() {
        ConfigBinder binder = new ConfigBinder();
        Shared s = binder.bind(map("own", "4", "burst", "7"), Shared.class);
        assertThat(binder.problems()).isEmpty();
        assertThat(s).isEqualTo(new Shared(4, new Pace(2, 7), 9));
        assertThat(KnobCatalogue.of(Shared.class).knobs())
                .extracting(KnobSpec::key)
                .containsExactly("own", "rate", "burst", "more");
        assertThat(KnobWalk.of(s)).extracting(KnobWalk.Item::key).containsExactly("own", "rate", "burst", "more");
        assertThat(KnobWalk.of(s)).extracting(KnobWalk.Item::text).containsExactly("4", "2", "7", "9");
    }

    @Test
    void whatIsWrongInAnInlineSectionIsToldByItsKey() {
        ConfigBinder binder = new ConfigBinder();
        binder.bind(map("rate", "0", "pace", map("burst", "1"), "bursts", "1"), Shared.class);
        assertThat(binder.problems())
                .extracting(ConfigProblem::key)
                .containsExactlyInAnyOrder("rate", "pace", "bursts");
        assertThat(binder.problems().toString())
                .contains("did you mean \"burst\"", "Known here: own, rate, burst, more");
        ConfigBinder unequal = new ConfigBinder();
        unequal.bind(map("rate", "5"), Shared.class);
        assertThat(unequal.problems()).singleElement().asString().contains("burst below rate");
    }

    @Test
    void inlineSectionsThatCannotWorkAreProgrammingErrors() {
        assertThatThrownBy(() -> ConfigBinder.defaults(Twice.class)).hasMessageContaining("rate, rate");
        assertThatThrownBy(() -> ConfigBinder.defaults(NoSection.class)).hasMessageContaining("cannot be inline");
    }

    @Test
    void catalogueFindsKnobsByTheirRealNames() {
        KnobCatalogue all = KnobCatalogue.of(Root.class);
        assertThat(all.find("named.web.port")).isNotNull().satisfies(k -> {
            assertThat(k.key()).isEqualTo("named.*.port");
            assertThat(k.typeName()).isEqualTo("integer");
            assertThat(k.grouping()).isFalse();
        });
        assertThat(all.find("inner.wait-time"))
                .isNotNull()
                .satisfies(k -> assertThat(k.knob().dynamic()).isTrue());
        assertThat(all.find("inner"))
                .isNotNull()
                .satisfies(k -> assertThat(k.grouping()).isTrue());
        assertThat(all.find("named.port")).isNull();
        assertThat(all.find("nothing")).isNull();
        assertThat(all.knobs()).extracting(KnobSpec::key).contains("inners[].wait-time", "item-count");
    }

    @Test
    void walkShowsEveryValueAsTheFileWouldHaveIt() {
        ConfigBinder binder = new ConfigBinder();
        Root r = binder.bind(
                map(
                        "item-count",
                        "auto",
                        "secret",
                        "very secret",
                        "named",
                        map("web", map("needed", "y")),
                        "inners",
                        list(map("wait-time", "90s"))),
                Root.class);
        Map<String, String> texts = new LinkedHashMap<>();
        KnobWalk.of(r).forEach(i -> texts.put(i.key(), i.text()));
        assertThat(texts)
                .containsEntry("item-count", "auto")
                .containsEntry("flag", "on")
                .containsEntry("kind", "two-words")
                .containsEntry("odd", "io_uring")
                .containsEntry("size", "64KiB")
                .containsEntry("secret", "***")
                .containsEntry("words", "a, b")
                .containsEntry("inner.wait-time", "30s")
                .containsEntry("named.web.port", "80")
                .containsEntry("inners[0].wait-time", "90s")
                .hasSize(14);
    }

    @Test
    void treesAreChangedByPath() {
        ConfigNode.Mapping tree = map("a", map("b", "1"));
        ConfigNode.Mapping changed = tree.with("a.b", text("2")).with("x.y.z", text("3"));
        assertThat(tree.find("a.b")).isEqualTo(text("1"));
        assertThat(changed.find("a.b")).isEqualTo(text("2"));
        assertThat(changed.find("x.y.z")).isEqualTo(text("3"));
        assertThat(changed.find("a.b.c")).isNull();
        assertThat(changed.nearestPlace("a.c")).isEqualTo(new Place("f", 1, 1));
    }

    record Share(
            @Knob(doc = "Share.", value = "auto", auto = true, min = "0", max = "1")
            double share) {}

    @Test
    void autoStandsForADoubleToo() {
        assertThat(ConfigBinder.defaults(Share.class).share()).isEqualTo(-1);
        assertThat(KnobValues.format(-1.0, true)).isEqualTo("auto");
        assertThat(KnobValues.format(0.5, true)).isEqualTo("0.5");
        assertThat(KnobValues.format(-1.0, false)).isEqualTo("-1.0");
    }
}
