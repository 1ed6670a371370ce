package io.weir.server.admin.views;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Knob;
import io.weir.base.Nearest;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.config.History;
import io.weir.server.config.KnobService;
import io.weir.server.config.Yaml;
import io.weir.server.facts.AutoValues;
import io.weir.server.json.Json;
import io.weir.server.start.Share;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration on the admin listener: {@code GET /knobs}, {@code GET /knobs/KEY}, {@code PATCH /knobs}, {@code DELETE /knobs/KEY} the
 * history with its roll-back, and the reload of the file. Shared.
 */
public final class KnobViews {
    private final KnobService knobs;
    private final Path dataDir;
    private final AutoValues autos;
    private final CacheViews cache;
    private boolean supervised;

    /** @param cache empties the cache */
    public KnobViews(KnobService knobs, Path dataDir, AutoValues autos, CacheViews cache) {
        this.cache = cache;
        this.knobs = knobs;
        this.dataDir = dataDir;
        this.autos = autos;
    }

    public void register(AdminRouter router, Share share) {
        supervised = share.supervised();
        router.get("/knobs", this::list);
        router.get("/knobs/*", this::one);
        router.change("PATCH", "/knobs", this::patch, "check?", "persist?");
        // for clients that have no PATCH, such as java.net.HttpURLConnection
        router.change("POST", "/knobs", this::patch, "check?", "persist?");
        for (String page : CacheViews.PAGES) {
            router.on("POST", page, Where.THREAD, this::control);
        }
        router.change("DELETE", "/knobs/*", this::drop, "check?");
        router.on("GET", "/config/history", Where.THREAD, _ -> history());
        router.change("POST", "/config/rollback", this::rollback, "n", "check?");
        router.change("POST", "/config/reload", r -> change(r, () -> reload(r)), "check?");
        if (share.supervised()) {
            router.change("POST", "/config/follow", r -> follow(r, share), "check?");
        }
    }

    /** All knobs, or those whose key begins with {@code ?prefix=}. */
    private AdminAnswer list(AdminRequest request) {
        String given = request.parameter("prefix");
        String prefix = given == null ? "" : given;
        // read before the values: after a change in between, the tag is the old one, and a change that it guards is
        // refused
        String tag = tag(knobs.current());
        List<KnobService.View> selected = knobs.knobs().stream()
                .filter(v -> v.item().key().startsWith(prefix))
                .toList();
        return AdminAnswer.json(200, Json.rows(selected, this::knob)).with("ETag", tag);
    }

    /** One knob, by its whole key. */
    private AdminAnswer one(AdminRequest request) {
        String key = key(request);
        String tag = tag(knobs.current());
        List<KnobService.View> all = knobs.knobs();
        for (KnobService.View v : all) {
            if (v.item().key().equals(key)) {
                return AdminAnswer.json(200, j -> knob(v, j)).with("ETag", tag);
            }
        }
        return AdminAnswer.problem(404, "Not found", unknown(key, all));
    }

    private static String key(AdminRequest request) {
        return request.path().substring("/knobs/".length());
    }

    private static String unknown(String key, List<KnobService.View> all) {
        List<String> keys = all.stream().map(v -> v.item().key()).toList();
        if (key.isEmpty()) {
            return "a key is missing behind /knobs/: GET /knobs lists all knobs";
        }
        if (keys.stream().anyMatch(k -> k.startsWith(key + "."))) {
            return "\"" + key + "\" is a section: GET /knobs?prefix=" + key + ". lists its knobs";
        }
        String nearest = Nearest.of(key, keys);
        return "there is no knob \"" + key + "\"" + (nearest == null ? "." : "; did you mean \"" + nearest + "\"?")
                + " GET /knobs lists all knobs.";
    }

    private static String tag(int number) {
        return "\"" + number + "\"";
    }

    /**
     * Makes a change, unless If-Match names another configuration than the one in force, because of a concurrent change
     * (RFC 9110 section 13.1.1).
     */
    private AdminAnswer change(AdminRequest request, KnobService.Change<AdminAnswer> change) throws IOException {
        String given = request.field("if-match");
        List<String> wanted = given == null
                ? List.of("*")
                : Arrays.stream(given.split(",", -1)).map(String::strip).toList();
        Optional<AdminAnswer> made = knobs.when(
                now -> wanted.contains("*") || wanted.contains(tag(now)),
                () -> change.apply().with("ETag", tag(knobs.current())));
        if (made.isPresent()) {
            return made.get();
        }
        History.Entry last = last();
        String who = last == null || last.number() != knobs.current()
                ? ""
                : ", applied by " + last.author() + " at " + last.time() + ": " + last.what();
        return AdminAnswer.problem(
                        412,
                        "Precondition failed",
                        "The configuration in force is " + tag(knobs.current()) + who
                                + ". Look at it (GET /knobs), and send the change with its ETag in If-Match.")
                .with("ETag", tag(knobs.current()));
    }

    private History.@Nullable Entry last() {
        try {
            return new History(dataDir).last();
        } catch (IOException e) {
            // the author is only a convenience
            return null;
        }
    }

