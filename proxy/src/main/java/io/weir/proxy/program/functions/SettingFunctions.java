package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.DURATION;
import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.INTEGER;
import static io.weir.proxy.function.ParameterSpec.Type.KILOBYTES;
import static io.weir.proxy.function.ParameterSpec.Type.NUMBER;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.base.Durations;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.CacheChoice;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The functions of NameTrans, ObjectType and Route that apply settings; the first value that is set stays. Stateless.
 */
public final class SettingFunctions {
    private static final Set<Stage> OBJECT_TYPE = Set.of(Stage.OBJECT_TYPE);

    private static final String LISTS = "refused: a 304 updates stored fields by RFC 9111 section 3.2";

    private SettingFunctions() {}

    static List<ServerFunction> all() {
        return List.of(cacheEnable(), cacheDisable(), cacheSetting(), editHeaders(), useWorkManager());
    }

    private static ServerFunction cacheEnable() {
        return SimpleFunction.of(
                "cache-enable",
                OBJECT_TYPE,
                "Answers may be stored and reused.",
                List.of(
                        ParameterSpec.of("cache-auth", FLAG, "0", "store answers to requests with Authorization"),
                        ParameterSpec.optional(
                                "query-maxlen",
                                INTEGER,
                                "longest query that is cached, bytes; 0: none; else cache.query-maxlen"),
                        ParameterSpec.optional(
                                "min-size", KILOBYTES, "smallest body, KB or with a unit; else cache.min-object-size"),
                        ParameterSpec.optional(
                                "max-size",
                                KILOBYTES,
                                "largest body, KB or with a unit; 0 or nothing: cache.max-object-size,"
                                        + " on the disk cache.disk.max-object-size"),
                        ParameterSpec.of("cache-local", FLAG, "0", "accepted; hosts without a dot are cached alike"),
                        ParameterSpec.of("cache-https", FLAG, "0", "accepted; answers over TLS are cached alike"),
                        ParameterSpec.optional("log-report", TEXT, "accepted; nothing is reported")),
                p -> {
                    long max = p.bytes("max-size", 0);
                    CacheChoice choice = new CacheChoice(
                            p.given("query-maxlen") ? p.integer("query-maxlen") : CacheTerms.CONFIGURED,
                            p.bytes("min-size", CacheTerms.CONFIGURED),
                            max == 0 ? CacheTerms.CONFIGURED : max,
                            p.on("cache-auth"));
                    return run -> {
                        run.cacheChoice(choice);
                        return StepOutcome.NOACTION;
                    };
                });
    }

    private static ServerFunction cacheDisable() {
        return SimpleFunction.of(
                "cache-disable", OBJECT_TYPE, "Answers are neither stored nor reused.", List.of(), _ -> run -> {
                    run.cacheChoice(null);
                    return StepOutcome.NOACTION;
                });
    }

    private static ServerFunction cacheSetting() {
        return SimpleFunction.of(
                "cache-setting",
                OBJECT_TYPE,
                "How long stored answers are used.",
                List.of(
                        ParameterSpec.optional(
                                "max-uncheck", DURATION, "longest use without revalidation; 0: always revalidate"),
                        ParameterSpec.optional(
                                "lm-factor", NUMBER, "heuristic freshness; 0: explicit only; else cache.lm-factor"),
                        ParameterSpec.word(
                                "connect-mode",
                                "always",
                                List.of("always", "normal", "fast-demo", "never"),
                                "when requests go to the origin"),
                        ParameterSpec.optional(
                                "cover-errors",
                                DURATION,
                                "use stale answers when the origin fails; else cache.cover-errors"),
                        ParameterSpec.optional(
                                "term-percent",
                                INTEGER,
                                "finish a fetch that all clients left if more of it has arrived; 0: always; else"
                                        + " cache.term-percent"),
                        ParameterSpec.optional("exclude", TEXT, LISTS),
                        ParameterSpec.optional("replace", TEXT, LISTS),
                        ParameterSpec.optional("no-merge", TEXT, LISTS),
                        ParameterSpec.of("ignore-no-cache", FLAG, "0", "of the request"),
                        ParameterSpec.of("ignore-no-store", FLAG, "0", "of the answer"),
                        ParameterSpec.of("ignore-private", FLAG, "0", "of the answer"),
                        ParameterSpec.of("ignore-reload", FLAG, "0", "of the request")),
                p -> {
                    CacheTerms settings = settings(p);
                    return run -> {
                        run.cacheSettings(settings);
                        return StepOutcome.NOACTION;
                    };
                });
    }

