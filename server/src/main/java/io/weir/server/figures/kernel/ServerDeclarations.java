package io.weir.server.figures.kernel;

import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Facts.Averages;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.Readings.Cpu;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Every figure of the server, its process and its machine, once: stats-xml with its document type and docs/figures.md follow. */
public final class ServerDeclarations {
    /**
     * The server at a time in milliseconds since the epoch.
     *
     * @param profiling whether performance buckets are counted
     */
    public record Running(Facts.Identity id, Readings readings, long now, boolean profiling) {}

    private static final long TICKS_PER_SECOND = Texts.TICK.convert(1, TimeUnit.SECONDS);

    /** The server. */
    public static final FigureGroup<Running> SERVER =
            new FigureGroup<>("The server", "server", null, "", serverFigures());

    /** Its process. */
    public static final FigureGroup<Running> PROCESS = new FigureGroup<>(
            "The process",
            "process",
            null,
            "",
            List.of(
                    Figure.<Running>count("", "Its number.", r -> r.id().pid()).attribute("pid"),
                    Figure.<Running>text(
                                    "active; unknown for a process that does not answer its supervisor (server.processes).",
                                    _ -> "active")
                            .attribute("mode", "unknown", "active"),
                    Figure.<Running>count("seconds", "When it started, from 1970.", r -> r.id().processStarted() / 1000)
                            .attribute("timeStarted"),
                    Figure.<Running>number(
                                    "configurations",
                                    "Configurations applied since the start, the first included.",
                                    r -> r.id().configurations())
                            .attribute("countConfigurations"),
                    Figure.<Running>count(
                                    "bytes",
                                    "Virtual size of the process.",
                                    r -> r.readings().virtualBytes())
                            .attribute("sizeVirtual"),
                    Figure.<Running>count(
                                    "bytes",
                                    "Resident size of the process.",
                                    r -> r.readings().residentBytes())
                            .attribute("sizeResident"),
                    Figure.<Running>decimal(
                                    "share",
                                    "Resident size as a share of the machine's memory.",
                                    r -> r.readings().memoryFraction())
                            .attribute(
                                    "fractionSystemMemoryUsage",
                                    r -> Texts.decimal(r.readings().memoryFraction()))));

    /** The virtual machine. */
    public static final FigureGroup<Jvm> JVM = new FigureGroup<>(
            "The virtual machine",
            "jvm",
            null,
            "",
            List.of(
                    Figure.<Jvm>count("classes", "Classes loaded now.", Jvm::classes)
                            .attribute("countClassesLoaded"),
                    Figure.<Jvm>count("classes", "Classes loaded so far.", Jvm::classesLoaded)
                            .attribute("countTotalClassesLoaded"),
                    Figure.<Jvm>count("classes", "Classes unloaded so far.", Jvm::classesUnloaded)
                            .attribute("countTotalClassesUnloaded"),
                    Figure.<Jvm>count("bytes", "Committed heap.", Jvm::heapBytes)
                            .attribute("sizeHeap"),
                    Figure.<Jvm>count("threads", "Most threads at once.", Jvm::peakThreads)
                            .attribute("peakThreads"),
                    Figure.<Jvm>count("threads", "Threads started so far.", Jvm::threadsStarted)
                            .attribute("countTotalThreadsStarted"),
                    Figure.<Jvm>count("threads", "Threads now.", Jvm::threads).attribute("countThreads"),
                    Figure.<Jvm>text("Its version.", Jvm::version).attribute("version"),
                    Figure.<Jvm>text("Its product name.", Jvm::name).attribute("name"),
                    Figure.<Jvm>text("Its vendor.", Jvm::vendor).attribute("vendor"),
                    Figure.<Jvm>count("collections", "Garbage collections of all collectors.", Jvm::collections)
                            .attribute("countGarbageCollections"),
                    Figure.<Jvm>count("milliseconds", "Time in them.", Jvm::collectionMillis)
                            .attribute("millisecondsGarbageCollection")));

