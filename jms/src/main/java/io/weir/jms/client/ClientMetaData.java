package io.weir.jms.client;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** The provider's metadata: Jakarta Messaging 3.1. Immutable. */
enum ClientMetaData implements ConnectionMetaData {
    INSTANCE;

    private static final List<String> JMSX = List.of("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");

    @Override
    public String getJMSVersion() {
        return "3.1";
    }

    @Override
    public int getJMSMajorVersion() {
        return 3;
    }

    @Override
    public int getJMSMinorVersion() {
        return 1;
    }

    @Override
    public String getJMSProviderName() {
        return "Weir";
    }

    @Override
    public String getProviderVersion() {
        return ProviderVersion.TEXT;
    }

    @Override
    public int getProviderMajorVersion() {
        return ProviderVersion.number(0);
    }

    @Override
    public int getProviderMinorVersion() {
        return ProviderVersion.number(1);
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(JMSX);
    }
}
