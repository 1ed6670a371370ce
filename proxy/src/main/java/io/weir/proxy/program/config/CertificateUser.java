package io.weir.proxy.program.config;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/** How a client certificate identifies its owner. Identifies nobody if its subject has no such name. */
public enum CertificateUser {
    /** Not at all: certificates identify no users. */
    OFF,
    /** By the common name of its subject. */
    COMMON_NAME,
    /** By the whole name of its subject, in the form of RFC 2253. */
    SUBJECT;

    /** The spelling as a parameter. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static CertificateUser of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /**
     * The owner of a certificate.
     *
     * @param user the name
     * @param groups the organisational units of its subject, in its order
     */
    public record Owner(String user, List<String> groups) {}

    /** The user that the certificate identifies; null if none. */
    public @Nullable Owner owner(X509Certificate shown) {
        if (this == OFF) {
            return null;
        }
        String subject = shown.getSubjectX500Principal().getName();
        try {
            List<Rdn> parts = new LdapName(subject).getRdns();
            List<String> names = this == SUBJECT ? List.of(subject) : values(parts, "CN");
            return names.isEmpty() ? null : new Owner(names.getLast(), values(parts, "OU"));
        } catch (NamingException e) {
            // cannot happen, the platform encoded the name; treated as no name
            return null;
        }
    }

    private static List<String> values(List<Rdn> parts, String type) throws NamingException {
        List<String> values = new ArrayList<>();
        for (Rdn part : parts) {
            Attribute attribute = part.toAttributes().get(type);
            if (attribute != null) {
                NamingEnumeration<?> all = attribute.getAll();
                while (all.hasMore()) {
                    add(values, all.next());
                }
            }
        }
        return values;
    }

    private static void add(List<String> values, @Nullable Object value) {
        if (value instanceof String text && !text.isEmpty()) {
            values.add(text);
        }
    }
}