    /** A processor in the latest second. */
    public static final FigureGroup<Cpu> CPU = new FigureGroup<>(
            "A processor",
            "cpu-info",
            null,
            "",
            List.of(
                    Figure.<Cpu>number("", "The processor's number.", Cpu::number)
                            .attribute("cpu"),
                    percent("percentIdle", "Idle in the latest second.", Cpu::idle),
                    percent("percentUser", "In programs in the latest second.", Cpu::user),
                    percent("percentKernel", "In the system in the latest second.", Cpu::kernel)));

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(SERVER, PROCESS, JVM, CPU);

    private ServerDeclarations() {}

    private static List<Figure<Running>> serverFigures() {
        List<Figure<Running>> all = new ArrayList<>(List.of(
                Figure.<Running>text("The server's configured name.", r -> r.id().id())
                        .attribute("id"),
                Figure.<Running>text("Product and version.", r -> r.id().product() + " " + r.id().version())
                        .attribute("versionServer"),
                Figure.<Running>count(
                                "seconds", "When the server started, from 1970.", r -> r.id().serverStarted() / 1000)
                        .attribute("timeStarted"),
                Figure.<Running>count(
                                "seconds",
                                "How long it has run.",
                                r -> Math.max(0, (r.now() - r.id().serverStarted()) / 1000))
                        .attribute("secondsRunning"),
                Figure.<Running>count("ticks", "Ticks in a second.", _ -> TICKS_PER_SECOND)
                        .attribute("ticksPerSecond"),
                Figure.<Running>number(
                                "processes", "Processes: server.processes; 1 in the document of one process.", _ -> 1)
                        .attribute("maxProcs"),
                Figure.<Running>number("requests", "Most requests handled at once.", r -> r.id().maxThreads())
                        .attribute("maxThreads"),
                Figure.<Running>flag("Whether performance buckets are counted.", Running::profiling)
                        .attribute("flagProfilingEnabled")));
        all.addAll(averages("load", "processes", "The machine's load average", Readings::load));
        all.add(Figure.<Running>count(
                        "bytes a second",
                        "Sent to clients in the latest second.",
                        r -> Math.round(r.readings().rateSent()))
                .attribute("rateBytesTransmitted"));
        all.add(Figure.<Running>count(
                        "bytes a second",
                        "Received from clients in the latest second.",
                        r -> Math.round(r.readings().rateReceived()))
                .attribute("rateBytesReceived"));
        all.addAll(averages("requests", "requests a second", "Requests", Readings::requests));
        all.addAll(averages("errors", "responses a second", "Answers with status 500 and above", Readings::errors));
        all.addAll(averages("responseTime", "seconds", "Mean time of a request", Readings::responseTime));
        return all;
    }

    private static List<Figure<Running>> averages(
            String prefix, String unit, String doc, Function<Readings, Averages> of) {
        return List.of(
                average(
                        prefix + "1MinuteAverage",
                        unit,
                        doc + " over 1 min.",
                        r -> of.apply(r).one()),
                average(
                        prefix + "5MinuteAverage",
                        unit,
                        doc + " over 5 min.",
                        r -> of.apply(r).five()),
                average(
                        prefix + "15MinuteAverage",
                        unit,
                        doc + " over 15 min.",
                        r -> of.apply(r).fifteen()));
    }

    private static Figure<Running> average(
            String attribute, String unit, String doc, Function<Readings, Double> value) {
        return Figure.<Running>decimal(unit, doc, r -> value.apply(r.readings()))
                .attribute(attribute, r -> Texts.decimal(value.apply(r.readings())));
    }

    private static Figure<Cpu> percent(String attribute, String doc, Function<Cpu, Double> value) {
        return Figure.<Cpu>decimal("percent", doc, value).attribute(attribute, c -> Texts.decimal(value.apply(c)));
    }
}
