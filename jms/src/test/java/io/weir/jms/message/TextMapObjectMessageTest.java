package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.URI;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TextMapObjectMessageTest {
    private final Delivered consumer = new Delivered();
    private final WeirTextMessage text = new WeirTextMessage();
    private final WeirMapMessage map = new WeirMapMessage();
    private final WeirObjectMessage object = new WeirObjectMessage();

    @Test
    void textsTravelAndNullIsNotEmpty() throws JMSException {
        for (String value : new String[] {"", "größe €", "x".repeat(100_000), "\0", "😀", "x\ud83d", "\ude00y"}) {
            text.setText(value);
            assertThat(consumer.deliver(text).getText()).isEqualTo(value);
        }
        text.setText(null);
        assertThat(consumer.deliver(text).getText()).isNull();
    }

    @Test
    void theBodyOfATextIsWhatAStringCanBe() throws JMSException {
        text.setText("x");
        WeirTextMessage got = consumer.deliver(text);
        assertThat(got.getBody(String.class)).isEqualTo("x");
        assertThat(got.getBody(CharSequence.class)).isEqualTo("x");
        assertThat(got.isBodyAssignableTo(Object.class)).isTrue();
        assertThat(got.isBodyAssignableTo(Integer.class)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> got.getBody(Integer.class));
        text.setText(null);
        assertThat(text.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(text.getBody(Integer.class)).isNull();
    }

    @Test
    void aReceivedTextIsReadOnlyUntilCleared() throws JMSException {
        text.setText("x");
        WeirTextMessage got = consumer.deliver(text);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> got.setText("y"));
        assertThat(consumer.deliver(got).getText()).isEqualTo("x");
        got.clearBody();
        assertThat(got.getText()).isNull();
        got.setText("y");
        assertThat(consumer.deliver(got).getText()).isEqualTo("y");
    }

    @Test
    void mapsTravel() throws JMSException {
        map.setBoolean("boolean", true);
        map.setByte("byte", (byte) 1);
        map.setShort("short", (short) 2);
        map.setChar("char", '€');
        map.setInt("int", 3);
        map.setLong("long", 4);
        map.setFloat("float", 5.5f);
        map.setDouble("double", 6.5);
        map.setString("String", "sieben");
        map.setBytes("bytes", new byte[] {1, 2, 3}, 1, 1);
        map.setObject("null", null);
        WeirMapMessage got = consumer.deliver(map);
        assertThat(Collections.list(got.getMapNames()))
                .containsExactlyInAnyOrder(
                        "boolean", "byte", "short", "char", "int", "long", "float", "double", "String", "bytes",
                        "null");
        assertThat(got.getChar("char")).isEqualTo('€');
        assertThat(got.getObject("float")).isEqualTo(5.5f);
        assertThat(got.getBytes("bytes")).containsExactly(2);
        assertThat(got.itemExists("null")).isTrue();
        assertThat(got.itemExists("missing")).isFalse();
        assertThat(got.getObject("null")).isNull();
    }

    @Test
    void arraysAreCopiedInAndOut() throws JMSException {
        byte[] bytes = {1};
        map.setBytes("a", bytes);
        map.setObject("b", bytes);
        bytes[0] = 2;
        byte[] first = map.getBytes("a");
        assertThat(first).containsExactly(1);
        if (first != null) {
            first[0] = 3;
        }
        assertThat(map.getBytes("a")).containsExactly(1);
        assertThat((byte[]) map.getObject("b")).containsExactly(1);
        map.setBytes("a", null);
        assertThat(consumer.deliver(map).getBytes("a")).isNull();
    }

    @Test
    @SuppressWarnings("NullAway") // what the test is about
    void anEntryNeedsAName() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> map.setInt("", 1));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> map.setInt(null, 1));
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> map.setObject("a", List.of()));
    }

    @Test
    void aReceivedMapIsReadOnlyUntilCleared() throws JMSException {
        map.setInt("a", 1);
        WeirMapMessage got = consumer.deliver(map);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> got.setInt("a", 2));
        got.clearBody();
        assertThat(got.getMapNames().hasMoreElements()).isFalse();
        got.setInt("b", 2);
        assertThat(consumer.deliver(got).getInt("b")).isEqualTo(2);
    }

    @Test
    void theBodyOfAMapIsACopy() throws JMSException {
        assertThat(map.getBody(String.class)).isNull();
        assertThat(map.isBodyAssignableTo(String.class)).isTrue();
        map.setInt("a", 1);
        WeirMapMessage got = consumer.deliver(map);
        Map<?, ?> body = got.getBody(Map.class);
        assertThat(body).isEqualTo(Map.of("a", 1));
        assertThat(got.isBodyAssignableTo(HashMap.class)).isFalse();
        assertThat(got.isBodyAssignableTo(Object.class)).isTrue();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> got.getBody(HashMap.class));
    }

    @Test
    void anObjectIsReadWhereItsClassIsAllowed() throws JMSException {
        object.setObject(new ArrayList<>(List.of("a", 1)));
        Delivered allowing =
                Delivered.allowing("java.util.*", "java.lang.Integer", "java.lang.Number", "java.lang.Object");
        WeirObjectMessage got = allowing.deliver(object);
        assertThat(got.getObject()).isEqualTo(List.of("a", 1));
        assertThat((Object) got.getBody(List.class)).isEqualTo(List.of("a", 1));
        assertThat(got.isBodyAssignableTo(Serializable.class)).isTrue();
        assertThat(got.isBodyAssignableTo(String.class)).isFalse();
        assertThat(got.getObject()).isNotSameAs(got.getObject());
    }

    @Test
    void otherClassesAreAllowedWhereListedOnlyAndTheRefusalSaysHow() throws JMSException {
        object.setObject(new ArrayList<>(List.of(new AtomicInteger(1))));
        WeirObjectMessage got = consumer.deliver(object);
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(got::getObject)
                .withMessageContaining("class java.util.concurrent.atomic.AtomicInteger is not allowed")
                .withMessageContaining("deserialization-allow-list");
        assertThat(got.isBodyAssignableTo(Object.class)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> got.getBody(Object.class));
    }

    @Test
    @SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // they are what applications send
    void valuesAndCollectionsOfLangAndUtilComeAsTheyAre() throws JMSException {
        Map<String, Object> order = new HashMap<>();
        order.put("number", 7L);
        order.put("when", new Date(5));
        order.put("id", new UUID(1, 2));
        order.put("lines", List.of(Map.of("article", "a", "price", 1.5), Map.of("article", "b", "free", true)));
        order.put("codes", new TreeSet<>(Set.of(1, 2, 3)));
        order.put("same", new LinkedList<>(Collections.nCopies(5000, Boolean.TRUE)));
        order.put("marks", new Character[] {'x'});
        order.put("locale", Locale.GERMANY);
        WeirObjectMessage got = consumer.deliver(object(order));
        Map<?, ?> read = (Map<?, ?>) Objects.requireNonNull(got.getObject());
        assertThat((Character[]) read.remove("marks")).containsExactly('x');
        order.remove("marks");
        assertThat(read).isEqualTo(order);
        for (Serializable one : List.of("text", 5, 5L, 1.5f, (byte) 1, 'c', true, new Date(1), new UUID(3, 4))) {
            assertThat(consumer.deliver(object(one)).getObject()).isEqualTo(one);
        }
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // they are what applications send
    void numbersDatesAndWrappersComeAsTheyAre() throws JMSException {
        GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"), Locale.GERMANY);
        calendar.setTimeInMillis(5);
        Set<Object> own = Collections.newSetFromMap(new HashMap<>());
        own.add(1);
        LocalDateTime then = LocalDateTime.of(2026, 2, 3, 4, 5, 6);
        for (Object one : List.of(
                new BigDecimal("1.50"),
                BigInteger.TEN.pow(50),
                MathContext.DECIMAL64,
                RoundingMode.HALF_EVEN,
                EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS),
                EnumSet.noneOf(DayOfWeek.class),
                new EnumMap<>(Map.of(Month.MAY, 1)),
                new DayOfWeek[] {DayOfWeek.FRIDAY},
                new LocalDate[] {then.toLocalDate()},
                calendar,
                new SimpleTimeZone(3600_000, "own"),
                Instant.ofEpochSecond(1, 2),
                Duration.ofSeconds(3),
                Period.ofDays(4),
                then,
                then.toLocalTime(),
                then.atOffset(ZoneOffset.UTC),
                then.toLocalTime().atOffset(ZoneOffset.UTC),
                then.atZone(ZoneId.of("Europe/Berlin")),
                Year.of(2026),
                YearMonth.of(2026, 2),
                MonthDay.of(2, 3),
                ChronoUnit.DAYS,
                Collections.unmodifiableSortedSet(new TreeSet<>(Set.of(1))),
                Collections.unmodifiableNavigableMap(new TreeMap<>(Map.of(1, 2))),
                Collections.unmodifiableSequencedSet(new LinkedHashSet<>(Set.of(1))),
                Collections.unmodifiableSequencedMap(new LinkedHashMap<>(Map.of(1, 2))),
                Collections.emptyNavigableMap(),
                Collections.emptyNavigableSet(),
                Collections.synchronizedList(new ArrayList<>(List.of(1))),
                Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
                own)) {
            assertThat(consumer.deliver(object(one)).getObject())
                    .as("%s", one.getClass())
                    .isEqualTo(one);
        }
    }

    enum Own {
        ONE
    }

    @Test
    void aSetOfAnEnumOfTheApplicationIsReadWhereThatIsListed() throws JMSException {
        object.setObject(EnumSet.of(Own.ONE));
        assertThat(Delivered.allowing(Own.class.getName()).deliver(object).getObject())
                .isEqualTo(EnumSet.of(Own.ONE));
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> consumer.deliver(object(EnumSet.of(Own.ONE))).getObject())
                .withMessageContaining("Own is not allowed");
    }

    @Test
    void whatHasBehaviourDoesNotComeByItself() throws JMSException {
        for (Object one : List.of(
                new TreeSet<>(Collections.reverseOrder()),
                new PriorityQueue<>(List.of(1)),
                new IllegalStateException("x"),
                Thread.class,
                Thread.State.NEW,
                new Timestamp(1),
                URI.create("http://a"),
                Collections.nCopies(Integer.MAX_VALUE, 1))) {
            assertThatExceptionOfType(MessageFormatException.class)
                    .as("%s", one.getClass())
                    .isThrownBy(() -> consumer.deliver(object(one)).getObject())
                    .withMessageContaining("is not allowed");
        }
    }

    @Test
    void collectionsWhoseHashCodesWouldTakeForEverAreRefused() throws JMSException {
        Set<Object> root = new HashSet<>();
        Set<Object> a = root;
        Set<Object> b = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            Set<Object> c = new HashSet<>();
            Set<Object> d = new HashSet<>();
            c.add("not equal to the other");
            a.add(c);
            a.add(d);
            b.add(c);
            b.add(d);
            a = c;
            b = d;
        }
        ArrayList<Object> last = new ArrayList<>(List.of("x"));
        for (int i = 0; i < 50; i++) {
            last = new ArrayList<>(List.of(last, last));
        }
        ArrayList<Object> itself = new ArrayList<>();
        HashMap<Object, Object> key = new HashMap<>();
        key.put(itself, 1);
        itself.add(itself);
        for (Object bomb : List.of(root, last)) {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> consumer.deliver(object(bomb)).getObject())
                    .withMessageContaining("hash codes")
                    .withMessageContaining("deserialization-allow-list");
        }
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> consumer.deliver(object(key)).getObject());
    }

    private WeirObjectMessage object(Object value) throws JMSException {
        object.clearBody();
        object.setObject((Serializable) value);
        return object;
    }

    @Test
    void anArrayIsJudgedByItsElements() throws JMSException {
        object.setObject(new AtomicInteger[] {new AtomicInteger(1)});
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> consumer.deliver(object).getObject())
                .withMessageContaining("AtomicInteger");
        assertThat(Delivered.allowing("java.util.concurrent.atomic.*")
                        .deliver(object)
                        .getObject())
                .isInstanceOf(AtomicInteger[].class);
        object.setObject(new int[] {1, 2});
        assertThat(consumer.deliver(object).getObject()).isEqualTo(new int[] {1, 2});
    }

    @Test
    void patternsAreExactPackagesOrTrees() {
        ObjectRules rules = ObjectRules.allowing(List.of("java.util.*", "java.lang.Integer", "java.time.**"));
        assertThat(rules.allows(ArrayList.class)).isTrue();
        assertThat(rules.allows(java.util.concurrent.ConcurrentHashMap.class)).isFalse();
        assertThat(rules.allows(Integer.class)).isTrue();
        assertThat(rules.allows(AtomicInteger.class)).isFalse();
        assertThat(rules.allows(java.time.chrono.HijrahDate.class)).isTrue();
        assertThat(rules.allows(Map.Entry[][].class)).isTrue();
    }

    @Test
    void depthObjectsBytesAndArraysAreBounded() throws JMSException {
        ArrayList<Serializable> deep = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            deep = new ArrayList<>(List.of(deep));
        }
        object.setObject(deep);
        refused(new ObjectRules(List.of("*"), 5, 1000, 10_000, 100), "deeper than 5");
        refused(new ObjectRules(List.of("*"), 50, 5, 10_000, 100), "more than 5 objects");
        refused(new ObjectRules(List.of("*"), 50, 1000, 100, 100), "longer than 100 bytes");
        object.setObject(new int[101]);
        refused(new ObjectRules(List.of("*"), 50, 1000, 10_000, 100), "array is longer than 100");
    }

    private void refused(ObjectRules rules, String why) {
        consumer.rules = rules;
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> consumer.deliver(object).getObject())
                .withMessageContaining(why);
    }

    @Test
    void anObjectIsTakenWhenItIsSet() throws JMSException {
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        object.setObject(list);
        list.add("b");
        assertThat(object.getObject()).isEqualTo(List.of("a"));
        object.setObject(null);
        assertThat(object.getObject()).isNull();
        assertThat(consumer.deliver(object).getObject()).isNull();
        assertThat(consumer.deliver(object).isBodyAssignableTo(Integer.class)).isTrue();
    }

    @Test
    void whatCanNotBeSerializedIsRefusedWhenItIsSet() {
        ArrayList<Object> list = new ArrayList<>(List.of(new Object()));
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> object.setObject(list))
                .withCauseInstanceOf(NotSerializableException.class);
    }

    @Test
    void anUnreadObjectIsSentOnWithoutBeingRead() throws JMSException {
        object.setObject(URI.create("a:b"));
        WeirObjectMessage onward = consumer.deliver(consumer.deliver(object));
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(onward::getObject);
        assertThat(Delivered.allowing("java.net.*").deliver(onward).getObject()).isEqualTo(URI.create("a:b"));
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> onward.setObject("x"));
        onward.clearBody();
        onward.setObject("x");
        assertThat(onward.getObject()).isEqualTo("x");
    }

    @Test
    void aMessageWithoutBodyGivesNullAsAnything() throws JMSException {
        WeirMessage got = consumer.deliver(new WeirMessage());
        assertThat(got.getBody(Integer.class)).isNull();
        assertThat(got.isBodyAssignableTo(Integer.class)).isTrue();
    }
}
