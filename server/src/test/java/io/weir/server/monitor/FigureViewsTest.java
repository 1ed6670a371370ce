package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.StatSpec;
import io.weir.server.docs.Reference;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.json.Json;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.PerfdumpLines;
import io.weir.server.monitor.text.ReadOnlyBean;
import io.weir.server.monitor.text.XmlOut;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One declaration, all views. */
class FigureViewsTest {
    private record Tank(String name, long litres, boolean open, long nanos) {}

    private static final StatSpec LITRES = StatSpec.gauge("weir_tank_litres", "litres", "What is in it.");

    private static final FigureGroup<Tank> GROUP = new FigureGroup<>(
            "A tank",
            "tank-bucket",
            "TankRuntime",
            "Tanks:",
            List.of(
                    Figure.<Tank>text("Its name.", Tank::name)
                            .column("Tank")
                            .attribute("name")
                            .member("name"),
                    Figure.<Tank>count(LITRES, Tank::litres)
                            .column("Litres")
                            .attribute("sizeContent")
                            .bean("Litres")
                            .member("content.current"),
                    Figure.<Tank>flag("Whether it is open.", Tank::open)
                            .column("Open")
                            .attribute("flagOpen")
                            .bean("Open")
                            .member("open"),
                    Figure.<Tank>text("How it is.", t -> t.open() ? "open" : "shut")
                            .attribute("mode", "open", "shut")
                            .line("Open/Time"),
                    Figure.<Tank>count("nanoseconds", "How long.", Tank::nanos)
                            .ticks("ticks")
                            .line("Open/Time", t -> t.nanos() + " ns"),
                    Figure.<Tank>text("Nothing to say.", _ -> "").line("Empty")));

    private static final Tank ONE = new Tank("<a>", 7, true, 5000);

    @Test
    void aFigureStandsInEachViewThatItHasAPlaceIn() throws Exception {
        StringWriter xml = new StringWriter();
        XMLStreamWriter out = XMLOutputFactory.newFactory().createXMLStreamWriter(xml);
        FigureViews.element(GROUP, ONE, new XmlOut(out));
        out.writeEndDocument();
        out.flush();
        assertThat(xml.toString().strip())
                .isEqualTo(
                        "<tank-bucket name=\"&lt;a&gt;\" sizeContent=\"7\" flagOpen=\"1\" mode=\"open\" ticks=\"5\"/>");

        StringBuilder text = new StringBuilder();
        FigureViews.table(GROUP, List.of(ONE), 2, new PerfdumpLines(text));
        assertThat(text).contains("Tanks:\n").contains("Tank  Litres  Open\n<a>   7       yes\n1 of 2 are shown");
        text.setLength(0);
        FigureViews.lines(GROUP, ONE, new PerfdumpLines(text));
        assertThat(text.toString()).isEqualTo("Open/Time                                  open/5000 ns\n");

        ReadOnlyBean bean = FigureViews.bean(GROUP, "a tank", () -> ONE);
        assertThat(bean.getAttribute("Litres")).isEqualTo(7L);
        assertThat(bean.getAttribute("Open")).isEqualTo(true);
        assertThat(bean.getMBeanInfo().getAttributes()).hasSize(2);

        assertThat(Json.object(j -> GROUP.members(ONE, j)))
                .isEqualTo("{\"name\":\"<a>\",\"content\":{\"current\":7},\"open\":true}\n");
        assertThat(GROUP.attributeList()).isEqualTo("""
                <!ATTLIST tank-bucket
                    name CDATA #REQUIRED
                    sizeContent CDATA #REQUIRED
                    flagOpen (0|1) #REQUIRED
                    mode (open|shut) #REQUIRED
                    ticks CDATA #REQUIRED>
                """);
        assertThat(GROUP.reference(StatSpec::name))
                .contains("| Litres | `sizeContent` | `Litres` | `content.current` | litres | `weir_tank_litres` |"
                        + " What is in it. |");
    }

    @Test
    void noNameStandsTwiceInAViewOfAGroup() {
        for (FigureGroup<?> group : DeclaredFigures.all()) {
            unique(group, Figure::attribute);
            unique(group, Figure::bean);
            unique(group, Figure::column);
            unique(group, Figure::member);
        }
    }

    private static <T> void unique(FigureGroup<T> group, Function<Figure<T>, @Nullable String> place) {
        List<String> names = new ArrayList<>();
        group.having(place).forEach(f -> names.add(Objects.requireNonNull(place.apply(f))));
        assertThat(names).as(group.title()).doesNotHaveDuplicates();
    }

    @Test
    void everyDeclaredFigureIsShownSomewhereAndDocumented() {
        String document = Objects.requireNonNull(Reference.files().get("figures.md"));
        Set<String> missing = new HashSet<>();
        for (FigureGroup<?> group : DeclaredFigures.all()) {
            for (Figure<?> f : group.figures()) {
                boolean shown = f.attribute() != null || f.bean() != null || f.column() != null || f.line() != null;
                if (!shown || !document.contains("| " + f.doc() + " |")) {
                    missing.add(f.doc());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(DocumentType.text()).doesNotContain("DECLARED");
    }
}
