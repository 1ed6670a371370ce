package io.weir.server.config.sun;

import io.weir.base.ByteSize;
import io.weir.base.ConfigNode.Place;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code CACHE}, {@code PARTITION}, {@code GC} and the events of garbage collection of {@code server.xml} as section {@code
 * cache.disk}, for {@code weir migrate}. A server that runs with the file does not use it: it would write to the disks of
 * another server before anyone has looked. Used by one {@link ServerXml}.
 */
final class XmlDisk {
    private static final String PARTITIONS = "cache.disk.partitions.";
    private static final String GC = "cache.disk.gc.";
    private static final long LEAST_MIB = 8;
    private static final long MOST_MIB = 900L << 10;

    private final Layer layer;
    private final Function<XmlElement.Property, String> text;
    private final XmlEvents events;
    private long minSpace = -1;
    private boolean partitions;
    private @Nullable XmlElement cache;
    private @Nullable XmlElement collection;

    /** @param text the text of a property, with variables in it */
    XmlDisk(Layer layer, Function<XmlElement.Property, String> text) {
        this.layer = layer;
        this.text = text;
        this.events = new XmlEvents(layer, text);
    }

    /** Adds what an element says; whether {@code weir migrate} has been told all of it. */
    boolean element(XmlElement e) {
        return switch (e.name()) {
            case "CACHE" -> {
                cache = e;
                yield true;
            }
            case "PARTITION" -> {
                partition(e);
                yield true;
            }
            case "GC" -> {
                collection = e;
                yield true;
            }
            case "EVENT" -> events.element(e);
            default -> false;
        };
    }

    private void partition(XmlElement e) {
        XmlElement.Property named = e.property("partitionname");
        XmlElement.Property folder = e.property("partitiondir");
        String name = named == null ? "part1" : text.apply(named).strip();
        if (!e.flag("enabled", true)) {
            layer.left(at(e, "enabled"), "PARTITION " + name + " is not translated: it is not enabled");
            return;
        }
        if (folder == null) {
            layer.left(e.at(), "PARTITION " + name + " is not translated: it has no partitiondir");
            return;
        }
        if (!layer.named(name, e.at(), "PARTITION partitionname")) {
            return;
        }
        partitions = true;
        String there = text.apply(folder).strip();
        String path = there.endsWith("/") ? there + "weir" : there + "/weir";
        layer.migrate(PARTITIONS + name + ".path", folder.at(), path);
        layer.noteMigration(
                folder.at(),
                "PARTITION " + name + ": the files of " + there + " are not read, and the folder is a new one, " + path
                        + ", which the server must be able to create");
        long size = number(e, "maxsize", 1600, 0, Integer.MAX_VALUE);
        long used = Math.clamp(size, LEAST_MIB, MOST_MIB);
        layer.migrate(PARTITIONS + name + ".size", at(e, "maxsize"), new ByteSize(used << 20).toString());
        if (used != size) {
            layer.noteMigration(
                    at(e, "maxsize"), "PARTITION maxsize: a partition has 8 MiB to 900 GiB, not " + size + " MiB");
        }
        minSpace = Math.max(minSpace, number(e, "minspace", 5, 0, Integer.MAX_VALUE));
        layer.migrate("cache.disk.min-space", at(e, "minspace"), new ByteSize(minSpace << 20).toString());
    }

    /** All elements were added: a collection says nothing without a partition. */
    void finish() {
        if (cache != null) {
            cache(cache);
        }
        if (!partitions) {
            events.without();
            return;
        }
        List<XmlEvents.Time> schedule = events.schedule();
        if (collection != null) {
            collection(collection, schedule);
        }
        if (!schedule.isEmpty()) {
            layer.migrate(GC + "mode", schedule.getFirst().at(), "scheduled");
            layer.migrate(
                    GC + "schedule",
                    ServerXml.list(
                            schedule.stream().map(XmlEvents.Time::text).toList(),
                            schedule.getFirst().at()));
        }
    }

    private void cache(XmlElement e) {
        if (!partitions) {
            layer.noteMigration(e.at(), "CACHE has no PARTITION that is used: the cache is in memory only");
        }
        XmlElement.Property capacity = e.property("cachecapacity");
        if (capacity != null) {
            layer.noteMigration(capacity.at(), "CACHE cachecapacity: the sizes of the partitions count (maxsize)");
        }
        XmlElement.Property folder = e.property("cachedir");
        if (folder != null) {
            layer.noteMigration(folder.at(), "CACHE cachedir: the folders of the partitions count (partitiondir)");
        }
    }

    private void collection(XmlElement e, List<XmlEvents.Time> schedule) {
        boolean automatic = e.flag("enabled", true);
        layer.migrate(GC + "mode", e.at(), automatic ? "automatic" : "off");
        if (automatic && !schedule.isEmpty()) {
            layer.noteMigration(
                    schedule.getFirst().at(),
                    "EVENT: cache.disk.gc has one mode: collections begin at its times, and no more above gchimargin");
        }
        percent(e, "gchimargin", 80, 10, "high-margin");
        percent(e, "gclomargin", 70, 5, "low-margin");
        percent(e, "gcextramargin", 30, 1, "extra-margin");
        XmlElement.Property full = e.property("gcleavefsfull");
        if (full != null) {
            layer.left(
                    full.at(),
                    "GC gcleavefsfull is not translated: it ends collections there, and would begin them here; see"
                            + " cache.disk.gc.file-system-full");
        }
    }

    private void percent(XmlElement e, String property, long usual, long least, String knob) {
        layer.migrate(GC + knob, at(e, property), Long.toString(number(e, property, usual, least, 100)));
    }

    private static Place at(XmlElement e, String property) {
        XmlElement.Property p = e.property(property);
        return p == null ? e.at() : p.at();
    }

    private long number(XmlElement e, String property, long usual, long least, long most) {
        XmlElement.Property p = e.property(property);
        Long number = p == null
                ? Long.valueOf(usual)
                : Quantity.COUNT.number(text.apply(p).strip());
        if (number == null || number < least || number > most) {
            layer.noteMigration(
                    at(e, property),
                    e.name() + " " + property + ": expected a number from " + least + " to " + most + ", used is "
                            + usual);
            return usual;
        }
        return number;
    }
}
