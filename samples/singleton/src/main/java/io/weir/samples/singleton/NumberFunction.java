package io.weir.samples.singleton;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.proxy.function.FunctionRequest;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.RequestFunction;
import io.weir.proxy.function.Stage;
import io.weir.proxy.function.Verdict;
import java.rmi.RemoteException;
import java.util.Set;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * The number over HTTP, on every server: {@code GET} tells it, {@code POST ?add=8} adds. Each server looks the one object up in
 * its own copy of the naming tree and calls it where it is active. Called on threads of the work manager, many at a time.
 */
@SuppressWarnings("BanJNDI") // JNDI is what is shown; Weir's deserializes nothing
public final class NumberFunction implements RequestFunction {
    @Override
    public String name() {
        return "number";
    }

    @Override
    public String doc() {
        return "Tells the cluster's one number, or adds to it.";
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
    public Step prepare(Parameters parameters) {
        return NumberFunction::answer;
    }

    private static Verdict answer(FunctionRequest request) {
        try {
            NumberService number = (NumberService) new InitialContext().lookup(NumberSingleton.NAME);
            int value = request.method().equals("POST") ? number.add(amount(request.query())) : number.get();
            return text(200, "Hello World, my value is " + value + "\n");
        } catch (NumberFormatException e) {
            return text(400, "POST needs ?add=NUMBER\n");
        } catch (NamingException | RemoteException e) {
            return text(503, "nobody has the number at the moment: " + e.getMessage() + "\n")
                    .withResponseField("Retry-After", "1");
        }
    }

    private static int amount(@Nullable String query) {
        return Integer.parseInt(query != null && query.startsWith("add=") ? query.substring("add=".length()) : "");
    }

    private static Verdict text(int status, String text) {
        return Verdict.respond(status, "text/plain; charset=utf-8", text.getBytes(UTF_8));
    }
}
