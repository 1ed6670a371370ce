package io.weir.server.config.sun;

import io.weir.base.ByteSize;
import io.weir.base.ConfigNode.Place;
import java.util.function.Function;

/**
 * {@code CACHE}, {@code PARTITION} and {@code GC} of {@code server.xml} as section {@code cache.disk}, for {@code weir
 * migrate}. A server that runs with the file does not use it: it would write to the disks of another server before
 * anyone has looked. Used by one {@link ServerXml}.
 */
final class XmlDisk {
    private static final String PARTITIONS = "cache.disk.partitions.";
    private static final String GC = "cache.disk.gc.";
    private static final long LEAST_MIB = 8;
    private static final long MOST_MIB = 900L << 10;

    private final Layer layer;
    private final Function<XmlElement.Property, String> text;
    private long minSpace = -1;

    /** @param text the text of a property, with variables in it */
    XmlDisk(Layer layer, Function<XmlElement.Property, String> text) {
        this.layer = layer;
        this.text = text;
    }

    /** Adds what an element says. */
    void element(XmlElement e) {
        if (e.name().equals("PARTITION")) {
            partition(e);
        } else if (e.name().equals("GC")) {
            collection(e);
        }
    }

    private void partition(XmlElement e) {
        XmlElement.Property named = e.property("partitionname");
        XmlElement.Property folder = e.property("partitiondir");
        String name = named == null ? "part1" : text.apply(named).strip();
        if (!e.flag("enabled", true) || folder == null || !layer.named(name, e.at(), "PARTITION partitionname")) {
            return;
        }
        layer.migrate(
                PARTITIONS + name + ".path", folder.at(), text.apply(folder).strip());
        long size = number(e, "maxsize", 1600, 0, Integer.MAX_VALUE);
        long used = Math.clamp(size, LEAST_MIB, MOST_MIB);
        layer.migrate(PARTITIONS + name + ".size", at(e, "maxsize"), new ByteSize(used << 20).toString());
        if (used != size) {
            layer.note(at(e, "maxsize"), "PARTITION maxsize: a partition has 8 MiB to 900 GiB, not " + size + " MiB");
        }
        minSpace = Math.max(minSpace, number(e, "minspace", 5, 0, Integer.MAX_VALUE));
        layer.migrate("cache.disk.min-space", at(e, "minspace"), new ByteSize(minSpace << 20).toString());
    }

    private void collection(XmlElement e) {
        layer.migrate(GC + "mode", e.at(), e.flag("enabled", true) ? "automatic" : "off");
        percent(e, "gchimargin", 80, 10, "high-margin");
        percent(e, "gclomargin", 70, 5, "low-margin");
        percent(e, "gcextramargin", 30, 1, "extra-margin");
        XmlElement.Property full = e.property("gcleavefsfull");
        if (full != null) {
            layer.note(
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
            layer.note(
                    at(e, property),
                    e.name() + " " + property + ": expected a number from " + least + " to " + most + ", used is "
                            + usual);
            return usual;
        }
        return number;
    }
}
