package io.weir.proxy.cache.config;

import io.weir.base.Knob;
import java.util.List;

/** Section {@code cache.disk.gc}: when a partition is made smaller before it is full. Immutable. */
public record DiskGcConfig(
        @Knob(
                doc = "When segments are reclaimed before all of them are in use. off: by ./weir cachegc only;"
                        + " automatic: when a partition is fuller than high-margin; scheduled: at the times of schedule."
                        + " A full partition reclaims its oldest segment in any case, as it is written to: that keeps"
                        + " the most answers. Rule of thumb: off; scheduled where the disk has a quiet time.",
                value = "off",
                dynamic = true,
                watch = {"weir_cache_disk_collections_total", "weir_cache_disk_evictions_total"},
                knownAs = "GC enabled")
        Mode mode,

        @Knob(
                doc = "An automatic collection begins above this share of a partition's size. Must not be less than"
                        + " low-margin. Rule of thumb: the default.",
                value = "80",
                unit = "percent",
                min = "10",
                max = "100",
                dynamic = true,
                watch = "weir_cache_disk_collections_total",
                knownAs = "GC gchimargin")
        int highMargin,

        @Knob(
                doc = "A collection ends at this share of a partition's size. Lower makes collections rarer, and keeps"
                        + " fewer answers. Rule of thumb: ten less than high-margin.",
                value = "70",
                unit = "percent",
                min = "5",
                max = "100",
                dynamic = true,
                watch = "weir_cache_disk_bytes",
                knownAs = "GC gclomargin")
        int lowMargin,

        @Knob(
                doc = "A partition is also collected when its file system, with all that is on it, is fuller than this,"
                        + " unless the mode is off; looked at every ten seconds. 100: never. For a file system that"
                        + " the cache shares. Rule of thumb: 100; less where others need the room.",
                value = "100",
                unit = "percent",
                min = "5",
                max = "100",
                dynamic = true,
                watch = "weir_cache_disk_collections_total",
                knownAs = "GC gcleavefsfull")
        int fileSystemFull,

        @Knob(
                doc = "The share of what a partition has that such a collection removes."
                        + " Rule of thumb: the default.",
                value = "30",
                unit = "percent",
                min = "1",
                max = "100",
                dynamic = true,
                watch = "weir_cache_disk_evictions_total",
                knownAs = "GC gcextramargin")
        int extraMargin,

        @Knob(
                doc = "Days and times of scheduled collections, in the server's time zone: daily 03:00, sat 04:30."
                        + " Days are daily, mon, tue, wed, thu, fri, sat, sun.",
                pattern = DiskGcTime.PATTERN,
                form = DiskGcTime.EXPECTED,
                dynamic = true,
                watch = "weir_cache_disk_collections_total",
                knownAs = "EVENT, EVENTTIME")
        List<String> schedule) {
    private static final int MOST_TIMES = 100;

    /** What begins a collection. */
    public enum Mode {
        OFF,
        AUTOMATIC,
        SCHEDULED
    }

    public DiskGcConfig {
        schedule = List.copyOf(schedule);
        if (lowMargin > highMargin) {
            throw new IllegalArgumentException(
                    "low-margin " + lowMargin + " is above high-margin " + highMargin + ": lower it");
        }
        if (schedule.size() > MOST_TIMES) {
            throw new IllegalArgumentException(
                    "schedule has " + schedule.size() + " times, and may have " + MOST_TIMES);
        }
        if (mode == Mode.SCHEDULED && schedule.isEmpty()) {
            throw new IllegalArgumentException(
                    "mode is scheduled, but schedule has no time: add one, such as daily 03:00");
        }
    }
}
