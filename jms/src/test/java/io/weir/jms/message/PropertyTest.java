package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.5: properties. */
class PropertyTest {
    private final Delivered consumer = new Delivered();
    private final WeirMessage message = new WeirMessage();

    /** Reads a property as one type. */
    @FunctionalInterface
    private interface Getter {
        @Nullable
        Object get(WeirMessage message, String name) throws JMSException;
    }

    private static Map<String, Getter> getters() {
        Map<String, Getter> all = new LinkedHashMap<>();
        all.put("boolean", WeirMessage::getBooleanProperty);
        all.put("byte", WeirMessage::getByteProperty);
        all.put("short", WeirMessage::getShortProperty);
        all.put("int", WeirMessage::getIntProperty);
        all.put("long", WeirMessage::getLongProperty);
        all.put("float", WeirMessage::getFloatProperty);
        all.put("double", WeirMessage::getDoubleProperty);
        all.put("String", WeirMessage::getStringProperty);
        return all;
    }

    private static WeirMessage every(WeirMessage m) throws JMSException {
        m.setBooleanProperty("boolean", true);
        m.setByteProperty("byte", (byte) 1);
        m.setShortProperty("short", (short) 1);
        m.setIntProperty("int", 1);
        m.setLongProperty("long", 1);
        m.setFloatProperty("float", 1);
        m.setDoubleProperty("double", 1);
        m.setStringProperty("String", "1");
        return m;
    }

    /** Table 3-2: a value set as the key can be read as these. */
    private static final Map<String, List<String>> CONVERSIONS = Map.of(
            "boolean", List.of("boolean", "String"),
            "byte", List.of("byte", "short", "int", "long", "String"),
            "short", List.of("short", "int", "long", "String"),
            "int", List.of("int", "long", "String"),
            "long", List.of("long", "String"),
            "float", List.of("float", "double", "String"),
            "double", List.of("double", "String"),
            "String", List.of("boolean", "byte", "short", "int", "long", "float", "double", "String"));

    @Test
    void conversionsAreThoseOfTheTableAndNoOthers() throws JMSException {
        for (WeirMessage m : new WeirMessage[] {every(message), consumer.deliver(message)}) {
            for (String set : CONVERSIONS.keySet()) {
                for (Map.Entry<String, Getter> read : getters().entrySet()) {
                    boolean allowed = CONVERSIONS.get(set).contains(read.getKey());
                    String what = set + " read as " + read.getKey();
                    if (allowed) {
                        assertThat(read.getValue().get(m, set)).as(what).isNotNull();
                    } else {
                        assertThatExceptionOfType(MessageFormatException.class)
                                .as(what)
                                .isThrownBy(() -> read.getValue().get(m, set));
                    }
                }
            }
        }
    }

    @Test
    void valuesKeepTheirTypesOnTheWay() throws JMSException {
        WeirMessage received = consumer.deliver(every(message));
        assertThat(received.getObjectProperty("byte")).isEqualTo((byte) 1);
        assertThat(received.getObjectProperty("short")).isEqualTo((short) 1);
        assertThat(received.getObjectProperty("int")).isEqualTo(1);
        assertThat(received.getObjectProperty("long")).isEqualTo(1L);
        assertThat(received.getObjectProperty("float")).isEqualTo(1f);
        assertThat(received.getObjectProperty("double")).isEqualTo(1d);
        assertThat(received.getObjectProperty("boolean")).isEqualTo(true);
        assertThat(received.getStringProperty("float")).isEqualTo("1.0");
    }

    @Test
    void aTextThatIsNoNumberIsANumberFormatException() throws JMSException {
        message.setStringProperty("text", "one");
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> message.getIntProperty("text"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> message.getDoubleProperty("text"));
        assertThat(message.getBooleanProperty("text")).isFalse();
        message.setStringProperty("text", "TRUE");
        assertThat(message.getBooleanProperty("text")).isTrue();
    }

    @Test
    void whatIsNotSetReadsAsNull() throws JMSException {
        message.setStringProperty("nothing", null);
        for (String name : new String[] {"missing", "nothing"}) {
            assertThat(message.getStringProperty(name)).isNull();
            assertThat(message.getObjectProperty(name)).isNull();
            assertThat(message.getBooleanProperty(name)).isFalse();
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> message.getByteProperty(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> message.getShortProperty(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> message.getIntProperty(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> message.getLongProperty(name));
            assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> message.getFloatProperty(name));
            assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> message.getDoubleProperty(name));
        }
        assertThat(message.propertyExists("missing")).isFalse();
        assertThat(message.propertyExists("nothing")).isTrue();
    }

