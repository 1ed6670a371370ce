package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Section 3.11.3, table 3-7: conversions of maps and streams. */
class ElementConversionTest {
    private static final List<String> TYPES =
            List.of("boolean", "byte", "short", "char", "int", "long", "float", "double", "String", "byte[]");
    private static final Map<String, List<String>> CONVERSIONS = Map.of(
            "boolean", List.of("boolean", "String"),
            "byte", List.of("byte", "short", "int", "long", "String"),
            "short", List.of("short", "int", "long", "String"),
            "char", List.of("char", "String"),
            "int", List.of("int", "long", "String"),
            "long", List.of("long", "String"),
            "float", List.of("float", "double", "String"),
            "double", List.of("double", "String"),
            "String", List.of("boolean", "byte", "short", "int", "long", "float", "double", "String"),
            "byte[]", List.of("byte[]"));

    private final Delivered consumer = new Delivered();

    private static Object value(String type) {
        return switch (type) {
            case "boolean" -> true;
            case "byte" -> (byte) 1;
            case "short" -> (short) 1;
            case "char" -> '1';
            case "int" -> 1;
            case "long" -> 1L;
            case "float" -> 1f;
            case "double" -> 1d;
            case "String" -> "1";
            default -> new byte[] {1, 2};
        };
    }

    private static Object get(WeirMapMessage map, String name, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> map.getBoolean(name);
            case "byte" -> map.getByte(name);
            case "short" -> map.getShort(name);
            case "char" -> map.getChar(name);
            case "int" -> map.getInt(name);
            case "long" -> map.getLong(name);
            case "float" -> map.getFloat(name);
            case "double" -> map.getDouble(name);
            case "String" -> String.valueOf(map.getString(name));
            default -> new Object[] {map.getBytes(name)};
        };
    }

    private static Object read(WeirStreamMessage stream, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> stream.readBoolean();
            case "byte" -> stream.readByte();
            case "short" -> stream.readShort();
            case "char" -> stream.readChar();
            case "int" -> stream.readInt();
            case "long" -> stream.readLong();
            case "float" -> stream.readFloat();
            case "double" -> stream.readDouble();
            case "String" -> String.valueOf(stream.readString());
            default -> stream.readBytes(new byte[3]);
        };
    }

    @Test
    void mapsConvertByTheTableOnly() throws JMSException {
        WeirMapMessage sent = new WeirMapMessage();
        for (String type : TYPES) {
            sent.setObject(type, value(type));
        }
        for (WeirMapMessage map : List.of(sent, consumer.deliver(sent))) {
            for (String set : TYPES) {
                for (String read : TYPES) {
                    String what = set + " read as " + read;
                    if (CONVERSIONS.getOrDefault(set, List.of()).contains(read)) {
                        assertThat(get(map, set, read)).as(what).isNotNull();
                    } else {
                        assertThatExceptionOfType(MessageFormatException.class)
                                .as(what)
                                .isThrownBy(() -> get(map, set, read));
                    }
                }
            }
        }
    }

    @Test
    void streamsConvertByTheTableOnlyAndStayWhereAReadFailed() throws JMSException {
        for (String set : TYPES) {
            for (String read : TYPES) {
                WeirStreamMessage sent = new WeirStreamMessage();
                sent.writeObject(value(set));
                WeirStreamMessage stream = consumer.deliver(sent);
                String what = set + " read as " + read;
                if (CONVERSIONS.getOrDefault(set, List.of()).contains(read)) {
                    assertThat(read(stream, read)).as(what).isNotNull();
                } else {
                    assertThatExceptionOfType(MessageFormatException.class)
                            .as(what)
                            .isThrownBy(() -> read(stream, read));
                    assertThat(stream.readObject()).as("again").isEqualTo(value(set));
                }
            }
        }
    }

    @Test
    void textsThatAreNoNumbersLeaveTheStreamWhereItWas() throws JMSException {
        WeirStreamMessage sent = new WeirStreamMessage();
        sent.writeString("x1");
        sent.writeInt(5);
        WeirStreamMessage stream = consumer.deliver(sent);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(stream::readInt);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(stream::readDouble);
        assertThat(stream.readString()).isEqualTo("x1");
        assertThat(stream.readInt()).isEqualTo(5);
    }

    @Test
    void nullReadsAsItsTypesValueOf() throws JMSException {
        WeirStreamMessage sent = new WeirStreamMessage();
        sent.writeObject(null);
        WeirStreamMessage stream = consumer.deliver(sent);
        WeirMapMessage map = consumer.deliver(new WeirMapMessage());
        Map<String, Class<? extends Exception>> faults = new LinkedHashMap<>();
        for (String type : List.of("byte", "short", "int", "long")) {
            faults.put(type, NumberFormatException.class);
        }
        for (String type : List.of("float", "double", "char")) {
            faults.put(type, NullPointerException.class);
        }
        faults.forEach((type, fault) -> {
            assertThatExceptionOfType(fault).isThrownBy(() -> read(stream, type));
            assertThatExceptionOfType(fault).isThrownBy(() -> get(map, "missing", type));
        });
        assertThat(stream.readBoolean()).isFalse();
        assertThat(map.getBoolean("missing")).isFalse();
        assertThat(map.getString("missing")).isNull();
        assertThat(map.getBytes("missing")).isNull();
        assertThat(map.getObject("missing")).isNull();
    }
}
