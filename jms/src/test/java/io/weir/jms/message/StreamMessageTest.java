package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import org.junit.jupiter.api.Test;

class StreamMessageTest {
    private final Delivered consumer = new Delivered();
    private final WeirStreamMessage sent = new WeirStreamMessage();

    @Test
    void valuesComeInTheOrderTheyWereWritten() throws JMSException {
        sent.writeBoolean(true);
        sent.writeByte((byte) -1);
        sent.writeShort((short) -2);
        sent.writeChar('€');
        sent.writeInt(-3);
        sent.writeLong(Long.MIN_VALUE);
        sent.writeFloat(1.5f);
        sent.writeDouble(Double.MIN_VALUE);
        sent.writeString("größe");
        sent.writeString(null);
        sent.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
        WeirStreamMessage got = consumer.deliver(sent);
        assertThat(got.readBoolean()).isTrue();
        assertThat(got.readByte()).isEqualTo((byte) -1);
        assertThat(got.readShort()).isEqualTo((short) -2);
        assertThat(got.readChar()).isEqualTo('€');
        assertThat(got.readInt()).isEqualTo(-3);
        assertThat(got.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(got.readFloat()).isEqualTo(1.5f);
        assertThat(got.readDouble()).isEqualTo(Double.MIN_VALUE);
        assertThat(got.readString()).isEqualTo("größe");
        assertThat(got.readString()).isNull();
        assertThat((byte[]) got.readObject()).containsExactly(2, 3);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(got::readObject);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(() -> got.readBytes(new byte[1]));
        got.reset();
        assertThat(got.readBoolean()).isTrue();
    }

    @Test
    void bytesAreReadInPiecesUntilOneIsShort() throws JMSException {
        sent.writeBytes(new byte[] {1, 2, 3, 4, 5});
        sent.writeInt(6);
        WeirStreamMessage got = consumer.deliver(sent);
        byte[] two = new byte[2];
        assertThat(got.readBytes(two)).isEqualTo(2);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(got::readInt);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(got::readObject);
        assertThat(got.readBytes(two)).isEqualTo(2);
        assertThat(two).containsExactly(3, 4);
        assertThat(got.readBytes(two)).isEqualTo(1);
        assertThat(two).startsWith(5);
        assertThat(got.readInt()).isEqualTo(6);
    }

    @Test
    void bytesThatFillTheArrayNeedOneMoreCall() throws JMSException {
        sent.writeBytes(new byte[] {1, 2});
        sent.writeInt(6);
        WeirStreamMessage got = consumer.deliver(sent);
        assertThat(got.readBytes(new byte[2])).isEqualTo(2);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(got::readInt);
        assertThat(got.readBytes(new byte[2])).isEqualTo(-1);
        assertThat(got.readInt()).isEqualTo(6);
    }

    @Test
    void nullBytesAreMinusOneAndEmptyBytesAreZero() throws JMSException {
        sent.writeBytes(null);
        sent.writeBytes(new byte[0]);
        sent.writeInt(6);
        WeirStreamMessage got = consumer.deliver(sent);
        assertThat(got.readBytes(new byte[2])).isEqualTo(-1);
        assertThat(got.readBytes(new byte[2])).isZero();
        assertThat(got.readInt()).isEqualTo(6);
    }

    @Test
    void whatIsNoBytesStaysForAnotherRead() throws JMSException {
        sent.writeString("x");
        WeirStreamMessage got = consumer.deliver(sent);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> got.readBytes(new byte[2]));
        assertThat(got.readString()).isEqualTo("x");
    }

    @Test
    void aNewMessageIsWriteOnlyUntilReset() throws JMSException {
        sent.writeInt(1);
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(sent::readInt);
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(() -> sent.readBytes(new byte[1]));
        sent.reset();
        assertThat(sent.readInt()).isEqualTo(1);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> sent.writeInt(1));
        sent.clearBody();
        sent.writeInt(2);
        assertThat(consumer.deliver(sent).readInt()).isEqualTo(2);
    }

    @Test
    void aReceivedMessageIsReadOnlyUntilCleared() throws JMSException {
        sent.writeInt(1);
        WeirStreamMessage got = consumer.deliver(sent);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> got.writeInt(1));
        got.clearBody();
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(got::readInt);
        got.writeInt(5);
        assertThat(consumer.deliver(got).readInt()).isEqualTo(5);
    }

    @Test
    void aMessageHalfReadIsSentOnWhole() throws JMSException {
        sent.writeInt(1);
        sent.writeInt(2);
        WeirStreamMessage got = consumer.deliver(sent);
        got.readInt();
        assertThat(consumer.deliver(got).readInt()).isEqualTo(1);
    }

    @Test
    void itsBodyCanNotBeHadAsOneObject() throws JMSException {
        assertThat(sent.isBodyAssignableTo(Object.class)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> sent.getBody(Object.class));
    }

    @Test
    void objectsOfOtherTypesAreRefused() {
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> sent.writeObject(new Object()));
    }
}
