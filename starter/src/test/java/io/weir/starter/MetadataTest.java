package io.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.base.Knob;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.jms.client.settings.ClientKnobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * What editors offer: the options are those of {@link ClientKnobs}, and {@code -Ddocs.write=true} writes them; the other
 * properties are read from their class by Spring Boot's processor.
 */
class MetadataTest {
    private static final Path OPTIONS =
            Path.of("src/main/resources/META-INF/additional-spring-configuration-metadata.json");
    private static final Path ALL = Path.of("target/classes/META-INF/spring-configuration-metadata.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static List<KnobSpec> knobs() {
        return KnobCatalogue.of(ClientKnobs.class).knobs();
    }

    private static Map<String, Object> property(KnobSpec spec) {
        Knob knob = spec.knob();
        Map<String, Object> property = new LinkedHashMap<>();
        property.put("name", "weir.jms.options." + spec.key());
        property.put("type", type(spec).getName());
        property.put("description", knob.doc() + (knob.unit().isEmpty() ? "" : " Unit: " + knob.unit() + "."));
        if (!knob.value().isEmpty()) {
            property.put("defaultValue", value(type(spec), knob.value()));
        }
        return property;
    }

    /** Names of enumerations differ from what the client takes: those are texts. */
    private static Class<?> type(KnobSpec spec) {
        if (spec.type() == int.class) {
            return Integer.class;
        }
        if (spec.type() == long.class) {
            return Long.class;
        }
        return spec.type() == boolean.class ? Boolean.class : String.class;
    }

    private static Object value(Class<?> type, String text) {
        if (type == Boolean.class) {
            return text.equals("on");
        }
        return type == String.class ? text : Long.valueOf(text);
    }

    private static Map<String, Object> hint(KnobSpec spec) {
        List<Object> values = new ArrayList<>();
        spec.choices().forEach(choice -> values.add(Map.of("value", choice)));
        Map<String, Object> hint = new LinkedHashMap<>();
        hint.put("name", "weir.jms.options." + spec.key());
        hint.put("values", values);
        return hint;
    }

    @Test
    void theOptionsAreThoseOfTheClient() throws IOException {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("properties", knobs().stream().map(MetadataTest::property).toList());
        file.put(
                "hints",
                knobs().stream()
                        .filter(k -> !k.choices().isEmpty())
                        .map(MetadataTest::hint)
                        .toList());
        String expected = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(file) + "\n";
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(OPTIONS, expected);
        }
        assertThat(Files.readString(OPTIONS))
                .as("stale: mvn -pl starter -am test -Dtest=MetadataTest -Ddocs.write=true")
                .isEqualTo(expected);
    }

    @Test
    void everyPropertyHasADescriptionATypeAndItsDefault() throws IOException {
        List<String> names = new ArrayList<>();
        List<String> withoutDefault = new ArrayList<>();
        for (JsonNode property : JSON.readTree(ALL.toFile()).get("properties")) {
            String name = property.get("name").asText();
            names.add(name);
            assertThat(property.path("description").asText()).as(name).endsWith(".");
            assertThat(property.path("type").asText()).as(name).startsWith("java.");
            if (!property.has("defaultValue")) {
                withoutDefault.add(name);
            }
        }
        assertThat(names)
                .as("the compiler merges the file of the options; after a change of that alone, mvn clean")
                .hasSize(12 + knobs().size())
                .doesNotHaveDuplicates();
        assertThat(withoutDefault)
                .containsExactlyInAnyOrder(
                        "weir.jms.user",
                        "weir.jms.password",
                        "weir.jms.options",
                        "weir.jms.options.client-id",
                        "weir.jms.options.deserialization-allow-list");
    }

    /** An editor that fills in all defaults changes nothing. */
    @Test
    void theDefaultsAreThose() throws IOException {
        Map<String, Object> defaults = new LinkedHashMap<>();
        for (JsonNode property : JSON.readTree(ALL.toFile()).get("properties")) {
            if (property.has("defaultValue")) {
                defaults.put(
                        property.get("name").asText(),
                        property.get("defaultValue").asText());
            }
        }
        WeirProperties all = bound(defaults);
        WeirProperties none = bound(Map.of());
        assertThat(all.url()).isEqualTo(none.url());
        assertThat(all.pool()).isEqualTo(none.pool());
        assertThat(WeirFactories.plain(all).knobs()).isEqualTo(ClientKnobs.defaults());
    }

    private static WeirProperties bound(Map<String, Object> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("weir.jms", WeirProperties.class);
    }
}
