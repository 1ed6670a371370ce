package io.weir.server.config.sun;

import io.weir.base.ConfigNode.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code EVENT} of {@code server.xml} that runs {@code cachegc}, as times of {@code cache.disk.gc.schedule} for {@code weir
 * migrate}. Used by one {@link XmlDisk}.
 */
// Configuration File Reference of the Proxy Server 4.0, "EVENT": EVENTTIME has TIMEOFDAY (times as hh:mm or h:mm, with
// blanks between), DAYOFWEEK (names) or DAYOFMONTH (numbers), ONSTARTUP, ONSHUTDOWN; EVENTACTION has COMMAND and
// others.
final class XmlEvents {
    private static final String CALLED = "EVENT cachegc: ";
    private static final String FORM = "expected <EVENTTIME><TIMEOFDAY>03:00</TIMEOFDAY></EVENTTIME>"
            + "<EVENTACTION><COMMAND>cachegc</COMMAND></EVENTACTION>";
    private static final int MOST_TIMES = 100;
    private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
    private static final Pattern COLLECTOR =
            Pattern.compile("(?:^|[\\s/\\\\\"'])cachegc(?:\\.exe)?(?:[\\s\"']+(.*))?$");
    private static final Pattern TIME = Pattern.compile("([01]?[0-9]|2[0-3]):([0-5][0-9])");

    private final Layer layer;
    private final Function<XmlElement.Property, String> text;
    private final List<Time> times = new ArrayList<>();
    private final List<Place> collections = new ArrayList<>();

    XmlEvents(Layer layer, Function<XmlElement.Property, String> text) {
        this.layer = layer;
        this.text = text;
    }

    /** A time as the knob has it, and where it comes from. */
    record Time(String text, Place at) {}

    /** Adds an event, or tells its form; false: it is none of garbage collection. */
    boolean element(XmlElement e) {
        for (XmlElement action : e.children()) {
            XmlElement.Property command = action.name().equals("EVENTACTION") ? action.property("COMMAND") : null;
            Matcher m = command == null
                    ? null
                    : COLLECTOR.matcher(text.apply(command).strip());
            if (command != null && m != null && m.find()) {
                if (m.group(1) != null && m.group(1).contains("-")) {
                    layer.left(
                            command.at(),
                            CALLED
                                    + "its options are not translated: all collections have the margins of cache.disk.gc");
                }
                collection(e);
                return true;
            }
        }
        if (isEvent(e)) {
            return false;
        }
        layer.left(e.at(), "EVENT is not translated: " + FORM);
        return true;
    }

    /** Whether it has times and an action, and no collection in another place than COMMAND. */
    private static boolean isEvent(XmlElement e) {
        boolean times = e.children().stream().anyMatch(child -> child.name().equals("EVENTTIME"));
        List<XmlElement> actions = e.children().stream()
                .filter(child -> child.name().equals("EVENTACTION"))
                .toList();
        boolean misplaced = actions.stream()
                .flatMap(action -> action.properties().stream())
                .anyMatch(p -> !p.name().equals("COMMAND") && p.value().contains("cachegc"));
        return times && !actions.isEmpty() && !misplaced;
    }

    private void collection(XmlElement e) {
        if (!e.flag("enabled", true)) {
            layer.left(e.at(), CALLED + "not translated: it is not enabled");
            return;
        }
        collections.add(e.at());
        int before = times.size();
        for (XmlElement time : e.children()) {
            if (time.name().equals("EVENTTIME")) {
                time(time);
            }
        }
        if (times.size() == before) {
            layer.left(e.at(), CALLED + "not translated: no time of it can be kept; " + FORM);
        }
    }

    private void time(XmlElement e) {
        for (String when : List.of("ONSTARTUP", "ONSHUTDOWN")) {
            if (has(e, when)) {
                layer.left(e.at(), CALLED + when + " is not translated: ./weir cachegc collects when it is called");
            }
        }
        XmlElement.Property month = e.property("DAYOFMONTH");
        if (month != null) {
            layer.left(
                    month.at(),
                    CALLED + "DAYOFMONTH is not translated: a schedule has days of the week; let the system's scheduler"
                            + " run ./weir cachegc");
        }
        Set<String> days = days(e);
        if (days.isEmpty() && month == null && e.property("DAYOFWEEK") == null) {
            days.add("daily");
        }
        for (XmlElement.Property p : e.properties()) {
            if (p.name().equals("TIMEOFDAY")) {
                words(p).forEach(word -> add(days, word, p.at()));
            }
        }
    }

    private static boolean has(XmlElement e, String name) {
        return e.property(name) != null
                || e.children().stream().anyMatch(child -> child.name().equals(name));
    }

    private List<String> words(XmlElement.Property p) {
        return List.of(text.apply(p).strip().split("[\\s,]+"));
    }

    private Set<String> days(XmlElement e) {
        Set<String> days = new LinkedHashSet<>();
        XmlElement.Property p = e.property("DAYOFWEEK");
        if (p != null) {
            for (String word : words(p)) {
                String day = word.toLowerCase(Locale.ROOT);
                if (DAYS.contains(day)) {
                    days.add(day);
                } else {
                    layer.left(
                            p.at(),
                            CALLED + "DAYOFWEEK: expected Mon to Sun, found \"" + word + "\", which is left out");
                }
            }
        }
        return days.size() == DAYS.size() ? new LinkedHashSet<>(List.of("daily")) : days;
    }

    private void add(Set<String> days, String word, Place at) {
        Matcher m = TIME.matcher(word);
        if (!m.matches()) {
            layer.left(at, CALLED + "TIMEOFDAY: expected hh:mm, found \"" + word + "\", which is left out");
            return;
        }
        String hour = m.group(1).length() == 1 ? "0" + m.group(1) : m.group(1);
        days.forEach(day -> times.add(new Time(day + " " + hour + ":" + m.group(2), at)));
    }

    /** All times, each once; as many as a schedule may have. */
    List<Time> schedule() {
        List<Time> schedule = new ArrayList<>();
        Set<String> before = new LinkedHashSet<>();
        for (Time time : times) {
            if (before.add(time.text())) {
                schedule.add(time);
            }
        }
        if (schedule.size() > MOST_TIMES) {
            layer.left(
                    schedule.get(MOST_TIMES).at(),
                    CALLED + "only " + MOST_TIMES + " of its " + schedule.size() + " times are translated");
        }
        return schedule.subList(0, Math.min(MOST_TIMES, schedule.size()));
    }

    /** There is no partition that could be collected. */
    void without() {
        collections.forEach(at -> layer.left(at, CALLED + "not translated: no PARTITION is"));
    }
}
