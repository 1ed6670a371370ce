package io.weir.jms.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The version of this client, which the build wrote beside its class: a manifest is lost in an application's own jar. Stateless. */
final class ProviderVersion {
    static final String TEXT = read();

    private ProviderVersion() {}

    /** The part of it with an index, such as the major one, 0; 0 if it has none. */
    static int number(int part) {
        String[] parts = TEXT.split("[.-]", -1);
        return part < parts.length && parts[part].matches("\\d{1,9}") ? Integer.parseInt(parts[part]) : 0;
    }

    private static String read() {
        try (InputStream in = ProviderVersion.class.getResourceAsStream("version")) {
            return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
