package io.weir.server.config;

import io.weir.base.Clock;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
import io.weir.base.KnobWalk;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a running server: shows every knob and applies live changes, all or nothing. Each applied
 * configuration goes to the history; a persisted change also to {@code overrides.yaml}, which at the next start has
 * precedence over the file, but not over {@code --set}. Shared; changes are applied one at a time (they may write
 * files: not on an event loop).
 */
public final class KnobService {
    /** The outcome of a change: applied under a number, or refused with every reason. */
    public record Outcome(int number, List<String> changed, List<ConfigProblem> problems) {
        public Outcome {
            changed = List.copyOf(changed);
            problems = List.copyOf(problems);
        }

        public boolean applied() {
            return problems.isEmpty();
        }
    }

    /**
     * The outcome of a reload.
     *
     * @param atRestart keys with new values that take effect at the next start
     */
    public record Reload(Outcome outcome, List<String> atRestart) {
        public Reload {
            atRestart = List.copyOf(atRestart);
        }
    }

    /**
     * A knob with its current value.
     *
     * @param source where its value comes from: a place in a file, {@code --set}, the author of a live change, or
     * {@code default}
     */
    public record View(KnobWalk.Item item, String source) {}

    /** The line with the number in a configuration's text for other processes. */
    private static final String NUMBER = "# configuration: ";

    private final Path dataDir;
    private final History history;
    private final Clock clock;
    private final Stats stats;
    private final Log log;
    private final Live<WeirConfig> live;
    private final ConfigLoader loader;
    private final FunctionCatalogue functions;
    private ConfigNode.Mapping base;
    private final boolean first;
    private final boolean trial;
    private volatile ConfigNode.Mapping tree;
    private ConfigNode.Mapping overrides;
    private volatile int current;
    /** The first process's number of the configuration that this one follows; 0 if unknown. */
    private int followed;

    private volatile Preparation preparation = (_, _, _) -> Preparation.Ready.NOTHING;

    /**
     * Creates the service.
     *
     * @param live holds the loaded value; swapped by this service only
     * @param first whether it writes the history; only the first of several processes does
     */
    public KnobService(
            LoadedConfig loaded,
            Live<WeirConfig> live,
            Path dataDir,
            boolean first,
            Clock clock,
            Stats stats,
            Log log) {
        this.first = first;
        this.trial = false;
        this.dataDir = dataDir;
        this.history = new History(dataDir);
        this.clock = clock;
        this.stats = stats;
        stats.counter(ServerStats.CONFIG_CHANGES);
        stats.counter(ServerStats.CONFIG_REFUSED);
        this.log = log;
        this.live = live;
        this.base = loaded.base();
        this.functions = loaded.functions();
        this.loader = loaded.loader();
        this.tree = loaded.tree();
        this.overrides = loaded.overrides();
    }

    private KnobService(KnobService of) {
        this.first = of.first;
        this.trial = true;
        this.dataDir = of.dataDir;
        this.history = of.history;
        this.clock = of.clock;
        this.stats = of.stats;
        this.log = of.log;
        this.live = of.live;
        this.base = of.base;
        this.functions = of.functions;
        this.loader = of.loader;
        this.tree = of.tree;
        this.overrides = of.overrides;
        this.current = of.current;
        this.preparation = of.preparation;
    }

    /** A copy of this service for a trial: changes are computed and checked, but neither applied nor written. */
    public synchronized KnobService trial() {
        return new KnobService(this);
    }

    /** The text of the whole configuration as it is, or would be after a trial. */
    public String text() {
        return InForceText.of(tree);
    }

    /** The text of the whole configuration that a process has which starts now; empty if it is wrong. */
    public Optional<String> read() {
        LoadedConfig now = loader.load(functions);
        return now.usable() ? Optional.of(now.text()) : Optional.empty();
    }

    /** The configuration in force, observed by every part. */
    public Live<WeirConfig> live() {
        return live;
    }

    /** Adds a check that runs before a change takes effect. */
    public void preparation(Preparation who) {
        preparation = who;
    }

    /** A change. */
    @FunctionalInterface
    public interface Change<T> {
        T apply() throws IOException;
    }

    /**
     * Makes a change, exclusively.
     *
     * @param expected whether the change is meant for the configuration with this number
     * @return empty if it is not
     */
    public synchronized <T> Optional<T> when(IntPredicate expected, Change<T> change) throws IOException {
        return expected.test(current) ? Optional.of(change.apply()) : Optional.empty();
    }

    /** The number of the configuration in force; does not wait for a change. */
    public int current() {
        return current;
    }

    /** Records the configuration with which the server started. */
    public synchronized int started(String source) {
        current = remember("start", source);
        return current;
    }

    /** Every knob with its value, in declaration order. */
    public List<View> knobs() {
        ConfigNode.Mapping now = tree;
        return KnobWalk.of(live.get()).stream()
                .map(item -> new View(item, source(now, item.key())))
                .toList();
    }

