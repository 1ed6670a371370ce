package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.TEXT;
import static io.weir.proxy.function.ParameterSpec.Type.WILDCARD;

import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The functions of ObjectType that set the media type by which Service directives are chosen. Answers of origins keep
 * their own. Stateless.
 */
final class TypeFunctions {
    private static final Set<Stage> OBJECT_TYPE = Set.of(Stage.OBJECT_TYPE);

    private TypeFunctions() {}

    static List<ServerFunction> all() {
        return List.of(forceType(), typeByExtension(), typeByExpression());
    }

    /** What the reference sets beside the type, for files that it serves. */
    private static List<ParameterSpec> and(ParameterSpec... own) {
        List<ParameterSpec> all = new ArrayList<>(List.of(own));
        for (String name : List.of("enc", "lang", "charset")) {
            all.add(ParameterSpec.optional(name, TEXT, "accepted; answers keep what their origin says"));
        }
        return all;
    }

    private static ServerFunction.Step setting(@Nullable String type) {
        return run -> {
            if (type != null) {
                run.type(type);
            }
            return StepOutcome.NOACTION;
        };
    }

    private static ServerFunction forceType() {
        return SimpleFunction.of(
                "force-type",
                OBJECT_TYPE,
                "Sets the media type by which Service directives are chosen, unless it is set.",
                and(ParameterSpec.optional("type", TEXT, "the type, such as text/html or magnus-internal/force")),
                p -> setting(p.text("type")));
    }

    private static ServerFunction typeByExtension() {
        return SimpleFunction.of(
                        "type-by-extension",
                        OBJECT_TYPE,
                        "Sets that type by the extension of the path, unless it is set.",
                        List.of(new ParameterSpec(
                                "file",
                                TEXT,
                                null,
                                false,
                                true,
                                List.of(),
                                "a table of types as mime.types, read once, at most 1 MiB; absent: those of"
                                        + " proxy.mime-types, or the usual ones")),
                        p -> {
                            MediaTypes types = types(p.all("file"));
                            return run -> byExtension(run, types);
                        })
                .reading("file");
    }

    /** The tables, of which an earlier one counts first. */
    private static MediaTypes types(List<String> files) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String file : files) {
            all.writeBytes(Pages.read("the table", file, Pages.MAX_FILE));
            all.write('\n');
        }
        return files.isEmpty() ? MediaTypes.USUAL : MediaTypes.parse(all.toByteArray());
    }

    private static StepOutcome byExtension(FunctionContext run, MediaTypes types) {
        String type = run.type() == null ? types.of(run.path()) : null;
        if (type != null) {
            run.type(type);
        }
        return StepOutcome.NOACTION;
    }

    private static ServerFunction typeByExpression() {
        return SimpleFunction.of(
                        "type-by-exp",
                        OBJECT_TYPE,
                        "Sets that type for paths that match, unless it is set.",
                        and(
                                ParameterSpec.required("exp", WILDCARD, "shell expression over the path"),
                                ParameterSpec.optional("type", TEXT, "the type")),
                        p -> {
                            PathPattern path = Patterns.parse(PathMatch.WILDCARD, p.need("exp"));
                            ServerFunction.Step set = setting(p.text("type"));
                            return run -> path.matches(run.input.pathBytes, run.input.pathFrom, run.input.pathTo)
                                    ? set.run(run)
                                    : StepOutcome.NOACTION;
                        })
                .narrowedBy("exp", PathMatch.WILDCARD);
    }
}
