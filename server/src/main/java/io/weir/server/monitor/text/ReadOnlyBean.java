package io.weir.server.monitor.text;

import java.util.List;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenMBeanAttributeInfo;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenMBeanInfoSupport;
import org.jspecify.annotations.Nullable;

/** A bean whose attributes are open types, computed on request and never set. Shared. */
public abstract class ReadOnlyBean implements DynamicMBean {
    private final String description;

    public ReadOnlyBean(String description) {
        this.description = description;
    }

    /** The current attributes. */
    public abstract List<OpenMBeanAttributeInfoSupport> attributes() throws OpenDataException;

    /** The attribute's value; null if there is no such attribute. */
    public abstract @Nullable Object value(String attribute) throws OpenDataException;

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException, MBeanException {
        try {
            Object value = value(attribute);
            if (value == null) {
                throw new AttributeNotFoundException(attribute);
            }
            return value;
        } catch (OpenDataException e) {
            throw new MBeanException(e);
        }
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        AttributeList list = new AttributeList();
        for (String name : names) {
            // the contract of this method: attributes that cannot be read are omitted
            Object value = readable(name);
            if (value != null) {
                list.add(new Attribute(name, value));
            }
        }
        return list;
    }

    private @Nullable Object readable(String attribute) {
        try {
            return value(attribute);
        } catch (OpenDataException e) {
            return null;
        }
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(attribute.getName() + " cannot be set: statistics are read-only");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature) throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(action));
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        try {
            OpenMBeanAttributeInfo[] all = attributes().toArray(OpenMBeanAttributeInfo[]::new);
            return new OpenMBeanInfoSupport(getClass().getName(), description, all, null, null, null);
        } catch (OpenDataException e) {
            throw new IllegalStateException(e);
        }
    }
}