    /**
     * Applies changes, all or none.
     *
     * @param changes full keys to values; a list is replaced whole
     * @param persist also at the next start
     * @throws IOException if {@code overrides.yaml} cannot be written; then nothing is applied
     */
    public synchronized Outcome patch(Map<String, ConfigNode> changes, String author, boolean persist)
            throws IOException {
        List<ConfigProblem> problems = new ArrayList<>(Changes.refusals(tree, changes));
        if (changes.isEmpty()) {
            problems.add(new ConfigProblem(Place.of("change"), "", "no key is given"));
        }
        ConfigNode.Mapping next = tree;
        ConfigNode.Mapping kept = overrides;
        Place by = Place.of("live change by " + author + " at " + Instant.ofEpochMilli(clock.millis()));
        Set<String> refused = problems.stream().map(ConfigProblem::key).collect(Collectors.toSet());
        for (Map.Entry<String, ConfigNode> e : changes.entrySet()) {
            if (refused.contains(e.getKey())) {
                // continue, to report errors of the other values, too
                continue;
            }
            boolean unsaid = Changes.isRemoved(e.getValue());
            boolean goes = unsaid || (Changes.isAddable(e.getKey()) && Changes.removes(e.getValue()));
            if (goes && base.find(e.getKey()) == null) {
                next = Changes.withEntries(next.without(e.getKey()), next, e.getKey());
                kept = kept.without(e.getKey());
            } else {
                // the file has the key, so an override is needed
                ConfigNode value = unsaid ? Changes.defaultOf(e.getKey()) : e.getValue();
                next = goes && !unsaid ? next.without(e.getKey()) : next.with(e.getKey(), placed(value, by));
                kept = kept.with(e.getKey(), Changes.over(base, e.getKey(), value));
            }
        }
        next = HeldFiles.in(next);
        WeirConfig value = ConfigLoader.bind(next, functions, problems);
        problems.addAll(YamlText.unreadable(next, "change"));
        if (persist) {
            problems.addAll(YamlText.unreadable(kept, Overrides.FILE));
        }
        Preparation.Ready ready = prepare(next, value, problems);
        if (!problems.isEmpty()) {
            return refused(problems.stream().map(p -> sent(p, by, changes)).toList());
        }
        if (persist) {
            write(kept, ready);
        }
        return apply(next, value, List.copyOf(changes.keySet()), author, ready);
    }

    /**
     * Reloads file, persisted changes and command line and applies the dynamic knobs, all or nothing; live changes that
     * are not persisted are dropped. A configuration with any problem changes nothing.
     */
    public synchronized Reload reload(String author) {
        LoadedConfig fresh = loader.load(functions);
        Reread reread = Reread.of(tree, fresh.tree());
        List<ConfigProblem> problems = new ArrayList<>(fresh.problems());
        WeirConfig value = problems.isEmpty() ? ConfigLoader.bind(reread.next(), functions, problems) : live.get();
        Preparation.Ready ready = prepare(reread.next(), value, problems);
        if (!problems.isEmpty()) {
            log.log(ServerMessages.RELOAD_REFUSED, author, problems.getFirst(), problems.size());
            return new Reload(refused(problems), List.of());
        }
        base = fresh.base();
        overrides = fresh.overrides();
        if (!reread.atRestart().isEmpty() && !trial) {
            log.log(ServerMessages.RELOAD_WAITS, String.join(", ", reread.atRestart()));
        }
        if (reread.changed().isEmpty()) {
            tree = reread.next();
            ready.cancel();
            return new Reload(new Outcome(current, List.of(), List.of()), reread.atRestart());
        }
        return new Reload(apply(reread.next(), value, reread.changed(), author, ready), reread.atRestart());
    }

