package io.weir.proxy.accesslog;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An exchange of which the test says what it knows. */
final class FakeExchange implements LogSource {
    private final Map<LogVariable, String> values = new EnumMap<>(LogVariable.class);
    private final Map<String, String> named = new HashMap<>();

    FakeExchange with(LogVariable variable, String value) {
        values.put(variable, value);
        return this;
    }

    FakeExchange with(String name, String value) {
        named.put(name, value);
        return this;
    }

    @Override
    public void logValue(LogVariable variable, RecordText out) {
        put(values.get(variable), out);
    }

    @Override
    public int logStatus() {
        String status = values.get(LogVariable.STATUS);
        return status == null ? 0 : Integer.parseInt(status);
    }

    @Override
    public void logCookie(String name, RecordText out) {
        put(named.get("cookie " + name), out);
    }

    @Override
    public void logRequestField(String name, RecordText out) {
        put(named.get("request " + name), out);
    }

    @Override
    public void logResponseField(String name, RecordText out) {
        put(named.get("response " + name), out);
    }

    @Override
    public void logVariable(String name, RecordText out) {
        put(named.get("variable " + name), out);
    }

    private static void put(@Nullable String value, RecordText out) {
        out.append(value);
    }
}