    @Test
    void objectsOfPropertyTypesOnlyAreTaken() throws JMSException {
        for (Object value : new Object[] {true, (byte) 1, (short) 1, 1, 1L, 1f, 1d, "1"}) {
            message.setObjectProperty("p", value);
            assertThat(consumer.deliver(message).getObjectProperty("p")).isEqualTo(value);
        }
        for (Object value : new Object[] {'c', new byte[1], List.of(), new Object()}) {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> message.setObjectProperty("p", value));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE", "1a", "a-b",
                "a b", "a.b"
            })
    void whatIsNoIdentifierOfSelectorsIsNoName(String name) {
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> message.setIntProperty(name, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_", "$x1", "größe", "JMS_weir_x", "Nullable", "jmsx", "true", "Not"})
    void identifiersAreNames(String name) throws JMSException {
        message.setIntProperty(name, 1);
        assertThat(message.getIntProperty(name)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JMSType", "JMSPriority", "JMSFoo", "JMSXFoo", "JMS"})
    void reservedNamesAreRefused(String name) {
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> message.setStringProperty(name, "x"));
    }

    @Test
    @SuppressWarnings("NullAway") // what the test is about
    void noNameIsAnIllegalArgument() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> message.setIntProperty("", 1));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> message.setIntProperty(null, 1));
    }

    @Test
    void groupPropertiesAreTheApplications() throws JMSException {
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 2);
        WeirMessage received = consumer.deliver(message);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(2);
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> message.setIntProperty("JMSXGroupID", 1));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> message.setLongProperty("JMSXGroupSeq", 1));
    }

    @Test
    void theProviderCountsDeliveries() throws JMSException {
        message.setIntProperty("JMSXDeliveryCount", 77);
        assertThat(message.propertyExists("JMSXDeliveryCount")).isFalse();
        WeirMessage received = consumer.deliver(message);
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.getStringProperty("JMSXDeliveryCount")).isEqualTo("1");
        assertThat(received.propertyExists("JMSXDeliveryCount")).isTrue();
        assertThat(Collections.list(received.getPropertyNames())).containsExactly("JMSXDeliveryCount");
    }

    @Test
    void namesDoNotIncludeHeaderFields() throws JMSException {
        assertThat(Collections.list(every(message).getPropertyNames()))
                .containsExactlyInAnyOrderElementsOf(CONVERSIONS.keySet());
    }

    @Test
    void aReceivedMessageIsReadOnlyUntilCleared() throws JMSException {
        WeirMessage received = consumer.deliver(every(message));
        for (String name : List.of("int", "new", "JMSXDeliveryCount")) {
            assertThatExceptionOfType(MessageNotWriteableException.class)
                    .isThrownBy(() -> received.setIntProperty(name, 1));
        }
        assertThat(received.getIntProperty("int")).isEqualTo(1);
        received.clearProperties();
        assertThat(received.propertyExists("int")).isFalse();
        received.setIntProperty("new", 2);
        assertThat(consumer.deliver(received).getIntProperty("new")).isEqualTo(2);
    }

    @Test
    void clearingPropertiesLeavesTheBody() throws JMSException {
        WeirTextMessage text = new WeirTextMessage();
        text.setText("body");
        text.setIntProperty("p", 1);
        WeirTextMessage received = consumer.deliver(text);
        received.clearProperties();
        assertThat(received.getText()).isEqualTo("body");
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setText("x"));
        WeirTextMessage other = consumer.deliver(text);
        other.clearBody();
        assertThat(other.getText()).isNull();
        assertThat(other.getIntProperty("p")).isEqualTo(1);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> other.setIntProperty("p", 2));
    }

    @Test
    void aMessageSentStaysWriteableAndCanBeSentAgain() throws JMSException {
        message.setIntProperty("p", 1);
        WeirMessage first = consumer.deliver(message);
        message.setIntProperty("p", 2);
        WeirMessage second = consumer.deliver(message);
        assertThat(first.getIntProperty("p")).isEqualTo(1);
        assertThat(second.getIntProperty("p")).isEqualTo(2);
    }

    @Test
    void aReceivedMessageIsSentOnWithItsProperties() throws JMSException {
        WeirMessage onward = consumer.deliver(consumer.deliver(every(message)));
        assertThat(onward.getLongProperty("long")).isEqualTo(1);
        WeirMessage read = consumer.deliver(onward);
        read.getIntProperty("int");
        assertThat(consumer.deliver(read).getStringProperty("String")).isEqualTo("1");
    }
}