    private static CacheTerms settings(Parameters p) {
        for (String list : List.of("exclude", "replace", "no-merge")) {
            if (p.given(list)) {
                throw new IllegalArgumentException(
                        "\"" + list + "\": a 304 updates the fields of a stored answer by RFC 9111"
                                + " section 3.2; edit-headers removes fields before an answer is stored");
            }
        }
        Set<CacheTerms.Ignored> ignored = EnumSet.noneOf(CacheTerms.Ignored.class);
        for (CacheTerms.Ignored what : CacheTerms.Ignored.values()) {
            if (p.on("ignore-" + word(what))) {
                ignored.add(what);
            }
        }
        int percent = p.given("term-percent") ? p.integer("term-percent") : CacheTerms.CONFIGURED;
        if (percent > 100) {
            throw new IllegalArgumentException("\"term-percent\": expected 0 to 100, found " + percent);
        }
        String uncheck = p.text("max-uncheck");
        String cover = p.text("cover-errors");
        CacheTerms.ConnectMode mode = switch (p.need("connect-mode")) {
            case "fast-demo" -> CacheTerms.ConnectMode.FAST_DEMO;
            case "never" -> CacheTerms.ConnectMode.NEVER;
            default -> CacheTerms.ConnectMode.NORMAL;
        };
        return new CacheTerms(
                CacheTerms.CONFIGURED,
                CacheTerms.CONFIGURED,
                CacheTerms.CONFIGURED,
                uncheck == null
                        ? CacheTerms.CONFIGURED
                        : Durations.parse(uncheck).toMillis(),
                p.given("lm-factor") ? p.number("lm-factor") : CacheTerms.CONFIGURED,
                cover == null ? CacheTerms.CONFIGURED : Durations.parse(cover).toSeconds(),
                percent,
                mode,
                false,
                ignored);
    }

    /** The spelling as a parameter or a knob. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static ServerFunction useWorkManager() {
        return SimpleFunction.of(
                "use-work-manager",
                Set.of(Stage.NAME_TRANS),
                "Sets the work manager and the request class that the request runs under; the first setting stays.",
                List.of(
                        ParameterSpec.optional("name", TEXT, "the work manager"),
                        ParameterSpec.optional("request-class", TEXT, "the class; else that of the work manager")),
                p -> {
                    String name = p.given("name") ? p.need("name") : null;
                    String of = p.given("request-class") ? p.need("request-class") : null;
                    return run -> {
                        run.runsUnder(name, of);
                        return StepOutcome.NOACTION;
                    };
                });
    }

    private static ServerFunction editHeaders() {
        ParameterSpec.Type text = TEXT;
        return SimpleFunction.of(
                "edit-headers",
                OBJECT_TYPE,
                "Sets and removes fields of the request to the origin and of the answer to the client.",
                List.of(
                        new ParameterSpec("set-request", text, null, false, true, List.of(), "Name: value"),
                        new ParameterSpec("remove-request", text, null, false, true, List.of(), "name"),
                        new ParameterSpec("set-response", text, null, false, true, List.of(), "Name: value"),
                        new ParameterSpec("remove-response", text, null, false, true, List.of(), "name")),
                p -> {
                    HeaderEdits request = edits(p.all("remove-request"), p.all("set-request"));
                    HeaderEdits response = edits(p.all("remove-response"), p.all("set-response"));
                    return run -> {
                        if (request != null) {
                            run.requestEdits(request);
                        }
                        if (response != null) {
                            run.responseEdits(response);
                        }
                        return StepOutcome.NOACTION;
                    };
                });
    }

    private static @Nullable HeaderEdits edits(List<String> remove, List<String> set) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : set) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("expected \"Name: value\", found \"" + line + "\"");
            }
            values.put(line.substring(0, colon), line.substring(colon + 1).trim());
        }
        if (remove.isEmpty() && values.isEmpty()) {
            return null;
        }
        return new HeaderEdits(remove, values);
    }
}
