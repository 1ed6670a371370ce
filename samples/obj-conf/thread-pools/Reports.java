import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** The functions of the module "reports", in Java as obj.conf has named them since they were in C. */
public final class Reports {
    private static final String TEXT = "text/plain; charset=utf-8";

    private Reports() {}

    /** Asks the server of reports, and blocks its thread meanwhile. */
    public static final class WriteReport implements RequestFunction {
        @Override
        public String name() {
            return "write-report";
        }

        @Override
        public String doc() {
            return "Answers with a report.";
        }

        @Override
        public Set<Stage> stages() {
            return Set.of(Stage.SERVICE);
        }

        @Override
        public boolean blocks() {
            return true;
        }

        @Override
        public List<ParameterSpec> parameters() {
            return List.of(ParameterSpec.required("from", ParameterSpec.Type.TEXT, "URL of the server of reports"));
        }

        @Override
        public Step prepare(Parameters parameters) {
            String from = parameters.need("from");
            return request -> {
                URI report = URI.create(from + request.path());
                try (InputStream in = report.toURL().openStream()) {
                    byte[] figures = in.readAllBytes();
                    return Verdict.respond(200, TEXT, figures);
                } catch (IOException e) {
                    return Verdict.respond(502, TEXT, bytes("There is no report: " + e.getMessage() + "\n"));
                }
            };
        }
    }

    /** What a client gets while too many reports are waited for. */
    public static final class ReportsBusy implements RequestFunction {
        @Override
        public String name() {
            return "reports-busy";
        }

        @Override
        public String doc() {
            return "Asks the client to come later.";
        }

        @Override
        public Set<Stage> stages() {
            return Set.of(Stage.SERVICE);
        }

        @Override
        public Step prepare(Parameters parameters) {
            return _ -> Verdict.respond(503, TEXT, bytes("Too many reports are being written.\n"))
                    .withResponseField("Retry-After", "60");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