    private void knob(KnobService.View view, Json to) {
        Knob knob = view.item().spec().knob();
        String auto = autos.of(view.item());
        to.add("key", view.item().key()).add("value", view.item().text());
        if (auto != null) {
            to.add("inForce", auto);
        }
        to.add("default", knob.value())
                .add("source", view.source())
                .add("type", view.item().spec().typeName())
                .add("unit", knob.unit())
                .add("min", knob.min())
                .add("max", knob.max())
                .add("dynamic", knob.dynamic())
                .add("doc", knob.doc())
                .add("watch", List.of(knob.watch()))
                .add("knownAs", knob.knownAs());
    }

    private AdminAnswer patch(AdminRequest request) throws IOException {
        boolean persist = request.isTrue("persist");
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Mapping body = Yaml.json("body", request.body(), problems);
        if (!problems.isEmpty()) {
            return refusal(400, "Not a JSON object of keys and values", problems);
        }
        return change(request, () -> {
            KnobService on = on(request);
            return outcome(on, on.patch(body.entries(), request.author(), persist));
        });
    }

    /** {@code POST /nsc?start}, {@code ?stop}: the memory cache is switched on or off until the next start. */
    private AdminAnswer control(AdminRequest request) throws IOException {
        AdminRequest change = CacheViews.change(request);
        return change == null ? cache.control(request) : patch(change);
    }

    /** Drops the persisted changes of a key or a section. */
    private AdminAnswer drop(AdminRequest request) throws IOException {
        String key = key(request);
        if (key.isEmpty()) {
            return AdminAnswer.problem(
                    404, "Not found", "a key or section is missing behind /knobs/: nothing was changed");
        }
        if (!knobs.persisted(key)) {
            return AdminAnswer.problem(404, "Not found", "no change of \"" + key + "\" is persisted");
        }
        return change(request, () -> {
            KnobService on = on(request);
            return outcome(on, on.drop(key, request.author()));
        });
    }

    private AdminAnswer rollback(AdminRequest request) throws IOException {
        String given = request.parameter("n");
        if (given == null || given.isEmpty()) {
            return AdminAnswer.problem(400, "Bad request", "n is missing: the number of a configuration");
        }
        if (!given.matches("\\d{1,9}")) {
            return AdminAnswer.problem(
                    400, "Bad request", "n is the number of a configuration (GET /config/history), not " + given);
        }
        int number = Integer.parseInt(given);
        return change(request, () -> {
            KnobService on = on(request);
            try {
                return outcome(on, on.rollback(number, request.author()));
            } catch (History.Missing e) {
                // also one that a concurrent change has just dropped
                return AdminAnswer.problem(404, "Not found", "there is no configuration " + number);
            }
        });
    }

    /** Reloads file, overrides and command line. */
    private AdminAnswer reload(AdminRequest request) {
        KnobService on = on(request);
        KnobService.Reload reload = on.reload(request.author());
        KnobService.Outcome outcome = reload.outcome();
        if (!outcome.applied()) {
            return refusal(422, "The configuration is wrong, nothing was applied", outcome.problems());
        }
        return AdminAnswer.json(
                200,
                j -> next(
                        on,
                        j.add("configuration", outcome.number())
                                .add("changed", outcome.changed())
                                .add("atRestart", reload.atRestart())));
    }

    /** With {@code ?check=true} nothing is applied or kept. */
    private KnobService on(AdminRequest request) {
        return request.isTrue("check") ? knobs.trial() : knobs;
    }

    /** The supervisor gets the whole resulting configuration; its text contains secrets, so no other client gets it. */
    private void next(KnobService on, Json to) {
        if (on != knobs && supervised) {
            to.add("next", on.text());
        }
    }

    private AdminAnswer outcome(KnobService on, KnobService.Outcome outcome) {
        if (!outcome.applied()) {
            return refusal(422, "The change was refused, nothing was applied", outcome.problems());
        }
        return AdminAnswer.json(
                200, j -> next(on, j.add("configuration", outcome.number()).add("changed", outcome.changed())));
    }

    /**
     * Applies, or with {@code ?check=true} only checks, the configuration that the supervisor wrote into a file for all
     * processes.
     */
    private AdminAnswer follow(AdminRequest request, Share share) throws IOException {
        KnobService on = on(request);
        return outcome(on, on.follow(on == knobs ? share.inForce() : share.next()));
    }

    /** RFC 9457 with an additional member: every problem with its key and place. */
    private static AdminAnswer refusal(int status, String title, List<ConfigProblem> problems) {
        String detail = problems.stream()
                .map(p -> (p.key().isEmpty() ? p.at() : p.key()) + ": " + p.what())
                .collect(Collectors.joining("; "));
        return AdminAnswer.problem(
                status,
                title,
                detail,
                j -> j.array(
                        "problems",
                        problems,
                        (p, row) -> row.add("key", p.key())
                                .add("at", p.at().toString())
                                .add("what", p.what())));
    }

    private AdminAnswer history() throws IOException {
        return AdminAnswer.json(
                200,
                Json.rows(
                        new History(dataDir).entries(),
                        (e, row) -> row.add("number", e.number())
                                .add("time", e.time())
                                .add("author", e.author())
                                .add("what", e.what())));
    }
}
