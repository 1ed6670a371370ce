package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BytesMessageTest {
    private final Delivered consumer = new Delivered();
    private final WeirBytesMessage sent = new WeirBytesMessage();

    @Test
    void valuesComeInTheOrderTheyWereWritten() throws JMSException {
        sent.writeBoolean(true);
        sent.writeByte((byte) -1);
        sent.writeByte((byte) -1);
        sent.writeShort((short) -2);
        sent.writeShort((short) -2);
        sent.writeChar('€');
        sent.writeInt(-3);
        sent.writeLong(Long.MIN_VALUE);
        sent.writeFloat(1.5f);
        sent.writeDouble(Double.MIN_VALUE);
        sent.writeUTF("größe\0");
        sent.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
        WeirBytesMessage got = consumer.deliver(sent);
        assertThat(got.getBodyLength()).isEqualTo(1 + 2 + 4 + 2 + 4 + 8 + 4 + 8 + 2 + 9 + 2);
        assertThat(got.readBoolean()).isTrue();
        assertThat(got.readByte()).isEqualTo((byte) -1);
        assertThat(got.readUnsignedByte()).isEqualTo(255);
        assertThat(got.readShort()).isEqualTo((short) -2);
        assertThat(got.readUnsignedShort()).isEqualTo(65534);
        assertThat(got.readChar()).isEqualTo('€');
        assertThat(got.readInt()).isEqualTo(-3);
        assertThat(got.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(got.readFloat()).isEqualTo(1.5f);
        assertThat(got.readDouble()).isEqualTo(Double.MIN_VALUE);
        assertThat(got.readUTF()).isEqualTo("größe\0");
        byte[] rest = new byte[3];
        assertThat(got.readBytes(rest)).isEqualTo(2);
        assertThat(rest).startsWith(2, 3);
        assertThat(got.readBytes(rest)).isEqualTo(-1);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(got::readByte);
        got.reset();
        assertThat(got.readBoolean()).isTrue();
    }

    @Test
    void objectsAreWrittenAsTheirPrimitives() throws JMSException {
        for (Object value : List.of(true, (byte) 1, (short) 1, 'c', 1, 1L, 1f, 1d, "1", new byte[] {1})) {
            sent.writeObject(value);
        }
        assertThat(consumer.deliver(sent).getBodyLength()).isEqualTo(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 3 + 1);
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> sent.writeObject(null));
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> sent.writeObject(List.of()));
    }

    @Test
    void aReadOverTheEndStaysWhereItWas() throws JMSException {
        sent.writeShort((short) 500);
        sent.writeByte((byte) 'x');
        WeirBytesMessage got = consumer.deliver(sent);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(got::readInt);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(got::readLong);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(got::readUTF);
        assertThat(got.readShort()).isEqualTo((short) 500);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(got::readChar);
        assertThat(got.readByte()).isEqualTo((byte) 'x');
    }

    @Test
    void aTextThatIsNoUtf8StaysWhereItWas() throws JMSException {
        sent.writeShort((short) 1);
        sent.writeByte((byte) 0xff);
        WeirBytesMessage got = consumer.deliver(sent);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(got::readUTF);
        assertThat(got.readShort()).isEqualTo((short) 1);
    }

    @Test
    void aTextOverTheLimitOfUtfLeavesNothing() throws JMSException {
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> sent.writeUTF("x".repeat(70_000)));
        assertThat(consumer.deliver(sent).getBodyLength()).isZero();
    }

    @Test
    void readingIntoAnArrayIsBounded() throws JMSException {
        sent.writeBytes(new byte[] {1, 2, 3});
        WeirBytesMessage got = consumer.deliver(sent);
        byte[] two = new byte[2];
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> got.readBytes(two, 3));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> got.readBytes(two, -1));
        assertThat(got.readBytes(two, 1)).isEqualTo(1);
        assertThat(got.readBytes(two)).isEqualTo(2);
        assertThat(two).containsExactly(2, 3);
    }

    @Test
    void aNewMessageIsWriteOnlyUntilReset() throws JMSException {
        sent.writeInt(1);
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(sent::readInt);
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(sent::getBodyLength);
        sent.reset();
        assertThat(sent.readInt()).isEqualTo(1);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> sent.writeInt(1));
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> sent.writeObject(1));
        sent.clearBody();
        sent.writeInt(2);
        assertThat(consumer.deliver(sent).readInt()).isEqualTo(2);
    }

    @Test
    void itsBodyIsAnArrayOfItsOwn() throws JMSException {
        assertThat(sent.isBodyAssignableTo(String.class)).as("no body").isTrue();
        assertThat(sent.getBody(String.class)).isNull();
        sent.clearBody();
        byte[] bytes = {1, 2};
        sent.writeBytes(bytes);
        bytes[0] = 9;
        WeirBytesMessage got = consumer.deliver(sent);
        got.readByte();
        byte[] body = got.getBody(byte[].class);
        assertThat(body).containsExactly(1, 2);
        if (body != null) {
            body[0] = 9;
        }
        assertThat(got.getBody(Object.class)).isEqualTo(new byte[] {1, 2});
        assertThat(got.readByte()).as("reset").isEqualTo((byte) 1);
        assertThat(got.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(got.isBodyAssignableTo(String.class)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> got.getBody(String.class));
    }

    @Test
    void whatIsWrittenLaterIsNotInTheMessageSent() throws JMSException {
        sent.writeByte((byte) 1);
        WeirBytesMessage got = consumer.deliver(sent);
        sent.writeByte((byte) 2);
        assertThat(got.getBodyLength()).isEqualTo(1);
        assertThat(consumer.deliver(sent).getBodyLength()).isEqualTo(2);
    }
}