    /**
     * Goes back to an earlier configuration and persists that.
     *
     * @throws IOException if there is no such configuration
     */
    public synchronized Outcome rollback(int number, String author) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        Map<String, ConfigNode> changes = Changes.between(tree, history.read(number), problems);
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        String remedy = "takes effect only at start: stop the server, then run ./weir config rollback " + number;
        changes.keySet().stream()
                .filter(Changes::atStart)
                .forEach(key -> problems.add(new ConfigProblem(Place.of("configuration " + number), key, remedy)));
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        return changes.isEmpty() ? new Outcome(current, List.of(), List.of()) : patch(changes, author, true);
    }

    /**
     * Applies the live configuration of another process, or of this one's predecessor; nothing is persisted.
     *
     * @param file a whole configuration, as {@link #text} gave it
     * @throws IOException if it cannot be read
     */
    public synchronized Outcome follow(Path file) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        Reread reread = Reread.of(tree, InForceText.read(file, problems));
        WeirConfig value = ConfigLoader.bind(reread.next(), functions, problems);
        Preparation.Ready ready = prepare(reread.next(), value, problems);
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        if (reread.changed().isEmpty()) {
            ready.cancel();
            return new Outcome(current, List.of(), List.of());
        }
        followed = numbered(Files.readString(file));
        return apply(reread.next(), value, reread.changed(), "the supervisor", ready);
    }

    /** The text of a configuration with the number under which it was applied, for {@link #follow}. */
    public static String numbered(int number, String text) {
        return NUMBER + number + "\n" + text;
    }

    private static int numbered(String text) {
        String first = text.lines().findFirst().orElse("");
        return first.startsWith(NUMBER) ? Integer.parseInt(first, NUMBER.length(), first.length(), 10) : 0;
    }

    /** Whether a change is persisted at a key, or in a section. */
    public synchronized boolean persisted(String path) {
        return !Overrides.at(overrides, path).isEmpty();
    }

    /**
     * Drops persisted changes: the values of file and command line apply again, for dynamic knobs at once, for others
     * from the next start.
     *
     * @param path a key, or a section for all that is persisted in it
     * @return which values changed at once
     * @throws IOException if {@code overrides.yaml} cannot be written; then nothing is dropped
     */
    public synchronized Outcome drop(String path, String author) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        ConfigNode.Mapping next = tree;
        ConfigNode.Mapping kept = overrides;
        for (String key : Overrides.at(overrides, path)) {
            kept = kept.without(key);
            if (Changes.live(key) && !source(tree, key).startsWith("--set")) {
                ConfigNode below = base.find(key);
                next = below == null ? Changes.withEntries(next.without(key), base, key) : next.with(key, below);
                changed.add(key);
            }
        }
        WeirConfig value = ConfigLoader.bind(next, functions, problems);
        Preparation.Ready ready = prepare(next, value, problems);
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        write(kept, ready);
        if (!trial) {
            log.log(ServerMessages.OVERRIDE_DROPPED, path, author);
        }
        return apply(next, value, changed, author, ready);
    }

    /** The problem with its place in the request. */
    private static ConfigProblem sent(ConfigProblem p, Place by, Map<String, ConfigNode> changes) {
        if (!p.at().equals(by)) {
            return p;
        }
        return changes.entrySet().stream()
                .filter(e -> p.key().equals(e.getKey())
                        || p.key().startsWith(e.getKey() + ".")
                        || p.key().startsWith(e.getKey() + "["))
                .findFirst()
                .map(e -> new ConfigProblem(e.getValue().at(), p.key(), p.what()))
                .orElse(p);
    }

    private Preparation.Ready prepare(ConfigNode.Mapping next, WeirConfig value, List<ConfigProblem> problems) {
        return problems.isEmpty()
                ? preparation.prepare(
                        live.get(),
                        value,
                        (key, what) -> problems.add(new ConfigProblem(next.nearestPlace(key), key, what)))
                : Preparation.Ready.NOTHING;
    }

    private Outcome refused(List<ConfigProblem> problems) {
        stats.counter(ServerStats.CONFIG_REFUSED).inc();
        return new Outcome(0, List.of(), problems);
    }

    private void write(ConfigNode.Mapping kept, Preparation.Ready ready) throws IOException {
        try {
            if (!trial) {
                Overrides.write(kept, dataDir);
            }
        } catch (IOException e) {
            ready.cancel();
            throw e;
        }
        overrides = kept;
    }

    private Outcome apply(
            ConfigNode.Mapping next, WeirConfig value, List<String> keys, String author, Preparation.Ready ready) {
        tree = next;
        if (trial) {
            ready.cancel();
            return new Outcome(current, keys, List.of());
        }
        try {
            live.set(value);
        } catch (RuntimeException e) {
            log.log(ServerMessages.OBSERVER_FAILED, e);
        }
        ready.begin();
        stats.counter(ServerStats.CONFIG_CHANGES).inc();
        int number = remember(author, String.join(", ", keys));
        current = number;
        log.log(ServerMessages.CONFIGURATION_APPLIED, number, author, String.join(", ", keys));
        return new Outcome(number, keys, List.of());
    }

    private int remember(String author, String what) {
        if (!first) {
            int number = followed > 0 ? followed : history.lastNumber();
            followed = 0;
            return number;
        }
        try {
            return history.append(
                    tree, clock.millis(), author, what, live.get().server().historyLimit(), current);
        } catch (IOException | UncheckedIOException e) {
            log.log(
                    ServerMessages.HISTORY_FAILED,
                    dataDir.resolve(History.FOLDER),
                    e instanceof IOException io ? IoReason.of(io) : e);
            // it is still a different configuration: the author of a change must know which one it was based on
            return Math.max(current, history.lastNumber()) + 1;
        }
    }

    private static String source(ConfigNode.Mapping tree, String key) {
        String plain = key.indexOf('[') < 0 ? key : key.substring(0, key.indexOf('['));
        @Nullable ConfigNode node = tree.find(plain);
        return node == null ? "default" : node.at().toString();
    }

    static ConfigNode placed(ConfigNode node, Place at) {
        return switch (node) {
            case ConfigNode.Scalar s -> new ConfigNode.Scalar(at, s.text());
            case ConfigNode.Sequence s ->
                new ConfigNode.Sequence(
                        at, s.items().stream().map(i -> placed(i, at)).toList());
            case ConfigNode.Mapping m -> {
                Map<String, ConfigNode> entries = new LinkedHashMap<>();
                m.entries().forEach((k, v) -> entries.put(k, placed(v, at)));
                yield new ConfigNode.Mapping(at, entries, Map.of());
            }
        };
    }
}
